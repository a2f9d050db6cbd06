/**
 * The texts of a request in which an SDK of a provider sends its credential: a bearer token
 * (Resend, SendGrid), the password of basic authentication (Mailgun), the server or account token
 * (Postmark), the id of the access key (Amazon SES, whose secret is never sent), or `X-API-Key`.
 */
export function credentialsIn(header: (name: string) => string | null): string[] {
  const authorization = header('Authorization') ?? ''
  const basic = /^Basic +([\w+/=-]+) *$/i.exec(authorization)?.[1]
  const found = [
    header('X-API-Key'),
    header('X-Postmark-Server-Token'),
    header('X-Postmark-Account-Token'),
    /^Bearer +(\S+) *$/i.exec(authorization)?.[1],
    /^AWS4-HMAC-SHA256 .*\bCredential=([^/,\s]+)\//.exec(authorization)?.[1],
    basic && /:(.*)$/s.exec(Buffer.from(basic, 'base64').toString())?.[1],
  ]
  return found.filter((text): text is string => typeof text === 'string' && text !== '')
}
