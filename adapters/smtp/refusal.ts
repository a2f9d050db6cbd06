/** An SMTP reply (RFC 5321) that refuses, with the status code (RFC 3463) in the message. */
export class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.responseCode = responseCode
  }
}
