/** The order of requests that read the same thing: their answers may arrive in another order. */
export class Answers {
  #asked = 0
  /** The newest request that has its answer. */
  #answered = 0

  /** Counts a request. Returns a function to call at its answer: whether a later request was answered sooner. */
  next(): () => boolean {
    const request = ++this.#asked
    return () => {
      if (request < this.#answered) return true
      this.#answered = request
      return false
    }
  }
}
