import { SESv2Client } from '@aws-sdk/client-sesv2'
import { expect, test } from '@jest/globals'
import { senderBySes } from '../../bin/verify/mail.ts'

test('a mail that SES does not take fails the check that sent it', async () => {
  const client = new SESv2Client({
    endpoint: 'http://127.0.0.1:1',
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  const send = senderBySes(client, 'canary@shop.test')
  await expect(send('ines@shop.test', 'x', 'x')).rejects.toThrow(/ECONNREFUSED/)
  client.destroy()
})
