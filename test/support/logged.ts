import { jest } from '@jest/globals'

/** A line that a program of AWS logs (service/aws-log.ts). */
export interface LogLine {
  level: string
  message: string
  error?: string
  [field: string]: unknown
}

/**
 * Collects what the programs of AWS log from now on, until Jest restores its mocks or `restore` is
 * called; the output of the tests does not contain it.
 */
export function collectLog(): { lines: LogLine[]; restore(): void } {
  const lines: LogLine[] = []
  const writing = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)))
    return true
  })
  return { lines, restore: () => writing.mockRestore() }
}
