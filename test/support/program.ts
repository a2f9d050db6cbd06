import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A line of the log of a program on AWS (service/aws-log.ts). */
export interface LogLine {
  level: string
  message: string
  [field: string]: unknown
}

export interface Program {
  process: ChildProcess
  lines: LogLine[]
  /** Resolves to the line with this message; rejects if the program ends without it. */
  logged(message: string): Promise<LogLine>
  /** The exit code. */
  ended: Promise<number | null>
}

/** Runs an entry point of AWS, such as `smtp-service/index.ts`, with this environment only. */
export function startProgram(entry: string, env: Record<string, string>): Program {
  const path = fileURLToPath(new URL(`../../${entry}`, import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: LogLine[] = []
  const waiting = new Map<string, PromiseWithResolvers<LogLine>>()
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as LogLine
    lines.push(line)
    waiting.get(line.message)?.resolve(line)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  void ended.then((code) => {
    for (const [message, { reject }] of waiting) {
      reject(new Error(`ended with ${code} before "${message}": ${JSON.stringify(lines)}`))
    }
  })
  return {
    process: child,
    lines,
    logged(message) {
      const found = lines.find((line) => line.message === message)
      if (found !== undefined) return Promise.resolve(found)
      const wait = waiting.get(message) ?? Promise.withResolvers<LogLine>()
      waiting.set(message, wait)
      return wait.promise
    },
    ended,
  }
}
