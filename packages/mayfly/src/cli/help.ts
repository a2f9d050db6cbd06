import type { Command, Option } from './command.ts'

type Commands = Record<string, Command>

export const GLOBAL: Record<string, Option> = {
  url: { type: 'string', value: 'URL', help: 'the service; MAYFLY_URL, or else http://127.0.0.1:8080' },
  'api-key': { type: 'string', value: 'KEY', help: 'MAYFLY_API_KEY, or else one is taken and kept' },
  'domain-key': { type: 'string', value: 'KEY', help: 'for a private domain; MAYFLY_DOMAIN_KEY' },
  json: { type: 'boolean', help: 'a line of JSON for each thing, as in a pipe' },
  help: { type: 'boolean', help: 'this text' },
}

export function helpOf(name: string, { args, summary, options = {}, examples }: Command): string {
  return `mayfly ${[name, args].join(' ').trim()} — ${summary}

Options:
${optionLines({ ...options, ...GLOBAL })}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}
`
}

export function help(commands: Commands): string {
  const names = Object.entries(commands).map(([name, { args }]) => [name, args].join(' ').trim())
  const width = Math.max(...names.map((name) => name.length)) + 2
  const lines = Object.values(commands).map(
    ({ summary }, i) => `  mayfly ${names[i]!.padEnd(width)}${summary}`,
  )
  return `Disposable mailboxes for tests, CI and agents.

  mayfly ${' '.repeat(width)}the service itself, on this machine
${lines.join('\n')}

Options of all:
${optionLines(GLOBAL)}
  --version              the version

Examples:
  npx mayfly                                a mail server on 2525, an API and a page on 8080
  ADDRESS=$(mayfly new)
  mayfly send "$ADDRESS"
  mayfly code "$ADDRESS"

Exit codes: 0 found or done, 1 nothing (in time), 2 wrong usage, 3 the service cannot be reached.
`
}

function optionLines(options: Record<string, Option>): string {
  return Object.entries(options)
    .map(([name, { value, help }]) => `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(22)} ${help}`)
    .join('\n')
}

/** @throws nothing for a shell that is not known: undefined */
export function completion(shell: string | undefined, commands: Commands): string | undefined {
  const names = Object.keys(commands)
  const flags = (command: Command) =>
    Object.keys({ ...command.options, ...GLOBAL }).map((name) => `--${name}`)
  const cases = Object.entries(commands).map(([name, command]) => [name, flags(command).join(' ')] as const)
  if (shell === 'bash') {
    return `_mayfly() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case "\${COMP_WORDS[1]}" in
${cases.map(([name, words]) => `    ${name}) words="${words}" ;;`).join('\n')}
    *) words="${names.join(' ')} --help --version" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${names.join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _mayfly mayfly
`
  }
  if (shell === 'zsh') {
    return `#compdef mayfly
_mayfly() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${Object.entries(commands)
  .map(([name, { summary }]) => `      '${name}:${summary.replaceAll("'", '’')}'`)
  .join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.map(([name, words]) => `    ${name}) compadd -- ${words} ;;`).join('\n')}
  esac
}
compdef _mayfly mayfly
`
  }
  if (shell === 'fish') {
    const lines = Object.entries(commands).flatMap(([name, command]) => [
      `complete -c mayfly -n __fish_use_subcommand -f -a ${name} -d '${command.summary.replaceAll("'", '’')}'`,
      ...Object.entries({ ...command.options, ...GLOBAL }).map(
        ([option, { help }]) =>
          `complete -c mayfly -n '__fish_seen_subcommand_from ${name}' -f -l ${option} -d '${help.replaceAll("'", '’')}'`,
      ),
    ])
    return `${lines.join('\n')}\n`
  }
  return undefined
}
