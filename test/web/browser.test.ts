import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { showBadge } from '../../web/inbox/favicon.ts'
import { InboxStore } from '../../web/inbox/inbox-store.ts'
import { notificationsOn, notify, turnNotificationsOff, turnNotificationsOn } from '../../web/inbox/notify.ts'
import { copyText } from '../../web/lib/clipboard.ts'
import { credentials } from '../../web/lib/credentials.ts'
import { ApiProblem } from '../../web/lib/problem.ts'
import { withAccess } from '../../web/lib/session.ts'
import { email } from './email.ts'

/** What the pages use of a browser, without a browser: its parts are replaced by plain objects. */
beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(globalThis, { addEventListener: () => {} })
})
afterEach(() => {
  jest.useRealTimers()
})

describe('the clipboard', () => {
  class Element {
    value = ''
    className = ''
    readonly done: string[] = []
    focus() {
      this.done.push('focused')
    }
    select() {
      this.done.push('selected')
    }
    remove() {
      this.done.push('removed')
    }
    append({ value }: Element) {
      this.done.push(`has ${value}`)
    }
  }

  test('of a page on plain http is filled by a selection, and the focus returns', async () => {
    const [button, field, body, dialog] = [new Element(), new Element(), new Element(), new Element()]
    let isAllowed = true
    let open: Element | null = null
    Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
    Object.assign(globalThis, {
      HTMLElement: Element,
      document: {
        activeElement: button,
        body,
        createElement: () => field,
        querySelector: (selector: string) => (selector === 'dialog[open]' ? open : null),
        execCommand: (command: string) => field.done.push(command) > 0 && isAllowed,
      },
    })
    expect(await copyText('482913')).toBe(true)
    expect([body.done, button.done]).toEqual([['has 482913'], ['focused']])
    expect([field.done, field.className]).toEqual([['selected', 'copy', 'removed'], 'visually-hidden'])
    // While a dialog is open, nothing outside of it can be selected.
    open = dialog
    isAllowed = false
    expect(await copyText('739105')).toBe(false)
    expect([body.done.length, dialog.done]).toEqual([1, ['has 739105']])
  })
})

describe('the session of a browser', () => {
  test('is opened once by requests at the same time, and again when it has ended', async () => {
    let opened = 0
    const hour = 3_600_000
    globalThis.fetch = async () => {
      opened++
      return Response.json({ expires_at: new Date(Date.now() + hour).toISOString() })
    }
    const request = () => withAccess(async (access) => access)
    expect(await Promise.all([request(), request()])).toEqual([{}, {}])
    await request()
    expect(opened).toBe(1)
    jest.advanceTimersByTime(hour + 1)
    await request()
    expect(opened).toBe(2)
  })

  test('does not hide an error that is not of the service', async () => {
    const fault = new RangeError('a fault of this page')
    await expect(withAccess(() => Promise.reject(fault))).rejects.toBe(fault)
  })

  test('at its limit, a request is sent again with the key of the user, if there is one', async () => {
    globalThis.fetch = async () =>
      Response.json({ expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    const request = () =>
      withAccess(async ({ apiKey }) => {
        if (apiKey !== undefined) return apiKey
        throw new ApiProblem('rate_limited', '', '', { status: 429 })
      })
    await expect(request()).rejects.toMatchObject({ code: 'rate_limited' })
    credentials.apiKey = 'mf_own'
    expect(await request()).toBe('mf_own')
    credentials.apiKey = undefined
  })
})

describe('notifications', () => {
  test('are shown for emails that arrive while the page is hidden', async () => {
    const shown: [string, NotificationOptions][] = []
    const done: string[] = []
    let last: Notification | undefined
    class Notification {
      static permission = 'granted'
      static requestPermission = async () => Notification.permission
      onclick = () => {}
      constructor(title: string, options: NotificationOptions) {
        if (title === 'on Android') throw new TypeError('Illegal constructor')
        shown.push([title, options])
        last = this
      }
      close() {
        done.push('closed')
      }
    }
    const document = { visibilityState: 'hidden' }
    const window = { focus: () => done.push('focused') }
    Object.assign(globalThis, { Notification, document, window, isSecureContext: true })
    notify(email('1', { subject: 'before the user wants them' }))
    await turnNotificationsOn()
    notify(email('2', { subject: 'hidden' }))
    notify(email('4', { subject: '', codes: ['739105'] }))
    document.visibilityState = 'visible'
    notify(email('3', { subject: 'visible' }))
    expect(shown).toEqual([
      ['hidden', { body: 'Sender <sender@example.org>', tag: '2' }],
      ['New email', { body: 'Code 739105 · Sender <sender@example.org>', tag: '4' }],
    ])
    last?.onclick()
    expect(done).toEqual(['focused', 'closed'])

    document.visibilityState = 'hidden'
    expect(() => notify(email('5', { subject: 'on Android' }))).not.toThrow()
    // `default`: the user has closed the question without an answer.
    for (const permission of ['denied', 'default']) {
      Notification.permission = permission
      expect([notificationsOn(), await turnNotificationsOn()]).toEqual([false, false])
    }
    Notification.permission = 'granted'
    Object.assign(globalThis, { isSecureContext: false })
    expect(notificationsOn()).toBe(false)
    Object.assign(globalThis, { isSecureContext: true })
    expect(notificationsOn()).toBe(true)
    turnNotificationsOff()
    notify(email('6', { subject: 'after the user wants no more' }))
    Notification.permission = 'denied'
    await turnNotificationsOn()
    Notification.permission = 'granted'
    expect([notificationsOn(), shown.length]).toEqual([false, 2])
  })
})

test('the icon of the tab shows how many emails are unread, and is its own again when there are none', () => {
  const link = { href: 'http://a.test/icon.svg' }
  Object.assign(globalThis, { document: { querySelector: () => link } })
  const shown = (unread: number) => {
    showBadge(unread)
    const svg = decodeURIComponent(link.href.replace('data:image/svg+xml,', ''))
    return /font-size="(\d+)".*>(.*)<\/text>/.exec(svg)?.slice(1) ?? link.href
  }
  expect([1, 12, 99, 100].map(shown)).toEqual([
    ['20', '1'],
    ['18', '12'],
    ['18', '99'],
    ['14', '99+'],
  ])
  expect(shown(0)).toBe('http://a.test/icon.svg')
})

describe('the unread emails of an inbox', () => {
  test('do not count those that are being deleted', () => {
    const inbox = new InboxStore('bot@mayfly.test', () => {})
    inbox.emails = [email('3'), email('2'), email('1', { read: true })]
    expect(inbox.unread).toBe(2)
    inbox.deletions.add(['3'])
    expect(inbox.unread).toBe(1)
    inbox.deletions.undo()
    expect(inbox.unread).toBe(2)
  })
})
