/** A negative SMTP reply (RFC 5321). Its message begins with the status code (RFC 3463). */
export class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.responseCode = responseCode
  }
}

/** The refusal for a reply code that an address requests. */
export function refusalOnDemand(code: number): Refusal {
  return new Refusal(code, `${Math.floor(code / 100)}.0.0 A fault, as this address requests`)
}
