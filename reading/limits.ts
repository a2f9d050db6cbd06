import type { LinkLimits } from './links.ts'

/** The limits of reading a message, and the maximum sizes of the returned values. */
export interface ReadingLimits extends LinkLimits {
  /** Bytes of one header. A longer one ends the reading of the message. */
  headerBytes: number
  /** Fields of one header; further ones are left out. */
  headerFields: number
  /** Encoded words in all headers of one message; further ones are not decoded. */
  encodedWords: number
  /** Parts of one message, and the fields in all of their headers; the reading ends at the first that is one more. */
  parts: number
  partFields: number
  /** Multiparts inside one another; a deeper one becomes an attachment. */
  depth: number
  /** Bytes of all From, To or Cc fields that are searched for addresses. */
  addressBytes: number
  /** Addresses in each of From, To and Cc. */
  addresses: number
  /** UTF-8 bytes of the subject. */
  subjectBytes: number
  /** UTF-8 bytes of a display name, an address, a file name or a content id. */
  nameBytes: number
  /** Characters of HTML that are converted to text if the message has no text part. */
  htmlToTextCharacters: number
  /**
   * Bytes of JSON and attachments that are made of a message: this many, plus `derivedFactor` for
   * each byte of the message. Some charsets take three bytes of UTF-8 for one byte of the message.
   */
  derivedBytes: number
  derivedFactor: number
}
