/** A negative SMTP reply (RFC 5321). Its message begins with the status code (RFC 3463). */
export class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.responseCode = responseCode
  }
}
