import { describe, expect, test } from '@jest/globals'
import { APPS_AND_SOCIAL, isLastAddress, splitAddress } from '../../../reading/links/last.ts'

const SITE = 'https://harbour.example'

describe('an address that every footer links', () => {
  test.each([
    '/unsubscribe',
    '/opt-out',
    '/optout',
    '/preferences',
    '/email-settings',
    '/notificationsettings',
    '/abmelden',
    '/desinscription',
    '/desabonner',
    '/x?unsub=1',
    '/privacy',
    '/datenschutz',
    '/impressum',
    '/imprint',
    '/answer/42',
    '/terms',
    '/agb',
    '/legal/x',
    '/tos',
    '/cookie',
    '/cookies',
    '/gdpr',
    '/help',
    '/help/x',
    '/support',
    '/faq',
    '/contact/',
    '/about',
    '/careers',
  ])('%s', (rest) => {
    expect(isLastAddress(`${SITE}${rest}`)).toBe(true)
  })
  test.each(['/answer/42/x', '/termsx', '/helper', '/x?y=/privacy', '/x#/terms', '/xabout'])(
    'but not %s',
    (rest) => {
      expect(isLastAddress(`${SITE}${rest}`)).toBe(false)
    },
  )
  test('that of a calendar', () => {
    expect(isLastAddress('https://calendar.google.com/calendar/event?x')).toBe(true)
    expect(isLastAddress('https://calendar.google.com/x')).toBe(false)
    expect(isLastAddress('https://a.example/?u=https://calendar.google.com/calendar/x')).toBe(false)
  })
})

test('social networks and shops of apps', () => {
  const hosts =
    'facebook.com twitter.com x.com instagram.com linkedin.com youtube.com tiktok.com pinterest.de threads.net vk.com weibo.com bsky.app bsky.social discord.gg t.me wa.me apps.apple.com play.google.com itunes.apple.com whatsapp.com snapchat.com reddit.com medium.com xing.com steamcommunity.com twitch.tv de.linkedin.com'
  for (const host of hosts.split(' '))
    expect([
      host,
      ...['', '/a', '?a', '#a'].map((rest) => APPS_AND_SOCIAL.test(`https://${host}${rest}`)),
    ]).toEqual([host, true, true, true, true])
  for (const host of ['box.com', 'mytwitter.com', 'x.example', 'facebook.company', 'a.example/x.com'])
    expect([host, APPS_AND_SOCIAL.test(`https://${host}/a`)]).toEqual([host, false])
})

test.each([
  ['https://a.example', '', ''],
  ['https://a.example/b/c?d=/e#f', '/b/c', '/b/c?d=/e#f'],
  ['http://a.example/b#c', '/b', '/b#c'],
  ['https://a.example?b', '', '?b'],
])('the path of %s is "%s", and "%s" with all behind it', (url, path, rest) => {
  expect(splitAddress(url)).toEqual({ path, rest })
})
