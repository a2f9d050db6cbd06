import { useLayoutEffect, useRef } from 'preact/hooks'
import { announce } from '../ui/announcer.ts'
import { copyAndAnnounce } from '../ui/copy.tsx'
import type { InboxStore } from './inbox-store.ts'

interface Actions {
  store: InboxStore
  /** The email that is open. */
  id: string | undefined
  open: (id: string | undefined) => void
  remove: (ids: string[]) => void
  help: () => void
}

/** The keys and what they do, as the dialog shows them. */
export const SHORTCUTS = [
  ['j', 'Next email'],
  ['k', 'Previous email'],
  ['Enter', 'Open the email'],
  ['Esc', 'Back to the list'],
  ['x', 'Select the email'],
  ['r', 'Mark as read'],
  ['=', 'Compare selected'],
  ['c', 'Copy the code'],
  ['o', 'Open the action link'],
  ['#', 'Delete'],
  ['u', 'Undo the deletion'],
  ['/', 'Search'],
  ['Shift R', 'Refresh the list'],
  ['?', 'Show shortcuts'],
] as const

/** Handles single keys while no field has the focus and no dialog is open. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions)
  latest.current = actions
  /** The email that Escape closes. Its row gets the focus when the list is shown without the email. */
  const closing = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (actions.id === undefined && closing.current !== undefined) rowOf(closing.current)?.focus()
    closing.current = undefined
  }, [actions.id])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Ctrl+C and other combinations belong to the browser.
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (document.querySelector('dialog[open]') !== null) return
      if (isField(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      if (event.key === 'Escape') closing.current = latest.current.id
      if (act(event.key, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function act(key: string, { store, id, open, remove, help }: Actions): boolean {
  const current = id ?? focusedMail()
  const email = current === undefined ? undefined : store.find(current)
  if (key === 'j' || key === 'k') {
    step(store, current, key === 'j' ? 1 : -1, id === undefined ? undefined : open)
  } else if (key === 'Escape') {
    if (id === undefined) return false
    open(undefined)
  } else if (key === 'c') {
    copyCode(email?.codes[0] ?? store.shown.find(({ codes }) => codes.length > 0)?.codes[0])
  } else if (key === 'o') {
    const url = email?.action_link?.url
    if (url === undefined) announce('This email has no action link')
    else window.open(url, '_blank', 'noopener,noreferrer')
  } else if (key === 'x') {
    if (current !== undefined) boxOf(current)?.click()
  } else if (key === 'r') {
    if (isChoosing()) pressForSelection('Mark selected as read')
    else if (current !== undefined)
      void store.markRead([current]).catch(() => announce('The email could not be marked'))
  } else if (key === 'R') {
    void store
      .refresh()
      .then(() => announce(store.problem === undefined ? 'Refreshed' : 'The list could not be read'))
  } else if (key === '=') {
    document.querySelector<HTMLElement>('.list-head [data-compare]')?.click()
  } else if (key === '#') {
    if (isChoosing()) pressForSelection('Delete selected')
    else if (current !== undefined) remove([current])
  } else if (key === 'u') store.deletions.undo()
  else if (key === '/') document.querySelector<HTMLElement>('.search input')?.focus()
  else if (key === '?') help()
  else return false
  return true
}

/** Moves to the next row, or opens the next email if one is open. */
function step(store: InboxStore, from: string | undefined, by: 1 | -1, open?: (id: string) => void): void {
  const { shown } = store
  const at = shown.findIndex(({ id }) => id === from)
  const next = shown[at === -1 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)]
  if (next === undefined) return
  if (open === undefined) rowOf(next.id)?.focus()
  else open(next.id)
}

function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-mail="${id}"]`)
}

/** The box that selects an email. */
function boxOf(id: string): HTMLElement | null | undefined {
  return rowOf(id)?.closest('li')?.querySelector('input[type="checkbox"]')
}

function isChoosing(): boolean {
  return document.querySelector('[data-choosing="true"]') !== null
}

function pressForSelection(label: string): void {
  document.querySelector<HTMLElement>(`.list-head [aria-label="${label}"]`)?.click()
}

function focusedMail(): string | undefined {
  return (document.activeElement as HTMLElement | null)?.dataset.mail
}

function copyCode(code: string | undefined): void {
  if (code === undefined) announce('There is no code to copy')
  else void copyAndAnnounce(code, `code ${code}`)
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), select, textarea, [contenteditable]') !== null
  )
}
