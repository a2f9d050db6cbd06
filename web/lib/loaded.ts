import { useEffect, useState } from 'preact/hooks'

/** A script that is loaded when it is first needed; undefined until then. */
export function useLoaded<T extends object>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>()
  useEffect(() => {
    load().then(setLoaded)
  }, [])
  return loaded
}
