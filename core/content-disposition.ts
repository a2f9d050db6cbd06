/**
 * Returns a Content-Disposition (RFC 6266) with the name in ASCII for old clients and in full by
 * RFC 8187. Characters that could end the quoted string or the header are replaced.
 */
export function contentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
