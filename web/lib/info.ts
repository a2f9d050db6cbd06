import { useEffect, useState } from 'preact/hooks'
import { isLoopbackName } from '../../core/access/loopback.ts'
import { ask, type Info } from './api.ts'

let known: Promise<Info> | undefined

/** The service's description of itself, which is read once for a page. @throws ApiProblem */
export function serviceInfo(): Promise<Info> {
  known ??= ask<Info>('/api/info').catch((problem) => {
    known = undefined
    throw problem
  })
  return known
}

/** The description: undefined until the service has answered, null if it could not. */
export function useInfo(): Info | null | undefined {
  const [info, setInfo] = useState<Info | null>()
  useEffect(() => {
    serviceInfo().then(setInfo, () => setInfo(null))
  }, [])
  return info
}

/** Whether the session of this page may read the mail of all addresses: only on the operator's own machine. */
export function showsAllMail(info: Info | null | undefined): boolean {
  return info?.all_mail === true && isLoopbackName(location.hostname)
}
