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
  useEffect(() => poll(read, periodMs, setValue), [subject])
  return value
}

/** Reads at once and then every `periodMs`, and passes each value on. Returns the function that ends it. */
export function poll<T>(
  read: (before: T | undefined) => Promise<T>,
  periodMs: number,
  take: (value: T) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = true
  let before: T | undefined
  const next = async () => {
    try {
      if (document.visibilityState === 'visible') {
        before = await read(before)
        if (isWanted) take(before)
      }
    } catch (error) {
      if (!(error instanceof ApiProblem && error.isTransient)) return
    }
    if (isWanted) timer = setTimeout(next, periodMs)
  }
  void next()
  return () => {
    isWanted = false
    clearTimeout(timer)
  }
}
