/**
 * Checks a deployment on AWS and prints a table: `npm run verify:aws -- --stack Mayfly --domain
 * mail.example.com` (docs/aws.md, "Verify the deployment").
 */
import { parseArgs } from 'node:util'
import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { type Check, runChecks } from './verify/checks.ts'
import { cloudWatchOf } from './verify/cloudwatch.ts'
import { findDeployment } from './verify/deployment.ts'
import { senderBySes } from './verify/mail.ts'

const { values } = parseArgs({
  options: {
    stack: { type: 'string', default: 'Mayfly' },
    domain: { type: 'string' },
    /** Sender address in SES; by default the canary's at the domain. */
    from: { type: 'string' },
    /** Target of a webhook, which is on the public internet; by default the deployment itself. */
    webhook: { type: 'string' },
    /** URL of the deployment if it is not the stack's own, for the emulator. */
    url: { type: 'string' },
  },
})

const deployment = await findDeployment(new CloudFormationClient({}), values.stack, values.url)
const domain = values.domain ?? (await deployment.firstDomain())
const sender = senderBySes(new SESv2Client({}), values.from ?? `mayfly-canary@${domain}`)
const checks = await runChecks({
  deployment,
  domain,
  send: sender,
  webhookUrl: values.webhook,
  cloudWatch: cloudWatchOf(),
})
print(checks)
process.exitCode = checks.every(({ isGood }) => isGood) ? 0 : 1

function print(all: Check[]): void {
  const width = Math.max(...all.map(({ name }) => name.length))
  for (const { name, isGood, detail } of all)
    console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`)
}
