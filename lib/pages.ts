import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import {
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
import {
  ASSET_CACHE,
  ASSETS_PREFIX,
  PAGE_CACHE,
  PAGE_FILES,
  PROBLEMS_FILE,
  PROBLEMS_PREFIX,
  pageHeaders,
} from '../web/headers.ts'
import type { Emptier } from './emptier.ts'
import { accountName } from './names.ts'

/** Has a policy of its own: the viewer of the API writes HTML by itself. */
const DOCS = '/docs'
const FRAME = 'frame.html'

export interface PagesProps {
  /** Where they were built. */
  folder: string
  /** Origin of the downloads that the API redirects to. */
  downloads: string
  /** Empties the bucket before it is deleted. */
  emptier: Emptier
  logRetentionDays: number
}

/** The static pages, in a private bucket that only CloudFront reads. web/headers.ts says how they are served. */
export class Pages extends Construct {
  /** Every path that no other behaviour takes. */
  readonly defaultBehavior: BehaviorOptions
  readonly additionalBehaviors: Record<string, BehaviorOptions>

  constructor(scope: Construct, id: string, { folder, downloads, emptier, logRetentionDays }: PagesProps) {
    super(scope, id)
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const empties = emptier.empties(bucket)
    const upload = new BucketDeployment(this, 'Upload', {
      sources: [Source.asset(folder)],
      destinationBucket: bucket,
      memoryLimit: 512,
      // A page that was loaded before a deployment may still ask for a file of before.
      prune: false,
      // Its own would stay for two years when the stack is gone.
      logGroup: new LogGroup(this, 'UploadLogs', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    })
    upload.node.addDependency(empties)
    const origin = S3BucketOrigin.withOriginAccessControl(bucket, {
      originAccessControl: new S3OriginAccessControl(this, 'Access', {
        originAccessControlName: accountName(this, 64),
      }),
    })
    const behaviour = (file: string, cacheControl: string, cachePolicy: ICachePolicy) => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy,
      responseHeadersPolicy: this.#headers(file, downloads, cacheControl),
    })
    const pathToFile = {
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: new EdgeFunction(this, 'PathToFile', {
            functionName: accountName(this, 64),
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(PATH_TO_FILE),
            comment: 'Finds the file of a page’s path',
          }),
        },
      ],
    }
    // HTML is small and names what is current, so it is asked for each time; the rest has a hash in its name.
    const page = (file: string) => behaviour(file, PAGE_CACHE, CachePolicy.CACHING_DISABLED)
    this.defaultBehavior = { ...page('index.html'), ...pathToFile }
    this.additionalBehaviors = {
      [DOCS]: { ...page(PAGE_FILES[DOCS]!), ...pathToFile },
      [`/${FRAME}`]: page(FRAME),
      [`/${ASSETS_PREFIX}*`]: {
        ...behaviour(`${ASSETS_PREFIX}x`, ASSET_CACHE, CachePolicy.CACHING_OPTIMIZED),
        compress: true,
      },
    }
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Public pages, read through CloudFront only.',
    })
    acknowledgeUpload(upload, bucket)
  }

  #headers(file: string, downloads: string, cacheControl: string): ResponseHeadersPolicy {
    const id = file.replace(/\W.*$/, '')
    const {
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': _,
      'Referrer-Policy': __,
      ...others
    } = pageHeaders(file, { downloads })
    const scope = new Construct(this, `Headers-${id}`)
    return new ResponseHeadersPolicy(scope, 'Policy', {
      responseHeadersPolicyName: accountName(scope, 128),
      comment: `Mayfly pages: ${id}`,
      // What CloudFront knows as a security header it takes here only.
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy!, override: true },
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

/** Runs at the edge. A path that is no page's is refused there: S3 would say 403 of it. */
const PATH_TO_FILE = `var files = ${JSON.stringify(PAGE_FILES)}
function handler(event) {
  var request = event.request
  var file = files[request.uri] || (request.uri.startsWith('${PROBLEMS_PREFIX}') && '${PROBLEMS_FILE}')
  if (!file) {
    return { statusCode: 404, statusDescription: 'Not Found', body: 'There is no page here.\\n' }
  }
  request.uri = '/' + file
  return request
}
`

/** CDK's own function that copies the files at a deployment; its runtime and its grants are CDK's. */
function acknowledgeUpload(upload: BucketDeployment, bucket: Bucket): void {
  const stack = Stack.of(upload)
  const files = stack.getLogicalId(bucket.node.defaultChild as CfnElement)
  const assets = 'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*'
  const reason =
    'CDK’s function that copies the files: it reads the bucket of assets and writes that of the pages.'
  const role = 'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'
  const actions = ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:Abort*', 's3:DeleteObject*']
  Validations.of(upload.handlerRole.node.scope!).acknowledge(
    { id: 'AwsSolutions-L1', reason },
    { id: `AwsSolutions-IAM4[${role}]`, reason },
    ...actions.map((action) => ({ id: `AwsSolutions-IAM5[Action::${action}]`, reason })),
    ...[assets, `<${files}.Arn>/*`].map((arn) => ({ id: `AwsSolutions-IAM5[Resource::${arn}]`, reason })),
  )
}
