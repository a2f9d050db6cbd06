/**
 * What AWS documents of Amazon CloudFront and no emulator shows. Each rule names its page, below
 * docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/.
 */

/** An origin's read time-out, also between two packets, in seconds, without a raised quota (cloudfront-limits.html). */
export const READ_TIMEOUT_MAX = 120
/** Custom policies in an account (cloudfront-limits.html). */
export const POLICIES_MAX = { originRequest: 20, responseHeaders: 20 }
/** Headers in an origin request policy (cloudfront-limits.html). */
export const FORWARDED_HEADERS_MAX = 10
/** Statuses that are cached for 10 s unless the distribution says otherwise (HTTPStatusCodes.html). */
export const CACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
