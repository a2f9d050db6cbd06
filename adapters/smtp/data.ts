import { Buffer } from 'node:buffer'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'

const CR = 13
const LF = 10
/** Comes before a line that begins with a dot. The data begin as if after a line end. */
const LINE_END = Buffer.from('\r\n')
const DOT_LINE = Buffer.from('\r\n.')
const NOTHING = Buffer.alloc(0)

type Done = (error?: Error | null) => void

/**
 * smtp-server's parser with another reader of message data. The original removes the first dot of a
 * line only before another dot, and also after a bare line feed, where no line begins (RFC 5321,
 * sections 4.5.2 and 2.3.8). It would change messages, and servers that disagree about line ends
 * make SMTP smuggling possible. It also needs a turn of the event loop for each line with a dot:
 * minutes for 40 MB of such lines.
 *
 * Here only CR LF ends a line, only CR LF . CR LF ends the data, and every other byte is kept.
 */
export class SmtpStream extends SMTPStream {
  /** The last bytes, while only the next ones decide whether a line or the data end here. */
  #held: Buffer = NOTHING
  /** How many bytes of #held the client did not send: the assumed line end before the data. */
  #assumed = 0

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.#held = LINE_END
    this.#assumed = LINE_END.length
    return super.startDataMode(maxBytes)
  }

  override _feedDataStream(chunk: Buffer, done: Done): void {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const { lines, rest } = this.#lines(data)
    this._countDataBytes(lines.length)
    // A message that is too large is read to its end, because the reply follows it, but is not
    // kept.
    const wanted = this.dataBytes <= this._maxBytes && lines.length > 0
    if (rest !== undefined) {
      this._endDataMode(wanted ? lines : false, rest, done)
      return
    }
    const stream = this._dataStream!
    if (!wanted || !stream.writable || stream.write(lines)) {
      done()
      return
    }
    const resume = (): void => {
      stream.off('drain', resume)
      stream.off('close', resume)
      done()
    }
    stream.on('drain', resume)
    stream.on('close', resume)
  }

  /**
   * The content of the data as far as it is certain, and the bytes after the end of the message, if
   * it ends.
   */
  #lines(data: Buffer): { lines: Buffer; rest?: Buffer } {
    const pieces: Buffer[] = []
    let start = this.#assumed
    for (let at = data.indexOf(DOT_LINE); at !== -1; at = data.indexOf(DOT_LINE, start)) {
      const dot = at + LINE_END.length
      const next = data[dot + 1]
      const second = data[dot + 2]
      if (next === undefined || (next === CR && second === undefined)) {
        return { lines: this.#hold(data, pieces, start, at) }
      }
      pieces.push(data.subarray(start, dot))
      if (next === CR && second === LF) {
        return { lines: joined(pieces), rest: data.subarray(dot + 3) }
      }
      start = dot + 1
    }
    let end = data.length
    if (end > start && data[end - 1] === LF && data[end - 2] === CR && end - 2 >= start) end -= 2
    else if (end > start && data[end - 1] === CR) end--
    return { lines: this.#hold(data, pieces, start, end) }
  }

  #hold(data: Buffer, pieces: Buffer[], start: number, end: number): Buffer {
    this.#held = data.subarray(end)
    this.#assumed = Math.max(0, start - end)
    if (end > start) pieces.push(data.subarray(start, end))
    return joined(pieces)
  }
}

function joined(pieces: Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}
