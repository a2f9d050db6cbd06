import { PLAIN } from '../shape.ts'
import type { Run, Work } from './measure.ts'
import type { Target } from './target.ts'

const LINE = 'Thank you for shopping with us, we are glad that you are here.\r\n'
const plainText = (bytes: number): string => LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes)

/** Below it, plain text of this size is the measure. */
const LEAST_PLAIN = 4_000

const SIZES = [1_000, 2_000, 4_000, 8_000, 60_000, 250_000]
/** A provider's request may be large. */
const LARGE = [4_000, 60_000, 250_000]
const MOST = 12
/**
 * A page may block for 500 ms (docs/contract.md), and examines at most 1 MB of tags. Reading 1 MB of plain text takes
 * about 5 ms, and opening a mail calls up to five of these functions, so that each has 100 ms.
 */
const PAGE_MOST = 20
const PAGE_SIZES = [250_000, 1_000_000]

const asPlain = (text: string) => PLAIN + text
const asHtml = (text: string) => `Content-Type: text/html; charset=utf-8\r\n\r\n${text}`
const half = (text: string) => text.slice(0, text.length / 2)
/** Both parts are searched if they differ. */
const asBoth = (text: string) =>
  `Content-Type: multipart/alternative; boundary=xyz\r\n\r\n--xyz\r\n${PLAIN}${half(text)}\r\n--xyz\r\n${asHtml(`a ${half(text)}`)}`
/** The words of one text are compared with those of the other. */
const asMixed = (text: string) => asBoth(text).replace('multipart/alternative', 'multipart/mixed')

async function readingRun(): Promise<Run> {
  const { readMail } = await import('../../reading/read-mail.ts')
  return (text) =>
    readMail(Buffer.from(text), async (_id, content) => {
      for await (const _ of content);
    })
}

/** The work with ordinary text of this size that a target is compared with. */
export async function ordinaryWork({ run, plain }: Target, size: number): Promise<Work> {
  const text = plainText(Math.max(size, LEAST_PLAIN))
  return plain ? { run, text: plain(text) } : { run: await readingRun(), text: asPlain(text) }
}

const reading = (frames: Target['frames']) => async (): Promise<Target> => ({
  frames,
  run: await readingRun(),
  most: MOST,
  sizes: SIZES,
})

/** The page keeps its last result, so each run has another text. */
const page = (load: () => Promise<(text: string) => unknown>) => async (): Promise<Target> => ({
  frames: [(text) => text],
  run: differently(await load()),
  most: PAGE_MOST,
  sizes: PAGE_SIZES,
})

function differently(run: (text: string) => unknown): Run {
  let count = 0
  return (text) => run(`${text}${++count}`)
}

export const TARGETS: Record<string, () => Promise<Target>> = {
  codes: reading([asPlain, (text) => `Subject: Your code\r\n${asPlain(text)}`, asHtml, asBoth]),
  links: reading([
    asHtml,
    asPlain,
    (text) => `Subject: Confirm your e-mail address\r\n${asHtml(text)}`,
    (text) => `Subject: Confirm your e-mail address\r\n${asPlain(text)}`,
    (text) => `Subject: Confirm your e-mail address\r\n${asBoth(text)}`,
  ]),
  message: reading([
    (text) => text,
    (text) => `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n${text}`,
    (text) => `Subject: ${text}\r\n\r\nx`,
    (text) => `From: ${text}\r\nTo: ${text.slice(0, 100)}\r\n\r\nx`,
    (text) => `Content-Transfer-Encoding: quoted-printable\r\n${asHtml(text)}`,
    asMixed,
    (text) => `Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${text}`,
    (text) => `Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n${text}`,
  ]),
  'remote images': page(async () => (await import('../../../web/inbox/remote-images.ts')).namesRemoteImages),
  'dark support': page(async () => (await import('../../../web/inbox/dark-support.ts')).darkSupport),
  linkify: page(async () => (await import('../../../web/inbox/linkify.ts')).linkified),
  'html check': page(async () => (await import('../../../web/html-check/check.ts')).checkHtml),
  'shown html': page(async () => (await import('../../../web/inbox/shown-html.ts')).shownHtml),
  'link texts': page(async () => (await import('../../../web/inbox/link-texts.ts')).linkTexts),
  'send api': async () => {
    const { plainRequest, sendRun, sendFrames } = await import('./send-target.ts')
    return { frames: sendFrames, run: sendRun(), most: MOST, sizes: LARGE, plain: plainRequest }
  },
  'smtp session': async () => {
    const { smtpTarget } = await import('./smtp-target.ts')
    return smtpTarget()
  },
  queries: async () => {
    const { queryTarget } = await import('./query-target.ts')
    return queryTarget()
  },
  dkim: async () => {
    const { dkimTarget } = await import('./dkim-target.ts')
    return dkimTarget()
  },
  addresses: async () => {
    const { canonicalAddress } = await import('../../../core/address.ts')
    const { parseMailboxes } = await import('../../../adapters/send-apis/mailboxes.ts')
    const { faultOf } = await import('../../../core/inbox/faults.ts')
    const quiet = (work: () => unknown) => {
      try {
        return work()
      } catch {
        return undefined
      }
    }
    const run = (text: string) => {
      quiet(() => canonicalAddress(text))
      quiet(() => faultOf(text))
      quiet(() => parseMailboxes(text))
    }
    const plain = (text: string) => 'a@b.example, '.repeat(text.length / 13)
    return { frames: [String], run, most: MOST, sizes: [4_000, 60_000, 120_000], plain }
  },
}
