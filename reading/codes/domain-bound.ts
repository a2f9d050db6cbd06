/**
 * The last line of a message for one site: "@example.com #747723", with the embedding site after
 * it, if any.
 */
const BOUND = /^@[\w.-]+ #([\w-]{3,32})(?= *(?:@[\w.-]+ *)?$)/gm

/**
 * Origin-bound one-time codes (the WICG draft of that name), which browsers fill in by themselves.
 */
export function domainBoundCodes(text: string): string[] {
  return text.includes(' #') ? [...text.matchAll(BOUND)].map((match) => match[1]!) : []
}
