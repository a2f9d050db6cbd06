import { describe, expect, test } from '@jest/globals'
import { startMayfly } from '../../../packages/mayfly/src/start.ts'
import { runCommands } from './run-commands.ts'

const LOGIN = 'app:secret'
/** The value of MAYFLY_SMTP_AUTH for the command, and the outcome. */
const OUTCOMES: [variable: string | undefined, outcome: object][] = [
  [LOGIN, { code: 0, stdout: expect.stringMatching(/"response":"250 /), stderr: '' }],
  [undefined, refusal(/^The mail was refused: 530 5\.7\.0 .* Set MAYFLY_SMTP_AUTH to the user:password /)],
  ['any', refusal(/^The mail was refused: 530 5\.7\.0 .* Set MAYFLY_SMTP_AUTH to the user:password /)],
  ['app:wrong', refusal(/^The mail was refused: 535 5\.7\.8 .* Set MAYFLY_SMTP_AUTH to the user:password /)],
  ['app', refusal(/\n {2}MAYFLY_SMTP_AUTH must be any, off or user:password\n$/, 2)],
]

function refusal(reason: RegExp, code = 1): object {
  return { code, stdout: '', stderr: expect.stringMatching(reason) }
}

describe('`mayfly send` to a service that requires a login', () => {
  test.each([undefined, 'self-signed'])(
    'takes it from the variable of the service, with MAYFLY_TLS=%s',
    async (tls) => {
      const service = await startMayfly({ MAYFLY_SMTP_AUTH: LOGIN, ...(tls && { MAYFLY_TLS: tls }) })
      try {
        for (const [variable, expected] of OUTCOMES) {
          const env = {
            MAYFLY_URL: service.url,
            MAYFLY_API_KEY: service.apiKey,
            ...(variable !== undefined && { MAYFLY_SMTP_AUTH: variable }),
          }
          const [outcome] = await runCommands([[['send', 'a@mayfly.test']]], { env })
          expect([variable, outcome]).toEqual([variable, expected])
        }
      } finally {
        await service.stop()
      }
    },
  )

  test('takes none from the command line', async () => {
    for (const smtp of ['app:secret@127.0.0.1:1025', 'smtp://app:secret@127.0.0.1:1025']) {
      const [outcome] = await runCommands([[['send', 'a@mayfly.test', '--smtp', smtp]]], { env: {} })
      expect(outcome).toEqual(refusal(/^`--smtp` would show a secret .* MAYFLY_SMTP_AUTH instead\./, 2))
      expect(outcome?.stderr).not.toContain('app:secret')
    }
  })

  test('sends without one to a service that offers no login, and only to an address', async () => {
    const service = await startMayfly({ MAYFLY_SMTP_AUTH: 'off' })
    try {
      const env = { MAYFLY_URL: service.url, MAYFLY_API_KEY: service.apiKey, MAYFLY_SMTP_AUTH: LOGIN }
      expect(await runCommands([[['send', 'a@mayfly.test']], [['send', 'foo']]], { env })).toEqual([
        expect.objectContaining({ code: 0 }),
        refusal(/^"foo" is no address\. See `mayfly send --help`\.\n$/, 2),
      ])
    } finally {
      await service.stop()
    }
  })
})
