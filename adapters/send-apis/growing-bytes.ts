/** Each step is a call of the system. */
const STEP_BYTES = 1024 * 1024

/**
 * Bytes that arrive in pieces. Their memory is freed when it is no longer needed, not by a later
 * garbage collection: several copies of a large message would otherwise be held at once.
 */
export class GrowingBytes {
  readonly #buffer: ArrayBuffer
  /** Follows the length of the buffer. */
  readonly #bytes: Uint8Array
  #length = 0

  /** @param most the most bytes that may be added */
  constructor(most: number) {
    // Only addresses are reserved; memory is used as bytes arrive.
    this.#buffer = new ArrayBuffer(0, { maxByteLength: most })
    this.#bytes = new Uint8Array(this.#buffer)
  }

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#bytes.length) {
      const steps = Math.ceil(length / STEP_BYTES)
      this.#buffer.resize(Math.max(length, Math.min(steps * STEP_BYTES, this.#buffer.maxByteLength)))
    }
    this.#bytes.set(piece, this.#length)
    this.#length = length
  }

  /** All bytes, in memory that can be transferred to another thread. Nothing can be added then. */
  take(): Uint8Array {
    this.#buffer.resize(this.#length)
    return new Uint8Array(this.#buffer, 0, this.#length)
  }

  /** Frees the memory. Nothing can be added then. */
  drop(): void {
    free(this.#buffer)
  }
}

/** Frees the memory of bytes that nothing uses any more. */
export function free(bytes: ArrayBufferLike): void {
  if (bytes instanceof ArrayBuffer && !bytes.detached) bytes.transfer(0)
}
