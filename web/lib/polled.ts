import { useEffect, useState } from 'preact/hooks'
import { ApiProblem } from './problem.ts'

/**
 * Reads a value again and again while the page is visible, until an answer says that it never comes. Returns
 * the latest value; undefined before the first one.
 * @param read receives the value before, which it may return if nothing changed
 * @param subject what is read; another one starts again
 */
export function usePolled<T>(
  read: (before: T | undefined) => Promise<T>,
  periodMs: number,
  subject = '',
): T | undefined {
  const [value, setValue] = useState<T>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWanted = true
    let before: T | undefined
    const poll = async () => {
      try {
        if (document.visibilityState === 'visible') {
          before = await read(before)
          if (isWanted) setValue(before)
        }
      } catch (error) {
        if (!(error instanceof ApiProblem && error.isTransient)) return
      }
      if (isWanted) timer = setTimeout(poll, periodMs)
    }
    void poll()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [subject])
  return value
}
