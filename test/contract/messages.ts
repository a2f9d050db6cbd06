import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import { type EmailFilter, FILTER_NAMES, HAS_VALUES, matches } from '../../core/inbox/filter.ts'
import type { MessageStore, ReplayBatch } from '../../core/inbox/ports.ts'
import { REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import { isUlid, lastUlidOf, ulidTime } from '../../core/ulid.ts'
import type { Open, Opened } from './opened.ts'
import {
  FIRST_ID,
  HOUR_MS,
  readReplay,
  sampleContent,
  sampleMail,
  unique,
  uniqueAddress,
  uniqueDomain,
} from './sample.ts'

/** The obligations of MessageStore in core/inbox/ports.ts. */
export function emailsContract(name: string, open: Open<{ emails: MessageStore }>): void {
  describe(`MessageStore: ${name}`, () => {
    let store: Opened<{ emails: MessageStore }>
    let emails: MessageStore

    beforeAll(async () => {
      store = await open()
      emails = store.emails
    })
    afterAll(() => store.close())

    /** Stores mails at once, which is faster, and returns their emails in the order of their ids. */
    async function fill(
      address: string,
      count: number,
      summary = (n: number) => sampleContent({ subject: `Mail ${n}` }),
    ): Promise<Email[]> {
      const mails = Array.from({ length: count }, (_, n) => sampleMail([address], { summary: summary(n) }))
      const stored = (await Promise.all(mails.map((mail) => emails.store(mail)))).flat()
      return stored.sort((a, b) => (a.id < b.id ? -1 : 1))
    }

    /** Follows the pages to the last one. */
    async function walk(address: string, limit: number, filter?: EmailFilter): Promise<Email[]> {
      const found: Email[] = []
      let before: string | undefined
      do {
        const page = await emails.page(address, { limit, before, filter })
        expect(page.emails.length).toBeLessThanOrEqual(limit)
        found.push(...page.emails)
        if (page.next !== undefined && before !== undefined) expect(page.next < before).toBe(true)
        before = page.next
      } while (before !== undefined)
      return found
    }

    const idsOf = (list: Email[]) => list.map(({ id }) => id)
    const all = async (address: string) => (await emails.page(address, { limit: 100 })).emails

    test('answers a check', async () => {
      await expect(emails.check()).resolves.toBeUndefined()
    })

    describe('store', () => {
      test('creates an email for each recipient, each with its own id', async () => {
        const recipients = [uniqueAddress(), uniqueAddress(), uniqueAddress()]
        const mail = sampleMail(recipients)
        const before = store.clock()
        const stored = await emails.store(mail)

        expect(stored.map(({ address }) => address).sort()).toEqual([...recipients].sort())
        expect(new Set(idsOf(stored)).size).toBe(3)
        for (const email of stored) {
          expect(isUlid(email.id)).toBe(true)
          expect(ulidTime(email.id)).toBeGreaterThanOrEqual(before - 1000)
          expect(email).toEqual(emailOf(mail.summary, email.address, email.id, mail.retentionMs))
          expect(await emails.find(email.address, email.id)).toEqual({ email, messageId: mail.messageId })
          expect(await all(email.address)).toEqual([email])
        }
      })

      test('keeps every character of the summary', async () => {
        const address = uniqueAddress()
        const text = 'e\u0301 é ß İ 😀 \u0000 \u2028 \' " \\ \r\n\t <b>%_'
        const content = sampleContent({
          from: { name: text, address: null },
          to: [
            { name: text, address: text },
            { name: null, address: null },
          ],
          cc: [{ name: text, address: null }],
          subject: text,
          bodyText: text.repeat(300),
          bodyTextTruncated: true,
          codes: [text, ''],
          links: [],
          attachmentCount: 3,
          size: 41943040,
        })
        const [email] = await emails.store(sampleMail([address], { summary: content }))
        expect((await emails.find(address, email!.id))!.email).toEqual(
          emailOf(content, address, email!.id, 24 * HOUR_MS),
        )
      })

      test('stores the largest summary for 100 recipients', async () => {
        const domain = uniqueDomain()
        const recipients = Array.from({ length: 100 }, () => uniqueAddress(domain))
        const content = sampleContent({
          subject: 's'.repeat(4096),
          bodyText: '\u00e4'.repeat(8192),
          links: Array.from({ length: 50 }, (_, n) => `https://a.example/${n}/${'x'.repeat(2000)}`),
        })
        const stored = await emails.store(sampleMail(recipients, { summary: content }))
        expect(stored).toHaveLength(100)
        const { emails: found } = await readReplay(emails.replay({ domains: [domain] }, FIRST_ID, 100))
        expect(found.map(({ address }) => address).sort()).toEqual(recipients.sort())
        expect(found[99]!.links).toEqual(content.links)
      })

      test('stores a message once, however often it is processed', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const first = await emails.store(mail)
        const second = await emails.store(mail)
        expect(byAddress(second)).toEqual(byAddress(first))
        for (const email of first) expect(await all(email.address)).toEqual([email])
      })

      test('stores a message once when it is processed several times at once', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const results = await Promise.all(Array.from({ length: 8 }, () => emails.store(mail)))
        for (const result of results) expect(byAddress(result)).toEqual(byAddress(results[0]!))
        for (const address of mail.recipients) expect(await all(address)).toHaveLength(1)
      })

      test('completes a message that was stored in part', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        const mail = sampleMail([one])
        const [first] = await emails.store(mail)
        const both = await emails.store({ ...mail, recipients: [one, two] })
        expect(both.map(({ address }) => address).sort()).toEqual([one, two].sort())
        expect(both.find(({ address }) => address === one)).toEqual(first)
        expect(await all(one)).toEqual([first])
        expect(await all(two)).toHaveLength(1)
      })

      test('returns all emails of a message, also if it comes again for fewer recipients', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const stored = await emails.store(mail)
        const again = await emails.store({ ...mail, recipients: mail.recipients.slice(0, 1) })
        expect(byAddress(again)).toEqual(byAddress(stored))
      })

      test('leaves a removed copy removed', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        const mail = sampleMail([one, two])
        const stored = await emails.store(mail)
        const removed = stored.find(({ address }) => address === one)!
        await emails.remove(one, removed.id)
        await emails.store(mail)
        expect(await all(one)).toEqual([])
        expect(await emails.find(one, removed.id)).toBeUndefined()
        expect(await all(two)).toHaveLength(1)

        await emails.removeAll(two)
        await emails.store(mail)
        expect(await all(one)).toEqual([])
        expect(await all(two)).toEqual([])
      })

      test('completes a message of which a copy was removed', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        const mail = sampleMail([one])
        const [first] = await emails.store(mail)
        await emails.remove(one, first!.id)
        await emails.store({ ...mail, recipients: [one, two] })
        expect(await all(one)).toEqual([])
        const [copy] = await all(two)
        expect(copy).toEqual(emailOf(mail.summary, two, copy!.id, mail.retentionMs))
      })

      test('keeps the read mark of an email', async () => {
        const address = uniqueAddress()
        const mail = sampleMail([address])
        const [email] = await emails.store(mail)
        await emails.markRead(address, email!.id)
        expect(await emails.store(mail)).toEqual([{ ...email, read: true }])
      })

      test('creates growing ids', async () => {
        const address = uniqueAddress()
        const ids: string[] = []
        for (let n = 0; n < 20; n++) ids.push(...idsOf(await emails.store(sampleMail([address]))))
        expect(ids).toEqual([...ids].sort())
        expect(new Set(ids).size).toBe(20)
      })

      test('shows every email to a reader that asks for greater ids', async () => {
        const address = uniqueAddress()
        const seen: string[] = []
        let storing = true
        const follow = async () => {
          for (let last = false; ; last = !storing) {
            const replay = emails.replay({ addresses: [address] }, seen.at(-1) ?? FIRST_ID, 1000)
            const { emails: found } = await readReplay(replay)
            seen.push(...idsOf(found))
            if (last) return
            // A store that answers at once would leave no time for storing.
            await new Promise((resolve) => setImmediate(resolve))
          }
        }
        const following = follow()
        const stored = await Promise.all(
          Array.from({ length: 10 }, async () => {
            const own: Email[] = []
            for (let n = 0; n < 5; n++) own.push(...(await emails.store(sampleMail([address]))))
            return own
          }),
        )
        storing = false
        await following
        expect(seen).toEqual(idsOf(stored.flat()).sort())
      })
    })

    describe('barrier', () => {
      test('makes the current id a lower bound of all later ids', async () => {
        const domain = uniqueDomain()
        const [address, other] = [uniqueAddress(domain), uniqueAddress(domain)]
        for (const scope of [
          { addresses: [address] },
          { domains: [domain, uniqueDomain()] },
          { domains: [] },
        ]) {
          const now = lastUlidOf(store.clock() - 1)
          await emails.barrier(scope, now)
          for (const { id } of await emails.store(sampleMail([address, other]))) expect(id > now).toBe(true)
        }
        expect(await all(address)).toHaveLength(3)
      })
    })

    describe('find', () => {
      test('finds nothing under an unknown id or address', async () => {
        const [email] = await fill(uniqueAddress(), 1)
        expect(await emails.find(email!.address, FIRST_ID)).toBeUndefined()
        expect(await emails.find(uniqueAddress(), email!.id)).toBeUndefined()
      })
    })

    describe('page', () => {
      test('is empty for an address without mail', async () => {
        expect(await emails.page(uniqueAddress(), { limit: 10 })).toMatchObject({
          emails: [],
          next: undefined,
        })
      })

      test('goes from page to page, newest first, without a gap and without repeats', async () => {
        const address = uniqueAddress()
        const newest = (await fill(address, 23)).reverse()
        for (const limit of [1, 5, 22, 23, 24, 100]) expect(await walk(address, limit)).toEqual(newest)
      })

      test('has no next page when it holds the rest', async () => {
        const address = uniqueAddress()
        await fill(address, 6)
        const page = await emails.page(address, { limit: 3 })
        expect(page.next).toBe(page.emails.at(-1)!.id)
        expect((await emails.page(address, { limit: 3, before: page.next })).next).toBeUndefined()
        expect((await emails.page(address, { limit: 6 })).next).toBeUndefined()
      })

      test('has only ids between the given ones', async () => {
        const address = uniqueAddress()
        const ids = idsOf(await fill(address, 9))
        const page = async (range: { before?: string; after?: string }) =>
          idsOf((await emails.page(address, { limit: 100, ...range })).emails).reverse()
        expect(await page({ before: ids[4] })).toEqual(ids.slice(0, 4))
        expect(await page({ after: ids[4] })).toEqual(ids.slice(5))
        expect(await page({ after: ids[2], before: ids[6] })).toEqual(ids.slice(3, 6))
        expect(await page({ after: ids[8] })).toEqual([])
        expect(await page({ before: ids[0] })).toEqual([])
        expect(await page({ after: ids[3], before: ids[4] })).toEqual([])
        expect(await page({ after: ids[4], before: ids[4] })).toEqual([])
      })

      test('stops at the lower bound', async () => {
        const address = uniqueAddress()
        const ids = idsOf(await fill(address, 6))
        const first = await emails.page(address, { limit: 2, after: ids[1] })
        expect(idsOf(first.emails)).toEqual([ids[5], ids[4]])
        const second = await emails.page(address, { limit: 2, after: ids[1], before: first.next })
        expect(idsOf(second.emails)).toEqual([ids[3], ids[2]])
        expect(second.next).toBeUndefined()
      })

      test('has only the emails of the address', async () => {
        const domain = uniqueDomain()
        const tag = unique()
        const addresses = [`${tag}@${domain}`, `${tag}+1@${domain}`, `${tag}@sub.${domain}`]
        for (const address of addresses) await fill(address, 2)
        for (const address of addresses) {
          const found = await all(address)
          expect(found.map((email) => email.address)).toEqual([address, address])
        }
      })

      test('filters by substrings of the sender and of the subject, ignoring case', async () => {
        const address = uniqueAddress()
        const put = async (from: string | null, at: string | null, subject: string) => {
          const content = sampleContent({ from: { name: from, address: at }, subject })
          const [email] = await emails.store(sampleMail([address], { summary: content }))
          return email!.id
        }
        const plain = await put('Ann Lee', 'ann@shop.example', 'Your Code: 100% _sure_')
        const umlaut = await put('ÄRGER', 'noreply@bank.example', 'Grüße, it\'s "here" \\ *')
        const bare = await put(null, null, '')

        const found = async (filter: EmailFilter) => idsOf(await walk(address, 100, filter)).reverse()
        expect(await found({})).toEqual([plain, umlaut, bare])
        expect(await found({ from: 'ann lee' })).toEqual([plain])
        expect(await found({ from: 'SHOP.EXAMPLE' })).toEqual([plain])
        expect(await found({ from: 'ärger' })).toEqual([umlaut])
        expect(await found({ from: 'A\u0308rger' })).toEqual([umlaut])
        expect(await found({ from: 'example' })).toEqual([plain, umlaut])
        expect(await found({ subject: 'your code' })).toEqual([plain])
        expect(await found({ subject: 'GRÜSSE' })).toEqual([])
        expect(await found({ subject: 'GRÜßE' })).toEqual([umlaut])
        expect(await found({ subject: 'gru\u0308ße' })).toEqual([umlaut])
        expect(await found({ subject: '%' })).toEqual([plain])
        expect(await found({ subject: '_' })).toEqual([plain])
        expect(await found({ subject: '*' })).toEqual([umlaut])
        expect(await found({ subject: '"' })).toEqual([umlaut])
        expect(await found({ subject: "'" })).toEqual([umlaut])
        expect(await found({ subject: '\\' })).toEqual([umlaut])
        expect(await found({ from: 'ann', subject: 'code' })).toEqual([plain])
        expect(await found({ from: 'ann', subject: 'here' })).toEqual([])
        expect(await found({ from: 'shop', subject: 'shop' })).toEqual([])
        expect(await found({ from: '', subject: '', q: '' })).toEqual([plain, umlaut, bare])
      })

      test('filters by a substring of sender, subject, text or codes, ignoring case', async () => {
        const address = uniqueAddress()
        const blank = { from: { name: null, address: null }, subject: '', bodyText: '', codes: [] }
        const stored: Email[] = []
        for (const change of [
          { from: { name: 'Zoë Ärmel', address: 'Zoe@Shop.example' } },
          { subject: 'Grüße an ALLE' },
          { bodyText: 'erste Zeile\nÖl "und" \\ Essig' },
          { codes: ['AB-12cd'] },
        ]) {
          const content = sampleContent({ ...blank, ...change })
          stored.push(...(await emails.store(sampleMail([address], { summary: content }))))
        }
        const found = async (q: string) => {
          const ids = idsOf(await walk(address, 100, { q }))
          return ids.map((id) => stored.findIndex((email) => email.id === id))
        }
        expect(await found('zoË ä')).toEqual([0])
        expect(await found('SHOP.EX')).toEqual([0])
        expect(await found('grüSSe')).toEqual([])
        expect(await found('GRÜßE')).toEqual([1])
        expect(await found('zeile\nöl')).toEqual([2])
        expect(await found('"UND" \\ e')).toEqual([2])
        expect(await found('b-12CD')).toEqual([3])
        expect(await found('%')).toEqual([])
        expect(await found('bodyText')).toEqual([])
        expect(await found('e')).toEqual([2, 1, 0])
        expect(await walk(address, 100, { q: 'e', subject: 'alle' })).toHaveLength(1)
      })

      test('filters by what the email has', async () => {
        const address = uniqueAddress()
        const nothing = { codes: [], links: [], actionLink: null, attachmentCount: 0 }
        const put = async (change: object) => {
          const content = sampleContent({ ...nothing, ...change })
          const [email] = await emails.store(sampleMail([address], { summary: content }))
          return email!.id
        }
        const code = await put({ codes: ['1234'] })
        const link = await put({ links: ['https://a.example/'] })
        const actionLink = { url: 'https://a.example/1', text: 'Join', kind: 'invite' }
        const action = await put({ links: ['https://a.example/1'], actionLink: actionLink })
        const attachment = await put({ attachmentCount: 2 })
        const none = await put({ subject: 'none' })
        const both = await put({ codes: ['1'], attachmentCount: 1 })

        const found = async (filter: EmailFilter) => idsOf(await walk(address, 100, filter)).reverse()
        expect(await found({ has: 'code' })).toEqual([code, both])
        expect(await found({ has: 'link' })).toEqual([link, action])
        expect(await found({ has: 'action_link' })).toEqual([action])
        expect(await found({ has: 'attachment' })).toEqual([attachment, both])
        expect(await found({ subject: 'none' })).toEqual([none])
        expect(await found({ has: 'code', subject: 'none' })).toEqual([])
      })

      test.each(FILTER_NAMES)('finds by %s the emails that match', async (name) => {
        const address = uniqueAddress()
        const person = (person: string) => ({ name: person, address: `${person}@here.test` })
        const contents = [
          sampleContent({ cc: [person('Cecil')], attachmentCount: 1, actionLink: null }),
          sampleContent({ to: [person('Theo'), person('Tia')], subject: 'Reçu n° 7', codes: [] }),
          sampleContent({
            from: person('Zoë'),
            codes: ['AB-12'],
            links: [],
            actionLink: null,
            bodyText: 'Ciao',
          }),
        ]
        const stored: Email[] = []
        for (const summary of contents) {
          stored.push(...(await emails.store(sampleMail([address], { summary }))))
        }
        const values = name === 'has' ? HAS_VALUES : new Set(stringsIn(stored))
        for (const value of values) {
          const filter = { [name]: value }
          const expected = stored.filter((email) => matches(email, filter))
          expect([value, (await walk(address, 100, filter)).reverse()]).toEqual([value, expected])
        }
      })

      test('finds a recipient by a spelling that is not the stored one', async () => {
        const address = uniqueAddress(`xn--bcher-kva.${uniqueDomain()}`)
        const stored = await fill(address, 2)
        for (const to of [address.replace('xn--bcher-kva', 'Bücher'), address.replace(/^[^@]+/, '"$&"')])
          expect([to, await walk(address, 100, { to })]).toEqual([to, stored.toReversed()])
        expect(await walk(address, 100, { to: address.replace('xn--bcher-kva', 'büche') })).toEqual([])
      })

      test('finds the few among many that match a filter', async () => {
        const address = uniqueAddress()
        const stored = await fill(address, 120, (n) =>
          sampleContent({ subject: n % 40 === 7 ? 'the rare one' : 'another' }),
        )
        const rare = stored.filter(({ subject }) => subject === 'the rare one').reverse()
        expect(rare).toHaveLength(3)
        for (const limit of [1, 2, 3, 100])
          expect(await walk(address, limit, { subject: 'RARE' })).toEqual(rare)
        expect(await walk(address, 50, { subject: 'nowhere' })).toEqual([])
      })
    })

    describe('replay', () => {
      test('returns newer emails, oldest first', async () => {
        const address = uniqueAddress()
        const stored = await fill(address, 7)
        const replay = (after: string, limit: number) =>
          readReplay(emails.replay({ addresses: [address] }, after, limit))
        expect(await replay(FIRST_ID, 100)).toEqual({ emails: stored })
        expect(await replay(stored[2]!.id, 100)).toEqual({ emails: stored.slice(3) })
        expect(await replay(stored[6]!.id, 100)).toEqual({ emails: [] })
      })

      test('omits the oldest emails beyond the limit', async () => {
        const address = uniqueAddress()
        const stored = await fill(address, 7)
        const replay = (after: string, limit: number) =>
          readReplay(emails.replay({ addresses: [address] }, after, limit))
        expect(await replay(FIRST_ID, 7)).toEqual({ emails: stored })
        expect(await replay(FIRST_ID, 6)).toEqual({ missedBefore: stored[1]!.id, emails: stored.slice(1) })
        expect(await replay(stored[0]!.id, 6)).toEqual({ emails: stored.slice(1) })
        expect(await replay(stored[0]!.id, 2)).toEqual({
          missedBefore: stored[5]!.id,
          emails: stored.slice(5),
        })
      })

      test('returns the emails of several domains in the order of their ids', async () => {
        const domains = [uniqueDomain(), uniqueDomain(), uniqueDomain()]
        const stored: Email[] = []
        for (let n = 0; n < 12; n++) {
          const address = uniqueAddress(domains[[0, 1, 1, 2][n % 4]!])
          stored.push(...(await fill(address, 1)))
        }
        await fill(uniqueAddress(), 1)
        await fill(uniqueAddress(`sub.${domains[0]}`), 1)
        stored.sort((a, b) => (a.id < b.id ? -1 : 1))

        const replay = (after: string, limit: number, of = domains) =>
          readReplay(emails.replay({ domains: of }, after, limit))
        expect(await replay(FIRST_ID, 100)).toEqual({ emails: stored })
        expect(await replay(FIRST_ID, 12)).toEqual({ emails: stored })
        for (const limit of [1, 4, 11]) {
          expect(await replay(FIRST_ID, limit)).toEqual({
            missedBefore: stored.at(-limit)!.id,
            emails: stored.slice(-limit),
          })
        }
        expect(await replay(stored[4]!.id, 100)).toEqual({ emails: stored.slice(5) })
        expect(await replay(stored[4]!.id, 3)).toEqual({
          missedBefore: stored.at(-3)!.id,
          emails: stored.slice(-3),
        })
        expect(await replay(FIRST_ID, 100, [domains[1]!])).toEqual({
          emails: stored.filter(({ address }) => address.endsWith(`@${domains[1]}`)),
        })
        expect(await replay(FIRST_ID, 100, [])).toEqual({ emails: [] })
        expect(await replay(FIRST_ID, 100, [uniqueDomain()])).toEqual({ emails: [] })
      })

      test('of several addresses is in the order of the ids, with one limit for all', async () => {
        const addresses = [uniqueAddress(), uniqueAddress(), uniqueAddress()]
        const stored: Email[] = []
        for (let n = 0; n < 9; n++) stored.push(...(await fill(addresses[n % 3]!, 1)))
        const ids = async (after: string, limit: number, of = addresses) => {
          const { emails: found, missedBefore } = await readReplay(
            emails.replay({ addresses: of }, after, limit),
          )
          return { ids: found.map(({ id }) => id), missedBefore }
        }
        const all = stored.map(({ id }) => id)
        expect(await ids(FIRST_ID, 100)).toEqual({ ids: all, missedBefore: undefined })
        expect(await ids(FIRST_ID, 4)).toEqual({ ids: all.slice(5), missedBefore: all[5] })
        const two = stored.filter(({ address }) => address !== addresses[2]).map(({ id }) => id)
        expect((await ids(FIRST_ID, 100, addresses.slice(0, 2))).ids).toEqual(two)
        // Everything after the id, and possibly some of the minute before it.
        expect((await ids(all[3]!, 100)).ids).toEqual(expect.arrayContaining(all.slice(4)))
        expect(await ids(FIRST_ID, 100, [])).toEqual({ ids: [], missedBefore: undefined })
      })

      test('omits removed emails', async () => {
        const domain = uniqueDomain()
        const address = uniqueAddress(domain)
        const [one, two, three] = await fill(address, 3)
        await emails.remove(address, two!.id)
        expect((await readReplay(emails.replay({ addresses: [address] }, FIRST_ID, 2))).emails).toEqual([
          one,
          three,
        ])
        expect(await readReplay(emails.replay({ domains: [domain] }, FIRST_ID, 2))).toEqual({
          emails: [one, three],
        })
      })
    })

    test('a page ends when it has read a megabyte; a replay and a removal do not', async () => {
      const address = uniqueAddress()
      const summary = sampleContent({
        links: Array.from(
          { length: 50 },
          (_, n) => `https://a.example/${n}/${randomBytes(1000).toString('hex')}`,
        ),
      })
      const stored = await fill(address, 30, () => summary)
      const ids: string[] = []
      let pages = 0
      for (let before: string | undefined; ; pages++) {
        const page = await emails.page(address, { limit: 100, before })
        expect(page.emails.length).toBeLessThan(30)
        expect(page.bytes).toBeGreaterThan(0)
        ids.push(...page.emails.map(({ id }) => id))
        if (page.next === undefined) break
        before = page.next
      }
      expect(pages).toBeGreaterThan(0)
      expect(ids).toEqual(stored.map(({ id }) => id).reverse())

      const replay = (limit: number) => readReplay(emails.replay({ addresses: [address] }, FIRST_ID, limit))
      expect(idsOf((await replay(100)).emails)).toEqual(idsOf(stored))
      expect((await replay(29)).missedBefore).toBe(stored[1]!.id)
      expect(await emails.removeAll(address)).toMatchObject({ removed: 30 })
      expect(await all(address)).toEqual([])
    })

    describe('replay in batches', () => {
      const read = async (replay: AsyncIterable<ReplayBatch>) => {
        const batches: ReplayBatch[] = []
        for await (const batch of replay) batches.push(batch)
        return batches
      }

      test('bounds each batch by count and by bytes, and loses nothing', async () => {
        const domain = uniqueDomain()
        const address = uniqueAddress(domain)
        const small = await fill(address, REPLAY_BATCH + 5)
        const large: Email[] = []
        for (const bodyText of ['x'.repeat(16 * 1024), '字'.repeat(5 * 1024)])
          large.push(...(await fill(address, 40, () => sampleContent({ bodyText }))))
        for (const scope of [{ addresses: [address] }, { domains: [domain] }]) {
          const batches = await read(emails.replay(scope, FIRST_ID, 1000))
          expect(batches.flatMap((batch) => batch.emails)).toEqual([...small, ...large])
          for (const { emails: batch } of batches) {
            expect(batch.length).toBeLessThanOrEqual(REPLAY_BATCH)
            const bytes = batch.reduce((sum, { bodyText }) => sum + Buffer.byteLength(bodyText), 0)
            expect(bytes).toBeLessThanOrEqual(REPLAY_BATCH_BYTES)
          }
        }
      })

      test('reports omitted emails in the first batch only', async () => {
        const address = uniqueAddress()
        const stored = await fill(address, REPLAY_BATCH + 3)
        const batches = await read(emails.replay({ addresses: [address] }, FIRST_ID, REPLAY_BATCH + 1))
        expect(batches.map(({ missedBefore }) => missedBefore)).toEqual([stored[2]!.id, undefined])
      })

      test('omits emails that were removed since the last batch', async () => {
        for (const isOfDomain of [false, true]) {
          const domain = uniqueDomain()
          const address = uniqueAddress(domain)
          const scope = isOfDomain ? { domains: [domain] } : { addresses: [address] }
          const stored = await fill(address, REPLAY_BATCH + 3)
          const batches = emails.replay(scope, FIRST_ID, 1000)[Symbol.asyncIterator]()
          expect((await batches.next()).value.emails).toEqual(stored.slice(0, REPLAY_BATCH))
          await emails.remove(address, stored.at(-2)!.id)
          expect((await batches.next()).value.emails).toEqual([stored.at(-3), stored.at(-1)])
          expect((await batches.next()).done).toBe(true)
        }
      })

      test('ends where all that is left was removed', async () => {
        const address = uniqueAddress()
        const stored = await fill(address, REPLAY_BATCH + 3)
        const batches = emails.replay({ addresses: [address] }, FIRST_ID, 1000)[Symbol.asyncIterator]()
        expect((await batches.next()).value.emails).toHaveLength(REPLAY_BATCH)
        for (const { id } of stored.slice(-3)) await emails.remove(address, id)
        expect((await batches.next()).done).toBe(true)
      })

      test('can be stopped at any time', async () => {
        const address = uniqueAddress()
        await fill(address, 3)
        const unread = emails.replay({ addresses: [address] }, FIRST_ID, 10)[Symbol.asyncIterator]()
        expect(await unread.return?.()).toMatchObject({ done: true })
        expect((await unread.next()).done).toBe(true)
        for await (const _ of emails.replay({ addresses: [address] }, FIRST_ID, 10)) break
        expect((await read(emails.replay({ addresses: [address] }, FIRST_ID, 10)))[0]!.emails).toHaveLength(3)
      })
    })

    describe('markRead', () => {
      test('marks one copy, and is idempotent', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        const mail = sampleMail([one, two])
        const stored = await emails.store(mail)
        const [first, second] = [one, two].map((own) => stored.find(({ address }) => address === own)!)
        const read = { email: { ...first, read: true }, messageId: mail.messageId }

        expect(await emails.markRead(one, first!.id)).toEqual(read)
        expect(await emails.markRead(one, first!.id)).toEqual(read)
        expect(await emails.find(one, first!.id)).toEqual(read)
        expect(await all(one)).toEqual([read.email])
        expect((await readReplay(emails.replay({ addresses: [one] }, FIRST_ID, 10))).emails).toEqual([
          read.email,
        ])
        expect(await all(two)).toEqual([second])
      })

      test('finds nothing under an unknown id or address, or after the removal', async () => {
        const [email] = await fill(uniqueAddress(), 1)
        expect(await emails.markRead(email!.address, FIRST_ID)).toBeUndefined()
        expect(await emails.markRead(uniqueAddress(), email!.id)).toBeUndefined()
        await emails.remove(email!.address, email!.id)
        expect(await emails.markRead(email!.address, email!.id)).toBeUndefined()
        expect(await emails.find(email!.address, email!.id)).toBeUndefined()
      })
    })

    describe('remove', () => {
      test('removes one email for every method', async () => {
        const address = uniqueAddress()
        const [one, two, three] = await fill(address, 3)
        const { messageId } = (await emails.find(address, two!.id))!
        expect(await emails.remove(address, two!.id)).toEqual({ messageId, last: true })
        expect(await emails.find(address, two!.id)).toBeUndefined()
        expect(await all(address)).toEqual([three, one])
        expect(await emails.remove(address, two!.id)).toBeUndefined()
      })

      test('finds nothing under an unknown id or address', async () => {
        const [email] = await fill(uniqueAddress(), 1)
        expect(await emails.remove(email!.address, FIRST_ID)).toBeUndefined()
        expect(await emails.remove(uniqueAddress(), email!.id)).toBeUndefined()
        expect(await all(email!.address)).toEqual([email])
      })

      test('reports which removal was that of the last copy', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress(), uniqueAddress()])
        const last: unknown[] = []
        for (const { address, id } of await emails.store(mail)) last.push(await emails.remove(address, id))
        expect(last).toEqual([false, false, true].map((last) => ({ messageId: mail.messageId, last })))
      })

      test('reports it once when all copies are removed at once, several times each', async () => {
        const mail = sampleMail(Array.from({ length: 12 }, () => uniqueAddress()))
        const stored = await emails.store(mail)
        const results = await Promise.all(
          [...stored, ...stored, ...stored].map(({ address, id }) => emails.remove(address, id)),
        )
        const removals = results.filter((result) => result !== undefined)
        expect(removals).toHaveLength(12)
        expect(removals.filter(({ last }) => last)).toHaveLength(1)
      })

      test('reports it when the message was processed again meanwhile', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const [one, two] = await emails.store(mail)
        expect((await emails.remove(one!.address, one!.id))?.last).toBe(false)
        await emails.store(mail)
        expect((await emails.remove(two!.address, two!.id))?.last).toBe(true)
      })
    })

    describe('removeAll', () => {
      test('removes nothing if there is nothing', async () => {
        expect(await emails.removeAll(uniqueAddress())).toEqual({ removed: 0, orphans: [] })
      })

      test('removes everything of one address, and names the messages without any copy left', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        const alone = [sampleMail([one]), sampleMail([one])]
        const shared = sampleMail([one, two])
        for (const mail of [...alone, shared]) await emails.store(mail)

        const { removed, orphans } = await emails.removeAll(one)
        expect(removed).toBe(3)
        expect(orphans.sort()).toEqual(alone.map(({ messageId }) => messageId).sort())
        expect(await all(one)).toEqual([])
        expect(await all(two)).toHaveLength(1)
        expect(await emails.removeAll(one)).toEqual({ removed: 0, orphans: [] })
        expect(await emails.removeAll(two)).toEqual({ removed: 1, orphans: [shared.messageId] })
      })

      test('names an orphan to one of several concurrent removals', async () => {
        const mail = sampleMail(Array.from({ length: 6 }, () => uniqueAddress()))
        const stored = await emails.store(mail)
        const [all, single] = await Promise.all([
          Promise.all(mail.recipients.map((address) => emails.removeAll(address))),
          Promise.all(stored.map(({ address, id }) => emails.remove(address, id))),
        ])
        const removed = all.reduce((sum, result) => sum + result.removed, 0)
        const removals = single.filter((result) => result !== undefined)
        expect(removed + removals.length).toBe(6)
        const orphans = all.flatMap((result) => result.orphans).length
        expect(orphans + removals.filter(({ last }) => last).length).toBe(1)
      })
    })

    describe('an email that has expired', () => {
      test('exists until then', async () => {
        const address = uniqueAddress()
        const [email] = await emails.store(sampleMail([address], { retentionMs: 3 * HOUR_MS }))
        store.advance(2 * HOUR_MS)
        expect(await all(address)).toEqual([email])
        store.advance(HOUR_MS)
        expect(await all(address)).toEqual([])
      })

      test('does not keep the bytes of a message: removing the only copy that has not expired removes the last one', async () => {
        const mail = sampleMail([uniqueAddress()], { retentionMs: 2 * HOUR_MS })
        const [first, second, third] = [mail.recipients[0]!, uniqueAddress(), uniqueAddress()]
        await emails.store(mail)
        store.advance(HOUR_MS)
        // Processed again, with recipients that it did not have.
        const stored = await emails.store({ ...mail, recipients: [first, second, third] })
        const idOf = (address: string) => stored.find((email) => email.address === address)!.id
        const removed = (address: string) => emails.remove(address, idOf(address))
        expect(await removed(second)).toEqual({ messageId: mail.messageId, last: false })
        store.advance(HOUR_MS)
        expect(await removed(first)).toBeUndefined()
        expect(await removed(third)).toEqual({ messageId: mail.messageId, last: true })
      })

      test('keeps the bytes while it exists', async () => {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()], { retentionMs: HOUR_MS })
        const [first, second] = await emails.store(mail)
        store.advance(HOUR_MS - 60_000)
        expect(await emails.remove(second!.address, second!.id)).toMatchObject({ last: false })
        expect(await emails.remove(first!.address, first!.id)).toMatchObject({ last: true })
      })

      test('does not exist for any method', async () => {
        const domain = uniqueDomain()
        const address = uniqueAddress(domain)
        const [read] = await emails.store(sampleMail([address], { retentionMs: HOUR_MS }))
        const [unread] = await emails.store(sampleMail([address], { retentionMs: HOUR_MS }))
        const [kept] = await emails.store(sampleMail([address], { retentionMs: 2 * HOUR_MS }))
        await emails.markRead(address, read!.id)
        store.advance(HOUR_MS)

        for (const { id } of [read!, unread!]) {
          expect(await emails.find(address, id)).toBeUndefined()
          expect(await emails.markRead(address, id)).toBeUndefined()
          expect(await emails.remove(address, id)).toBeUndefined()
        }
        expect(await emails.page(address, { limit: 10 })).toMatchObject({ emails: [kept], next: undefined })
        expect(await emails.page(address, { limit: 1 })).toMatchObject({ emails: [kept], next: undefined })
        expect(await walk(address, 10, { subject: 'code' })).toEqual([kept])
        for (const scope of [{ addresses: [address] }, { domains: [domain] }]) {
          expect(await readReplay(emails.replay(scope, FIRST_ID, 1))).toEqual({ emails: [kept] })
        }
        expect((await emails.removeAll(address)).removed).toBe(1)
        expect((await emails.removeAll(address)).removed).toBe(0)
      })
    })

    test('returns objects that belong to the caller', async () => {
      const address = uniqueAddress()
      const mail = sampleMail([address])
      const original = structuredClone(mail)
      const spoil = (email: Email) => {
        email.subject = 'spoilt'
        email.read = true
        email.codes.push('spoilt')
        email.from.name = 'spoilt'
        email.to.length = 0
      }
      const [stored] = await emails.store(mail)
      const { id } = stored!
      const expected = emailOf(original.summary, address, id, original.retentionMs)
      spoil(stored!)
      spoil((await emails.find(address, id))!.email)
      spoil((await emails.page(address, { limit: 1 })).emails[0]!)
      spoil((await readReplay(emails.replay({ addresses: [address] }, FIRST_ID, 1))).emails[0]!)
      expect((await emails.find(address, id))!.email).toEqual(expected)
      spoil((await emails.markRead(address, id))!.email)
      expect((await emails.find(address, id))!.email).toEqual({ ...expected, read: true })
    })

    describe('purging a domain', () => {
      const later = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'

      test('removes its mail up to an id, in batches, and names the messages without any copy left', async () => {
        const domain = uniqueDomain()
        const address = uniqueAddress(domain)
        const shared = sampleMail([address, uniqueAddress()])
        const [first] = (await emails.store(shared)).filter((email) => email.address === address)
        const own = sampleMail([address])
        const [second] = await emails.store(own)
        const [third] = await emails.store(sampleMail([address]))

        expect(await emails.purge(domain, first!.id, 10)).toMatchObject({ removed: 1, orphans: [] })
        expect(idsOf(await all(address))).toEqual([third!.id, second!.id])
        expect(await emails.find(address, first!.id)).toBeUndefined()
        expect(await emails.purge(domain, second!.id, 1)).toEqual({ removed: 1, orphans: [own.messageId] })
        expect(await emails.purge(domain, second!.id, 10)).toEqual({ removed: 0, orphans: [] })
        expect(idsOf(await all(address))).toEqual([third!.id])
        expect(await all(shared.recipients[1]!)).toHaveLength(1)
      })

      test('removes the oldest mail of all addresses first, at most as much as a batch has', async () => {
        const domain = uniqueDomain()
        const stored: Email[] = []
        for (let n = 0; n < 6; n++) stored.push(...(await emails.store(sampleMail([uniqueAddress(domain)]))))
        const left = async () => {
          const found = await Promise.all(stored.map(({ address, id }) => emails.find(address, id)))
          return found.flatMap((one) => (one === undefined ? [] : [one.email.id]))
        }
        expect((await emails.purge(domain, later, 2)).removed).toBe(2)
        expect(await left()).toEqual(stored.slice(2).map(({ id }) => id))
        expect((await emails.purge(domain, later, 10)).removed).toBe(4)
        expect(await left()).toEqual([])
      })

      test('removes expired mail too, and nothing up to an empty id', async () => {
        const domain = uniqueDomain()
        const mail = sampleMail([uniqueAddress(domain)], { retentionMs: HOUR_MS })
        await emails.store(mail)
        store.advance(HOUR_MS)
        expect(await emails.purge(domain, '', 10)).toEqual({ removed: 0, orphans: [] })
        expect(await emails.purge(domain, later, 10)).toEqual({ removed: 1, orphans: [mail.messageId] })
        expect(await emails.purge(domain, later, 10)).toEqual({ removed: 0, orphans: [] })
      })

      test('does not touch other domains', async () => {
        const [one, two] = [uniqueAddress(), uniqueAddress()]
        await emails.store(sampleMail([one, two]))
        await emails.purge(one.slice(one.indexOf('@') + 1), later, 10)
        expect(await all(one)).toEqual([])
        expect(await all(two)).toHaveLength(1)
      })
    })

    test('removes only emails that are newer than an id', async () => {
      const address = uniqueAddress()
      const [first, second] = await fill(address, 3)
      expect((await emails.removeAll(address, second!.id)).removed).toBe(1)
      expect(idsOf(await all(address))).toEqual([second!.id, first!.id])
    })
  })
}

/** Every text in a value, and in its members. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function byAddress(emails: Email[]): Email[] {
  return emails.toSorted((a, b) => (a.address < b.address ? -1 : 1))
}
