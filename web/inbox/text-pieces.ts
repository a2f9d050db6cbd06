/** Characters drawn at a time: a browser needs seconds to lay out megabytes of text. */
const PIECE = 100_000

/** The first pieces of a text. Each ends at the end of a line, so that no line and no link is cut in two. */
export function piecesOf(text: string, count: number): string[] {
  const ends = Array.from({ length: count }, (_, i) => endOf(text, (i + 1) * PIECE))
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end))
}

/** The end of a line near this position, or the position itself in a line that goes on for too long. */
function endOf(text: string, at: number): number {
  if (at >= text.length) return text.length
  const end = text.indexOf('\n', at)
  return end === -1 || end - at > PIECE ? at : end + 1
}
