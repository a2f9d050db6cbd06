import { Buffer } from 'node:buffer'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'

const CR = 13
const LF = 10
/** What comes before a line that begins with a dot: the data begin as if after it. */
const LINE_END = Buffer.from('\r\n')
const DOT_LINE = Buffer.from('\r\n.')
const NOTHING = Buffer.alloc(0)

type Done = (error?: Error | null) => void

/**
 * smtp-server's parser, with its reading of message data replaced: there, the first dot of a line is taken out
 * only before another dot, and also after a bare line feed, where no line begins (RFC 5321, sections 4.5.2 and
 * 2.3.8: the receiver would change messages, and the next server read lines that the first did not). It also
 * takes an event-loop turn for every line with a dot, so that 40 MB of such lines take minutes.
 *
 * Here only CR LF ends a line, only CR LF . CR LF ends the data, and every other byte is kept as it came.
 */
export class SmtpStream extends SMTPStream {
  /** The last bytes, while they may be the beginning of what only the next ones tell. */
  #held: Buffer = NOTHING
  /** How many bytes of #held were not sent, but stand for the line end before the data. */
  #imagined = 0

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.#held = LINE_END
    this.#imagined = LINE_END.length
    return super.startDataMode(maxBytes)
  }

  override _feedDataStream(chunk: Buffer, done: Done): void {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const { lines, rest } = this.#lines(data)
    this._countDataBytes(lines.length)
    // What is too large is still read, to answer after it, but nobody needs it any more.
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

  /** The content in these data as far as it is certain, and what follows the end of the message, if it ends. */
  #lines(data: Buffer): { lines: Buffer; rest?: Buffer } {
    const pieces: Buffer[] = []
    let start = this.#imagined
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
    this.#imagined = Math.max(0, start - end)
    if (end > start) pieces.push(data.subarray(start, end))
    return joined(pieces)
  }
}

function joined(pieces: Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}
