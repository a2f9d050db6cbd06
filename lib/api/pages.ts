import { Annotations, Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  AccessLevel,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  type ICachePolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct } from 'constructs'
import { ASSET_CACHE, ASSETS_PREFIX, PAGE_CACHE, PAGE_FILES, pageHeaders } from '../../web/headers.ts'
import { accountName } from '../names.ts'
import type { Emptier } from '../operations/emptier.ts'
import { pathToFile } from './path-to-file.ts'

/** It has its own policy, because the API viewer writes HTML. */
const DOCS = '/docs'
const FRAME = 'frame.html'
const LIST_WARNING = '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk'

export interface PagesProps {
  /** Folder of the built pages. */
  folder: string
  /** Origin to which the API redirects downloads. */
  downloads: string
  /** Empties the bucket before it is deleted. */
  emptier: Emptier
  logRetentionDays: number
}

/**
 * The static pages, in a private bucket that only CloudFront reads. web/headers.ts defines their
 * headers.
 */
export class Pages extends Construct {
  /** Serves every path that has no other behaviour. */
  readonly defaultBehavior: BehaviorOptions
  readonly additionalBehaviors: Record<string, BehaviorOptions>

  constructor(scope: Construct, id: string, props: PagesProps) {
    super(scope, id)
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.#upload(bucket, props)
    // No request lists the files: the edge function maps or answers the path `/`.
    Annotations.of(scope).acknowledgeWarning(LIST_WARNING)
    const origin = S3BucketOrigin.withOriginAccessControl(bucket, {
      // With LIST, S3 answers 404 for a missing file, otherwise 403.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      originAccessControl: new S3OriginAccessControl(this, 'Access', {
        originAccessControlName: accountName(this, 64),
      }),
    })
    const behaviour = (file: string, cacheControl: string, cachePolicy: ICachePolicy) => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy,
      responseHeadersPolicy: this.#headers(file, props.downloads, cacheControl),
    })
    // HTML names the current files, so it is never cached; all other files have a hash in their
    // names.
    const page = (file: string) => behaviour(file, PAGE_CACHE, CachePolicy.CACHING_DISABLED)
    const functionAssociations = this.#pathToFile(props.folder)
    this.defaultBehavior = { ...page('index.html'), functionAssociations }
    this.additionalBehaviors = {
      [DOCS]: { ...page(PAGE_FILES[DOCS] ?? ''), functionAssociations },
      [`/${FRAME}`]: page(FRAME),
      [`/${ASSETS_PREFIX}*`]: {
        ...behaviour(`${ASSETS_PREFIX}x`, ASSET_CACHE, CachePolicy.CACHING_OPTIMIZED),
        compress: true,
      },
    }
  }

  #upload(bucket: Bucket, { folder, emptier, logRetentionDays }: PagesProps): void {
    const upload = new BucketDeployment(this, 'Upload', {
      sources: [Source.asset(folder)],
      destinationBucket: bucket,
      memoryLimit: 512,
      // A page that was loaded before a deployment may still request the files of its version.
      prune: false,
      // CDK's default group would stay for two years after the stack is deleted.
      logGroup: new LogGroup(this, 'UploadLogs', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    })
    upload.node.addDependency(emptier.empties(bucket))
  }

  #pathToFile(folder: string): NonNullable<BehaviorOptions['functionAssociations']> {
    const edgeFunction = new EdgeFunction(this, 'PathToFile', {
      functionName: accountName(this, 64),
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(pathToFile(folder)),
      comment: 'Maps the path of a page to its file',
    })
    return [{ eventType: FunctionEventType.VIEWER_REQUEST, function: edgeFunction }]
  }

  #headers(file: string, downloads: string, cacheControl: string): ResponseHeadersPolicy {
    const id = file.replace(/\W.*$/, '')
    const {
      'Content-Security-Policy': contentSecurityPolicy = '',
      'X-Content-Type-Options': _,
      'Referrer-Policy': __,
      ...others
    } = pageHeaders(file, { downloads })
    const scope = new Construct(this, `Headers-${id}`)
    return new ResponseHeadersPolicy(scope, 'Policy', {
      responseHeadersPolicyName: accountName(scope, 128),
      comment: `Mayfly pages: ${id}`,
      // CloudFront accepts these headers only here, not as custom headers.
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          ...Object.entries(others).map(([header, value]) => ({ header, value, override: true })),
          { header: 'Cache-Control', value: cacheControl, override: true },
        ],
      },
    })
  }
}
