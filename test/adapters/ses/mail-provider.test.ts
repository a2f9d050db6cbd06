import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SESClient } from '@aws-sdk/client-ses'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { IdentityNotes } from '../../../adapters/dynamodb/identity-notes.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { SesMailProvider } from '../../../adapters/ses/mail-provider.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from '../../aws/emulator.ts'
import { failing } from '../dynamodb/faults.ts'

/** The keys table, as far as the provider needs it: items by key. */
function notes(): IdentityNotes {
  const items = new Map<string, object>()
  const send = async (command: { constructor: { name: string }; input: never }) => {
    const { Key, Item } = command.input as { Key: object; Item: object }
    const key = JSON.stringify(Key ?? Item)
    if (command.constructor.name === 'PutItemCommand') items.set(key, Item)
    if (command.constructor.name === 'DeleteItemCommand') items.delete(key)
    return { Item: items.get(key) }
  }
  return new IdentityNotes(new Table({ send } as unknown as DynamoDBClient, 'keys'))
}

/** SES with the identities that it is given, in the states that the emulator does not know. */
class FakeSes {
  readonly identities = new Map<string, { VerificationStatus: string; VerificationToken: string }>()
  readonly calls: string[] = []

  async send(command: { constructor: { name: string }; input: object }): Promise<object> {
    const { Identities, Domain, Identity } = command.input as {
      Identities?: string[]
      Domain?: string
      Identity?: string
    }
    const name = command.constructor.name.replace('Command', '')
    this.calls.push(name)
    if (name === 'GetIdentityVerificationAttributes') {
      const known = Identities!.filter((identity) => this.identities.has(identity))
      return {
        VerificationAttributes: Object.fromEntries(known.map((id) => [id, this.identities.get(id)!])),
      }
    }
    if (name === 'VerifyDomainIdentity') {
      const identity = { VerificationStatus: 'Pending', VerificationToken: `token of ${Domain}` }
      this.identities.set(Domain!, identity)
      return identity
    }
    this.identities.delete(Identity!)
    return {}
  }
}

describe('The mail provider on SES', () => {
  let ses: FakeSes
  let provider: SesMailProvider

  beforeEach(() => {
    ses = new FakeSes()
    provider = new SesMailProvider({
      client: ses as unknown as SESClient,
      notes: notes(),
      configured: new Set(['ours.test']),
    })
  })

  const wanted = (domain: string) => ({
    type: 'TXT',
    name: `_amazonses.${domain}`,
    value: `token of ${domain}`,
    purpose: expect.any(String),
  })

  test('makes an identity, and asks for its record until SES has seen it', async () => {
    const pending = { confirmed: false, records: [wanted('a.example')] }
    expect(await provider.claim('a.example')).toEqual(pending)
    expect(await provider.claim('a.example')).toEqual(pending)
    expect(ses.calls.filter((call) => call === 'VerifyDomainIdentity')).toHaveLength(1)
    ses.identities.get('a.example')!.VerificationStatus = 'Success'
    expect(await provider.claim('a.example')).toEqual({ confirmed: true, records: [wanted('a.example')] })
  })

  test('needs no proof below a verified domain', async () => {
    ses.identities.set('ours.test', { VerificationStatus: 'Success', VerificationToken: 't' })
    expect(await provider.claim('x.y.ours.test')).toEqual({ confirmed: true, records: [] })
    expect(await provider.claim('notours.test')).toMatchObject({ confirmed: false })
    expect([...ses.identities.keys()]).toEqual(['ours.test', 'notours.test'])
  })

  test('gives nobody the mail of an identity that the account has for other purposes, nor that below it', async () => {
    ses.identities.set('example.com', { VerificationStatus: 'Success', VerificationToken: 't' })
    for (const domain of ['example.com', 'x.y.example.com']) {
      expect(await provider.claim(domain)).toEqual({ confirmed: false, records: [], foreign: true })
      await provider.release(domain)
    }
    expect([...ses.identities.keys()]).toEqual(['example.com'])
  })

  test('asks again when SES has given up', async () => {
    await provider.claim('a.example')
    ses.identities.get('a.example')!.VerificationStatus = 'Failed'
    expect(await provider.claim('a.example')).toMatchObject({ confirmed: false })
    expect(ses.identities.get('a.example')!.VerificationStatus).toBe('Pending')
  })

  test('deletes the identities that it made, and no others', async () => {
    ses.identities.set('theirs.example', { VerificationStatus: 'Success', VerificationToken: 't' })
    await provider.claim('a.example')
    await provider.claim('theirs.example')
    await provider.claim('sub.theirs.example')
    await provider.claim('ours.test')
    for (const domain of [
      'a.example',
      'theirs.example',
      'sub.theirs.example',
      'ours.test',
      'never.example',
    ]) {
      await provider.release(domain)
      await provider.release(domain)
    }
    expect([...ses.identities.keys()]).toEqual(['theirs.example', 'ours.test'])
  })

  test('is unavailable when SES is asked too often', async () => {
    ses.send = () => Promise.reject(failing('Throttling'))
    await expect(provider.claim('a.example')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  })
})

describeOnEmulator('The mail provider on the emulator', () => {
  let emulator: Emulator
  let client: SESClient

  beforeAll(async () => {
    emulator = await startEmulator()
    client = new SESClient({ ...EMULATED, endpoint: emulator.endpoint })
  }, 40_000)
  afterAll(async () => {
    client.destroy()
    await emulator.stop()
  })

  test('claims a domain', async () => {
    const provider = new SesMailProvider({ client, notes: notes(), configured: new Set() })
    const first = await provider.claim('a.example')
    expect(first.confirmed).toBe(false)
    expect(first.records).toHaveLength(1)
    // Here every identity is verified as soon as it is there.
    expect((await provider.claim('a.example')).confirmed).toBe(true)
    expect(await provider.claim('deep.below.a.example')).toEqual({ confirmed: true, records: [] })
  })
})
