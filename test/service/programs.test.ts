import { describe, expect, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import { startProgram } from '../support/program.ts'

describe('a program on AWS without its settings', () => {
  test.each(['smtp-service', 'sse-service'])(
    '%s names all that are missing in one line, and ends with 1',
    async (service) => {
      const program = startProgram(`${service}/index.ts`, { [ENV.bucket]: 'messages' })
      expect(await program.ended).toBe(1)
      expect(program.lines).toEqual([
        {
          level: 'error',
          message: expect.stringContaining('did not start'),
          error: expect.stringContaining(`${ENV.mailTable} is missing`),
        },
      ])
      expect(program.lines[0]!.error).toContain(`${ENV.mxHost} is missing`)
    },
  )
})
