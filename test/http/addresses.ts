import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { at, expectProblem, plain, type Requests } from './requests.ts'

/** Addresses: recipients of one message, tags, case, and addresses that are invalid. */
export function addressContract(requests: Requests): void {
  test('every envelope recipient, also a blind one, has an email that can be read and deleted separately', async () => {
    const [one, two] = [freshAddress(requests.host.domain), freshAddress(requests.host.domain)]
    await requests.host.deliver(plain('To both', 'x'), [one, two])
    const list = (address: string) => requests.emailsAt(`/api/public/emails/${address}`, 1)
    const [[first], [second]] = await Promise.all([list(one), list(two)])
    expect(first.id).not.toBe(second.id)
    const asBot = await requests.caller()
    expect((await asBot(at(one, `/${first.id}`), { method: 'DELETE' })).status).toBe(200)
    expectProblem(await asBot(at(one, `/${first.id}`)), 404, 'email_not_found')
    expectProblem(await asBot(at(one, `/${second.id}`)), 404, 'email_not_found')
    expect((await asBot(at(two, `/${second.id}/raw`))).status).toBeLessThan(400)
    expect((await asBot(at(two, `/${second.id}`))).body.email.read).toBe(true)
  })

  test('an address with a +tag is a separate inbox; case does not matter', async () => {
    const [local, domain] = freshAddress(requests.host.domain).split('@')
    const tagged = `${local}+x@${domain}`
    const email = await requests.deliver(tagged, plain('Tagged', 'x'))
    expect(email.address).toBe(tagged)
    expect(await requests.inbox(`${local}@${domain}`)).toEqual([])
    expect(
      (await requests.call(`/api/public/emails/${local!.toUpperCase()}+X@${domain!.toUpperCase()}`)).body,
    ).toMatchObject({
      address: tagged,
      emails: [{ id: email.id }],
    })
    expect((await requests.call(`/api/public/emails/${local}%2Bx%40${domain}`)).body.emails).toHaveLength(1)
    // The path is decoded once: a doubly encoded @ stays encoded.
    expectProblem(await requests.call(`/api/public/emails/${local}%2540${domain}`), 400, 'invalid_address')
  })

  test.each([
    ['ju\u0308rgen', 'jürgen'],
    ['ÜBER', 'über'],
    ['"Plain"', 'plain'],
    ['"John Doe"', '"john doe"'],
    ['"a@b/c"', '"a@b/c"'],
  ])('%s is read in its canonical form %s', async (text, local) => {
    const path = `/api/public/emails/${encodeURIComponent(`${text}@${requests.host.domain}`)}`
    const { status, body } = await requests.call(path)
    expect({ status, address: body.address }).toEqual({
      status: 200,
      address: `${local}@${requests.host.domain}`,
    })
  })

  test('an invalid address is rejected', async () => {
    const bad = {
      nobody: /^Give a complete address such as /,
      root: /^Give a complete address such as /,
      'a@b': /^The domain of the address is not labels .* Give a complete address such as /,
      'a@-x.test': /^The domain of the address is not labels /,
      'a@': /^The domain of the address is missing\. /,
      '@mayfly.test': /^The local part of the address is empty\. /,
      'a b@mayfly.test': /^The local part of the address has a character that needs quotes\. /,
      'a b@c': /^The local part of the address has a character that needs quotes\. /,
      'a@b@mayfly.test': /^The local part of the address has a character that needs quotes\. /,
      '"a@mayfly.test': /^The local part of the address has a character that needs quotes\. /,
      '.a@mayfly.test': /^The local part of the address has a dot at an end, or two dots in a row\. /,
      'a..b@mayfly.test': /^The local part of the address has a dot at an end, or two dots in a row\. /,
      [`${'x'.repeat(65)}@mayfly.test`]: /^The local part of the address is longer than 64 octets\. /,
    }
    for (const [address, reason] of Object.entries(bad)) {
      const answer = await requests.call(`/api/public/emails/${encodeURIComponent(address)}`)
      expectProblem(answer, 400, 'invalid_address')
      expect(answer.body.detail).toMatch(reason)
    }
    expectProblem(await requests.call('/api/public/emails/%zz@mayfly.test'), 400, 'invalid_address')
    expectProblem(await requests.call('/api/public/emails/%ff@mayfly.test'), 400, 'invalid_address')
    expectProblem(await requests.call('/api/domain/verify/%zz'), 400, 'invalid_domain')
    const asBot = await requests.caller()
    expectProblem(await asBot('/api/webhooks/%zz', { method: 'DELETE' }), 400, 'invalid_query')
    expectProblem(await requests.call('/api/public/emails/a@unknown.example'), 404, 'domain_not_found')
  })
}
