import { AlreadyExistsException, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { limitedTo } from '../../../adapters/ses/limited.ts'
import { SesMailProvider } from '../../../adapters/ses/mail-provider.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from '../../aws/emulator.ts'
import { failing } from '../dynamodb/faults.ts'

const OWNER = 'Stage-Mayfly'
type Tag = { Key: string; Value: string }

interface Identity {
  VerificationStatus: string
  VerifiedForSendingStatus: boolean
  DkimAttributes: { Tokens: string[] }
  Tags: Tag[]
}

/** SES v2 with identities in states that the emulator does not have. */
class FakeSes {
  readonly identities = new Map<string, Identity>()
  readonly calls: string[] = []

  put(name: string, VerificationStatus: string, Tags: Tag[] = []): void {
    const VerifiedForSendingStatus = VerificationStatus === 'SUCCESS'
    const DkimAttributes = { Tokens: [1, 2, 3].map((n) => `${name}-${n}`) }
    this.identities.set(name, { VerificationStatus, VerifiedForSendingStatus, DkimAttributes, Tags })
  }

  async send(command: { constructor: { name: string }; input: object }): Promise<object> {
    const input = command.input as { EmailIdentity?: string; Tags?: Tag[] }
    const action = command.constructor.name.replace('Command', '')
    const name = input.EmailIdentity!
    this.calls.push(`${action} ${name}`)
    const $metadata = {}
    if (action === 'CreateEmailIdentity') {
      if (this.identities.has(name)) throw new AlreadyExistsException({ message: 'exists', $metadata })
      this.put(name, 'PENDING', input.Tags)
    }
    const identity = this.identities.get(name)
    if (identity === undefined) throw new NotFoundException({ message: 'absent', $metadata })
    if (action === 'DeleteEmailIdentity') this.identities.delete(name)
    return identity
  }
}

const OURS = [{ Key: 'mayfly', Value: OWNER }]

describe('the mail provider on SES', () => {
  let ses: FakeSes
  let provider: SesMailProvider

  beforeEach(() => {
    ses = new FakeSes()
    provider = providerOn(ses as unknown as SESv2Client)
  })

  const isConfigured = async (name: string) => name === 'ours.test'
  const providerOn = (client: SESv2Client) => new SesMailProvider({ client, owner: OWNER, isConfigured })
  const wanted = (domain: string) =>
    [1, 2, 3].map((n) => ({
      type: 'CNAME',
      name: `${domain}-${n}._domainkey.${domain}`,
      value: `${domain}-${n}.dkim.amazonses.com`,
      purpose: expect.any(String),
    }))

  test('creates a tagged identity, and returns its records until SES has verified it', async () => {
    const pending = { confirmed: false, records: wanted('a.example') }
    expect(await provider.claim('a.example')).toEqual(pending)
    expect(await provider.claim('a.example')).toEqual(pending)
    expect(ses.calls.filter((call) => call.startsWith('Create'))).toHaveLength(1)
    expect(ses.identities.get('a.example')!.Tags).toEqual(OURS)
    ses.put('a.example', 'SUCCESS', OURS)
    expect(await provider.claim('a.example')).toEqual({ confirmed: true, records: wanted('a.example') })
  })

  test.each([
    { status: 'SUCCESS', forSending: false, confirmed: true },
    { status: 'PENDING', forSending: true, confirmed: true },
    { status: 'TEMPORARY_FAILURE', forSending: false, confirmed: false },
  ])('an identity is verified by either field of SES: %j', async ({ status, forSending, confirmed }) => {
    ses.put('a.example', status, OURS)
    ses.identities.get('a.example')!.VerifiedForSendingStatus = forSending
    expect(await provider.claim('a.example')).toEqual({ confirmed, records: wanted('a.example') })
  })

  test('an identity that a concurrent verification deletes is no fault', async () => {
    ses.put('a.example', 'FAILED', OURS)
    const { send } = ses
    ses.send = async (command) => {
      if (command.constructor.name === 'DeleteEmailIdentityCommand') ses.identities.delete('a.example')
      return send.call(ses, command)
    }
    expect(await provider.claim('a.example')).toMatchObject({
      confirmed: false,
      records: wanted('a.example'),
    })
  })

  test('a redeployment recognises identities of the same name by their tag', async () => {
    ses.put('a.example', 'SUCCESS', OURS)
    expect(await providerOn(ses as unknown as SESv2Client).claim('x.a.example')).toMatchObject({
      confirmed: true,
    })
  })

  test('needs no proof below a verified domain', async () => {
    ses.put('ours.test', 'SUCCESS')
    expect(await provider.claim('x.y.ours.test')).toEqual({ confirmed: true, records: [] })
    expect(await provider.claim('notours.test')).toMatchObject({ confirmed: false })
    expect([...ses.identities.keys()]).toEqual(['ours.test', 'notours.test'])
  })

  test.each([
    ['without a tag', []],
    ['of another deployment', [{ Key: 'mayfly', Value: 'Other-Mayfly' }]],
  ])('an identity %s is foreign, also for names below it, and is never deleted', async (_, tags) => {
    ses.put('example.com', 'SUCCESS', tags)
    for (const domain of ['example.com', 'x.y.example.com']) {
      expect(await provider.claim(domain)).toEqual({ confirmed: false, records: [], foreign: true })
      await provider.release(domain)
    }
    expect([...ses.identities.keys()]).toEqual(['example.com'])
  })

  test('creates an identity again that has failed, if it is its own', async () => {
    ses.put('a.example', 'FAILED', OURS)
    expect(await provider.claim('a.example')).toEqual({ confirmed: false, records: wanted('a.example') })
    expect(ses.identities.get('a.example')!.VerificationStatus).toBe('PENDING')
    ses.put('theirs.example', 'FAILED')
    await provider.claim('theirs.example')
    expect(ses.identities.get('theirs.example')!.VerificationStatus).toBe('FAILED')
  })

  test('a concurrent verification that created the identity is no fault', async () => {
    const { send } = ses
    let first = true
    ses.send = async (command) => {
      if (first && command.constructor.name === 'GetEmailIdentityCommand') {
        first = false
        ses.put('a.example', 'PENDING', OURS)
        throw new NotFoundException({ message: 'absent', $metadata: {} })
      }
      return send.call(ses, command)
    }
    expect(await provider.claim('a.example')).toEqual({ confirmed: false, records: wanted('a.example') })
  })

  test('deletes its own identities, and no others', async () => {
    ses.put('theirs.example', 'SUCCESS')
    ses.put('ours.test', 'SUCCESS', OURS)
    await provider.claim('a.example')
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

  test('limited to configured domains, it creates nothing for others', async () => {
    const limited = limitedTo(isConfigured, provider)
    expect(await limited.claim('other.test')).toEqual({ confirmed: false, records: [] })
    await limited.release('other.test')
    expect(ses.calls).toEqual([])
    expect((await limited.claim('sub.ours.test')).records).toHaveLength(3)
    await limited.release('sub.ours.test')
    expect(ses.identities.has('sub.ours.test')).toBe(false)
  })

  test('is unavailable when SES throttles', async () => {
    ses.send = () => Promise.reject(failing('TooManyRequestsException'))
    await expect(provider.claim('a.example')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  })

  test('is unavailable when SES throttles the creation of an identity', async () => {
    const { send } = ses
    ses.send = async (command) => {
      if (command.constructor.name === 'CreateEmailIdentityCommand') throw failing('TooManyRequestsException')
      return send.call(ses, command)
    }
    await expect(provider.claim('a.example')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describeOnEmulator('the mail provider on the emulator', () => {
  let emulator: Emulator
  let client: SESv2Client

  beforeAll(async () => {
    emulator = await startEmulator()
    client = new SESv2Client({ ...EMULATED, endpoint: emulator.endpoint })
  })
  afterAll(async () => {
    client.destroy()
    await emulator.stop()
  })

  test('claims and releases a domain', async () => {
    const isConfigured = async () => false
    const provider = new SesMailProvider({ client, owner: OWNER, isConfigured })
    const first = await provider.claim('a.example')
    expect(first.confirmed).toBe(false)
    expect(first.records).toHaveLength(3)
    // The emulator verifies every identity at once.
    expect((await provider.claim('a.example')).confirmed).toBe(true)
    expect(await provider.claim('deep.below.a.example')).toEqual({ confirmed: true, records: [] })
    await provider.release('a.example')
    expect((await provider.claim('a.example')).confirmed).toBe(false)
  })
})
