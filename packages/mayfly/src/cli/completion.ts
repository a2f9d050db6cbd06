import type { Command } from './command.ts'
import { GLOBAL } from './help.ts'
import { SERVICE_OPTIONS } from './serve.ts'

type Commands = Record<string, Command>

/** A script that completes commands and options; undefined for an unknown shell. */
export function completion(shell: string | undefined, commands: Commands): string | undefined {
  const service = Object.keys(SERVICE_OPTIONS).map((name) => `--${name}`)
  const entries: [string, string, string[]][] = [
    ['run', 'a service for the time of a program', service],
    ...Object.entries(commands).map(([name, { summary, options }]): [string, string, string[]] => [
      name,
      summary.replaceAll("'", '’'),
      Object.keys({ ...options, ...GLOBAL }).map((option) => `--${option}`),
    ]),
  ]
  const first = [...entries.map(([name]) => name), '--help', '--version', ...service].join(' ')
  if (shell === 'bash') return bash(entries, first)
  if (shell === 'zsh') return zsh(entries)
  if (shell === 'fish') return fish(entries)
  return undefined
}

type Entries = [name: string, summary: string, options: string[]][]

function bash(entries: Entries, first: string): string {
  return `_mayfly() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case "\${COMP_WORDS[1]}" in
${entries.map(([name, , options]) => `    ${name}) words="${options.join(' ')}" ;;`).join('\n')}
    *) words="${first}" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${first}"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _mayfly mayfly
`
}

function zsh(entries: Entries): string {
  return `#compdef mayfly
_mayfly() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${entries.map(([name, summary]) => `      '${name}:${summary}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${entries.map(([name, , options]) => `    ${name}) compadd -- ${options.join(' ')} ;;`).join('\n')}
  esac
}
compdef _mayfly mayfly
`
}

function fish(entries: Entries): string {
  const lines = entries.flatMap(([name, summary, options]) => [
    `complete -c mayfly -n __fish_use_subcommand -f -a ${name} -d '${summary}'`,
    ...options.map(
      (option) => `complete -c mayfly -n '__fish_seen_subcommand_from ${name}' -f -l ${option.slice(2)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
