import { expect, test } from '@jest/globals'
import { OriginSecret } from '../../../adapters/cloudfront/origin-secret.ts'
import { openOriginSecret } from '../../../service/origin-secret.ts'
import { AWS_VARIABLES } from '../../support/aws-variables.ts'
import { startSecrets } from '../../support/secrets.ts'

const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

test.each([undefined, '', 'firs', 'first ', 'First', 'fírst'])('%j is refused', (sent) => {
  expect(new OriginSecret(['first']).accepts(sent)).toBe(false)
})

test('a secret without values accepts nothing', () => {
  expect([undefined, '', 'x'].map((sent) => new OriginSecret([]).accepts(sent))).toEqual([
    false,
    false,
    false,
  ])
})

test('a program that starts during a replacement accepts the new value and the previous one', async () => {
  const secrets = await startSecrets({ [ARN]: ['second', 'first'] })
  Object.assign(process.env, {
    ...AWS_VARIABLES,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  })
  const secret = await openOriginSecret(ARN)
  expect(['second', 'first', 'zeroth'].map((sent) => secret.accepts(sent))).toEqual([true, true, false])
  secrets.values.set(ARN, ['only'])
  const later = await openOriginSecret(ARN)
  expect(['only', 'second'].map((sent) => later.accepts(sent))).toEqual([true, false])
  secrets.values.delete(ARN)
  await expect(openOriginSecret(ARN)).rejects.toThrow(ARN)
  await secrets.close()
})
