import { Repository } from 'aws-cdk-lib/aws-ecr'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { ContainerImage } from 'aws-cdk-lib/aws-ecs'
import type { Construct } from 'constructs'

/** `<account>.dkr.ecr.<region>.<suffix>/<repository>:<tag>` or `@<digest>`. */
const ECR =
  /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.[a-z0-9.-]+\/([a-z0-9._/-]+?)(?::([\w.-]+)|@(sha256:[0-9a-f]{64}))$/

/**
 * Returns the image of a service: the prebuilt one if `image` names one, otherwise one that Docker
 * builds from the bundle at the deployment. The task may pull a prebuilt image from ECR.
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
  return ContainerImage.fromEcrRepository(repository, tag ?? digest)
}
