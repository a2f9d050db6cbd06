import type { Command, Option } from './command.ts'
import { RUN_EXAMPLES } from './run-program.ts'
import { SERVICE_OPTIONS } from './serve.ts'

type Commands = Record<string, Command>

export const GLOBAL: Record<string, Option> = {
  url: { type: 'string', value: 'URL', help: 'the service; MAYFLY_URL, or http://127.0.0.1:8025' },
  json: { type: 'boolean', help: 'a line of JSON for each result, as in a pipe' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
}

const RUN_SUMMARY = 'runs a program with a service of its own, and passes its exit code on'

export function helpOf(name: string, { args, summary, options = {}, examples }: Command): string {
  return page([name, args].join(' ').trim(), summary, { ...options, ...GLOBAL }, examples)
}

export function runHelp(): string {
  const title = 'run [OPTIONS] -- PROGRAM [ARGUMENTS]'
  const summary = `${RUN_SUMMARY}.

The program finds the service in MAYFLY_URL, MAYFLY_API_KEY (no rate limit), SMTP_HOST and SMTP_PORT. The service uses
free ports and a temporary store unless the options say otherwise`
  return page(title, summary, SERVICE_OPTIONS, RUN_EXAMPLES)
}

export function help(commands: Commands): string {
  const entries = [
    ['[OPTIONS]', 'the service itself, until Ctrl-C'],
    ['run -- PROGRAM', RUN_SUMMARY],
    ...Object.entries(commands).map(([name, { args, summary }]) => [`${name} ${args}`.trim(), summary]),
  ]
  const width = Math.max(...entries.map(([name = '']) => name.length)) + 2
  return `Disposable mailboxes for tests, CI and agents.

${entries.map(([name = '', summary]) => `  mayfly ${name.padEnd(width)}${summary}`).join('\n')}

Options of every command:
${optionLines(GLOBAL)}
  --version              the version

Options of the service (each is also a variable, MAYFLY_HTTP_PORT for --http-port):
${optionLines(SERVICE_OPTIONS)}

Examples:
  mayfly                                    an SMTP server on 1025, an API and a web inbox on 8025
  mayfly run -- npm test
  ADDRESS=$(mayfly new)
  mayfly send "$ADDRESS"
  mayfly code "$ADDRESS"

Exit codes: 0 found or done, 1 nothing found (in time), 2 wrong usage, 3 the service cannot be reached.
`
}

function page(title: string, summary: string, options: Record<string, Option>, examples: string[]): string {
  return `mayfly ${title} — ${summary}

Options:
${optionLines(options)}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}
`
}

function optionLines(options: Record<string, Option>): string {
  return Object.entries(options)
    .map(([name, { value, help }]) => {
      const flag = value === 'on|off' ? `--[no-]${name}` : `--${name}${value ? ` ${value}` : ''}`
      return `  ${flag.padEnd(28)} ${help}`
    })
    .join('\n')
}
