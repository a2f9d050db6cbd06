import { Repository } from 'aws-cdk-lib/aws-ecr'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { ContainerImage } from 'aws-cdk-lib/aws-ecs'
import type { Construct } from 'constructs'

/** `<account>.dkr.ecr.<region>.<suffix>/<repository>:<tag>` or `@<digest>`. */
const ECR =
  /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.[a-z0-9.-]+\/([a-z0-9._/-]+?)(?::([\w.-]+)|@(sha256:[0-9a-f]{64}))$/

/**
 * The image of a service: a prebuilt one where its name is given, else Docker builds it at the
 * deployment from the bundle. Pulling a prebuilt one from ECR is granted.
 */
export function containerImage(
  scope: Construct,
  { folder, image }: { folder: string; image: string | undefined },
) {
  if (image === undefined) return ContainerImage.fromAsset(folder, { platform: Platform.LINUX_ARM64 })
  const [, account, region, name, tag, digest] = ECR.exec(image) ?? []
  if (account === undefined) return ContainerImage.fromRegistry(image)
  const repository = Repository.fromRepositoryArn(
    scope,
    'Repository',
    `arn:aws:ecr:${region}:${account}:repository/${name}`,
  )
  return ContainerImage.fromEcrRepository(repository, (tag ?? digest)!)
}
