import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hashKey } from '../../core/access/api-keys.ts'
import { openOperatorKeys } from '../../service/operator-keys.ts'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:operator-a1B2c3'
const KEYS = ['first-key-0123456789', 'second-key-0123456789'] as const

let secrets: TestSecrets

beforeAll(async () => {
  secrets = await startSecrets()
  Object.assign(process.env, {
    ...AWS_VARIABLES,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  })
})
afterAll(() => secrets.close())

test.each([KEYS.join(), ` ${KEYS.join(' , ')}\n`, `${KEYS.join(',')},`])(
  'reads the keys of the secret "%s"',
  async (value) => {
    secrets.values.set(ARN, [value])
    const keys = await openOperatorKeys(ARN)
    for (const key of KEYS) expect(keys?.find(hashKey(key))).toBeDefined()
    expect(keys?.find(hashKey('another-key-0123456789'))).toBeUndefined()
  },
)

test('a malformed key is an error that names its position and not the key', async () => {
  secrets.values.set(ARN, [`${KEYS[0]},too short`])
  const error: Error = await openOperatorKeys(ARN).then(
    () => new Error('no error'),
    (reason) => reason,
  )
  expect(error.message).toMatch(/^The secret arn:.* must have keys of 16 to 200 .*; key 2 is not one/)
  expect(error.message).not.toContain('too short')
})

test('keys have 16 to 200 letters, digits, _ or -', async () => {
  const [shortest, longest] = ['abcdefgh-IJKL_01', 'k'.repeat(200)] as const
  secrets.values.set(ARN, [`${shortest},${longest}`])
  for (const key of [shortest, longest])
    expect((await openOperatorKeys(ARN))?.find(hashKey(key))).toBeDefined()
  for (const wrong of [shortest.slice(1), `${longest}k`, 'sixteen letters.']) {
    secrets.values.set(ARN, [`${shortest},${wrong}`])
    await expect(openOperatorKeys(ARN)).rejects.toThrow('key 2')
  }
})

test('a deployment without such a secret has no keys', async () => {
  expect(await openOperatorKeys(undefined)).toBeUndefined()
})
