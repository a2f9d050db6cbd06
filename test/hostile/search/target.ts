import type { Run } from './measure.ts'

/** Something that reads a stranger's text. */
export interface Target {
  /** What surrounds the text. */
  frames: ((text: string) => string)[]
  run: Run
  /** What a text of the same size may cost at most, relative to `plain`. */
  most: number
  sizes: number[]
  /** The same work with ordinary text, to compare with; reading a plain message if undefined. */
  plain?: (text: string) => string
  close?(): Promise<void>
}
