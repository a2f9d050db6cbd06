import type { ProblemCode } from '../../../../core/errors.ts'
import { Problem } from '../../../../core/errors.ts'
import { type Mayfly, MayflyError } from '../../../client/src/node.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

export const mcp: Command = {
  args: '',
  summary: 'tools for an agent: the Model Context Protocol on standard input and output',
  examples: ['claude mcp add mayfly -- npx mayfly mcp', 'MAYFLY_URL=https://mail.example.com mayfly mcp'],
  async run({ mayfly }) {
    const { mcpOverStdio } = await import('../../../../adapters/mcp/stdio.ts')
    mcpOverStdio(VERSION, (method, path, parameters = {}, query = {}) =>
      request(mayfly, {
        method,
        path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name]!)),
        query,
      }),
    )
    return 0
  },
}

async function request(mayfly: Mayfly, call: Parameters<Mayfly['request']>[0]): Promise<unknown> {
  try {
    return await mayfly.request(call)
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error
    throw new Problem(error.code as ProblemCode, error.message, { cause: error })
  }
}
