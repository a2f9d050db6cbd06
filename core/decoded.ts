/** Decodes percent-encoding. Returns the text unchanged if the encoding is broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
