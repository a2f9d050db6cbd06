import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Domains } from '../../core/access/ports.ts'
import type { Change, ChangeFeed } from '../../core/events/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { MessageStore, StoredEmail } from '../../core/inbox/ports.ts'
import { eventually } from '../support/eventually.ts'
import type { Open, Opened } from './opened.ts'
import { putDomain, sampleDomain, sampleMail, uniqueAddress, uniqueDomain, uniqueHash } from './sample.ts'

interface Ports {
  changeFeed: ChangeFeed
  emails: MessageStore
  domains: Domains
}

/** The obligations of ChangeFeed and of the stores that publish, in core/events/ports.ts. */
export function changeFeedContract(name: string, open: Open<Ports>): void {
  describe(`ChangeFeed: ${name}`, () => {
    let store: Opened<Ports>

    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    /** Subscribes to the changes of one domain. */
    function listen(domain: string) {
      const heard: Change[] = []
      const end = store.changeFeed.subscribe((one) => {
        if ((one.type === 'domain' ? one.name : one.domain) === domain) heard.push(one)
      })
      return { heard, end }
    }

    /**
     * Stores another mail for the domain and waits for its change: every earlier change has been
     * published by then.
     */
    async function settled(domain: string, heard: Change[]): Promise<void> {
      const [marker] = await store.emails.store(sampleMail([uniqueAddress(domain)]))
      const isMarker = (one: Change) => one.type === 'email' && one.email.id === marker!.id
      await eventually(
        'the marker',
        () => heard,
        (changes) => changes.some(isMarker),
      )
      heard.splice(heard.findIndex(isMarker), 1)
    }

    const emailsOf = (heard: Change[]) =>
      heard.flatMap((one): Email[] => (one.type === 'email' ? [one.email] : []))

    test('publishes an email for every recipient, once', async () => {
      const domain = uniqueDomain()
      const { heard, end } = listen(domain)
      const stored = await store.emails.store(
        sampleMail([uniqueAddress(domain), uniqueAddress(domain), uniqueAddress()]),
      )
      await settled(domain, heard)
      end()
      const own = stored.filter(({ address }) => address.endsWith(domain))
      expect(heard).toHaveLength(2)
      expect(heard).toEqual(
        expect.arrayContaining(
          own.map((email) => ({ type: 'email', domain, address: email.address, email })),
        ),
      )
    })

    test('publishes to a new subscriber, however many others have come and gone', async () => {
      const domain = uniqueDomain()
      const { heard: heardBefore, end: endBefore } = listen(domain)
      endBefore()
      endBefore()
      await store.emails.store(sampleMail([uniqueAddress(domain)]))
      const domains: Change[] = []
      const endDomains = store.changeFeed.subscribe(
        (one) => {
          if (one.type === 'domain' && one.name === domain) domains.push(one)
        },
        { mail: false },
      )
      const state = await putDomain(store.domains, sampleDomain({ name: domain }))
      await eventually(
        '1 change of a domain',
        () => domains,
        ({ length }) => length === 1,
      )
      expect(domains).toEqual([{ type: 'domain', name: domain, domain: state }])
      const { heard, end } = listen(domain)
      const [email] = await store.emails.store(sampleMail([uniqueAddress(domain)]))
      await eventually(
        'a change',
        () => heard,
        ({ length }) => length > 0,
      )
      end()
      endDomains()
      expect(heardBefore).toEqual([])
      expect(emailsOf(heard).at(-1)).toEqual(email)
    })

    test('does not repeat changes from before the subscription', async () => {
      const domain = uniqueDomain()
      const { heard, end } = listen(domain)
      const [one, two] = [uniqueAddress(domain), uniqueAddress(domain)]
      const mail = sampleMail([one])
      const [first] = await store.emails.store(mail)
      await Promise.all([store.emails.store(mail), store.emails.store(mail)])
      const both = await store.emails.store({ ...mail, recipients: [one, two] })
      await settled(domain, heard)
      end()
      const second = both.find(({ address }) => address === two)
      expect(emailsOf(heard)).toEqual([first, second])
    })

    test('does not publish an email again when it is read or removed', async () => {
      const domain = uniqueDomain()
      const { heard, end } = listen(domain)
      const address = uniqueAddress(domain)
      const [email] = await store.emails.store(sampleMail([address]))
      await store.emails.markRead(address, email!.id)
      await store.emails.remove(address, email!.id)
      await settled(domain, heard)
      end()
      expect(emailsOf(heard)).toEqual([email])
    })

    test('publishes that an email was read or deleted and that an inbox was cleared, each once', async () => {
      const domain = uniqueDomain()
      const { heard, end } = listen(domain)
      const [address, other] = [uniqueAddress(domain), uniqueAddress(domain)]
      const [one, two] = await Promise.all([
        store.emails.store(sampleMail([address])),
        store.emails.store(sampleMail([other])),
      ])
      await settled(domain, heard)
      heard.length = 0
      const { id } = one[0]!
      for (let n = 0; n < 2; n++) await store.emails.markRead(address, id)
      await store.emails.markRead(uniqueAddress(domain), id)
      for (let n = 0; n < 2; n++) await store.emails.remove(address, id)
      for (let n = 0; n < 2; n++) await store.emails.removeAll(other)
      await store.emails.remove(other, two[0]!.id)
      await settled(domain, heard)
      end()
      expect(heard.filter(({ type }) => type !== 'email')).toEqual([
        { type: 'email-read', domain, address, id },
        { type: 'email-deleted', domain, address, id },
        { type: 'inbox-cleared', domain, address: other },
      ])
    })

    test('publishes only what reads can see', async () => {
      const address = uniqueAddress()
      const seen: Promise<StoredEmail | undefined>[] = []
      const end = store.changeFeed.subscribe((one) => {
        if (one.type !== 'email' || one.email.address !== address) return
        seen.push(store.emails.find(address, one.email.id))
      })
      const mails = Array.from({ length: 30 }, () => sampleMail([address]))
      await Promise.all(mails.map((mail) => store.emails.store(mail)))
      await eventually(
        '30 changes',
        () => seen,
        ({ length }) => length === 30,
      )
      end()
      const found = await Promise.all(seen)
      expect(found.map((stored) => stored?.messageId).sort()).toEqual(
        mails.map(({ messageId: delivery }) => delivery).sort(),
      )
    })

    test('publishes the emails of one address in the order of their ids', async () => {
      const domain = uniqueDomain()
      const { heard, end } = listen(domain)
      const addresses = [uniqueAddress(domain), uniqueAddress(domain)]
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          store.emails.store(sampleMail(n % 3 === 0 ? addresses : [addresses[n % 2]!])),
        ),
      )
      await eventually(
        '40 changes',
        () => heard,
        ({ length }) => length === 40,
      )
      end()
      for (const address of addresses) {
        const ids = emailsOf(heard).flatMap((email) => (email.address === address ? [email.id] : []))
        expect(ids).toEqual(ids.toSorted())
      }
    })

    test('publishes the new state of a domain, and its removal', async () => {
      const { name } = sampleDomain()
      const { heard, end } = listen(name)
      const domain = await putDomain(store.domains, sampleDomain({ name, status: 'pending' }))
      await eventually(
        '1 change',
        () => heard,
        ({ length }) => length === 1,
      )
      const changed = await putDomain(store.domains, sampleDomain({ name, keyHash: uniqueHash() }))
      await eventually(
        '2 changes',
        () => heard,
        ({ length }) => length === 2,
      )
      await store.domains.change(name, changed, undefined)
      await eventually(
        '3 changes',
        () => heard,
        ({ length }) => length === 3,
      )
      end()
      expect(heard).toEqual([
        { type: 'domain', name, domain },
        { type: 'domain', name, domain: changed },
        { type: 'domain', name, domain: undefined },
      ])
    })

    test('publishes to every subscriber until it unsubscribes', async () => {
      const domain = uniqueDomain()
      const [one, two] = [listen(domain), listen(domain)]
      await settled(domain, one.heard)
      await eventually(
        '1 change at the second listener',
        () => two.heard,
        ({ length }) => length === 1,
      )
      one.end()
      one.end()
      await settled(domain, two.heard)
      two.end()
      expect(one.heard).toHaveLength(0)
      expect(two.heard).toHaveLength(1)
    })
  })
}
