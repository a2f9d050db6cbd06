import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  NOT_FOUND_FILE,
  PAGE_CACHE,
  PAGE_FILES,
  PROBLEMS_FILE,
  PROBLEMS_PREFIX,
  pageHeaders,
} from '../../web/headers.ts'

/**
 * Maximum size of a CloudFront function in bytes
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html).
 */
const SIZE_MAX = 10_240

/**
 * Returns the CloudFront function that maps the path of a page to its file. It answers a path
 * without a page itself, as the one-machine service does: a browser gets 404.html, other clients
 * get a problem. The page is in the function, because CloudFront has one error page for all
 * behaviours, which would also replace the errors of the API, and because a function cannot change
 * the status of an origin's answer.
 *
 * @param folder of the built pages
 * @throws Error if the function is larger than CloudFront accepts
 */
export function pathToFile(folder: string): string {
  const headers = {
    ...pageHeaders(NOT_FOUND_FILE),
    'Cache-Control': PAGE_CACHE,
    'Content-Type': 'text/html; charset=utf-8',
    'Strict-Transport-Security': 'max-age=31536000',
  }
  const values = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }])
  const page = readFileSync(join(folder, NOT_FOUND_FILE), 'utf8')
  const code = `var files = ${JSON.stringify(PAGE_FILES)}
var pageHeaders = ${JSON.stringify(Object.fromEntries(values))}
var page = ${JSON.stringify(page)}
${HANDLER}`
  const size = Buffer.byteLength(code)
  if (size <= SIZE_MAX) return code
  throw new Error(`${NOT_FOUND_FILE} is too large: the function has ${size} bytes of at most ${SIZE_MAX}`)
}

const HANDLER = `function fileOf(path) {
  if (path.startsWith('${PROBLEMS_PREFIX}')) return '${PROBLEMS_FILE}'
  return files[path]
}
function handler(event) {
  var request = event.request
  var path = request.uri
  var file = fileOf(path)
  if (file) {
    request.uri = '/' + file
    return request
  }
  var canonical = path.replace(/\\/+$/, '')
  if (fileOf(canonical)) {
    return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: { location: { value: canonical } } }
  }
  var accept = request.headers.accept
  if (accept && accept.value.includes('text/html')) return notFound(pageHeaders, page)
  var problem = {
    type: '${PROBLEMS_PREFIX}not_found',
    title: 'The path does not exist',
    status: 404,
    detail: 'GET /api/openapi.json lists every path of this service.',
    code: 'not_found',
    success: false,
    request_id: event.context.requestId
  }
  return notFound(
    { 'content-type': { value: 'application/problem+json' }, 'cache-control': { value: 'no-store' } },
    JSON.stringify(problem)
  )
}
function notFound(headers, body) {
  return { statusCode: 404, statusDescription: 'Not Found', headers: headers, body: body }
}
`
