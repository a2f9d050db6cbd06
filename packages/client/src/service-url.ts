import { MayflyError } from './errors.ts'

export interface ServiceUrl {
  /** The base URL without a slash at its end, without credentials. */
  url: string
  /** The user and password of the URL in the form of HTTP basic authentication (RFC 7617). */
  credentials: string | undefined
}

/** Parses the base URL of a service. @throws MayflyError `invalid_url` */
export function parseServiceUrl(text: string): ServiceUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    // Neither credentials nor a part of them belong into a log.
    const shown = text.replace(/^(\w+:\/\/)?.*@/, '$1…@')
    throw new MayflyError(
      'invalid_url',
      `"${shown}" is no URL of a service; one looks like http://127.0.0.1:8025.`,
      { advice: 'It comes from `url` or MAYFLY_URL.' },
    )
  }
  const { origin, pathname, username, password } = url
  const hasCredentials = username !== '' || password !== ''
  return {
    url: (origin + pathname).replace(/\/+$/, ''),
    credentials: hasCredentials ? base64(`${decoded(username)}:${decoded(password)}`) : undefined,
  }
}

/** Whether the base URL always names this machine (RFC 6761, section 6.3). test/packages/loopback.json has examples. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** A percent sign that begins no encoded byte is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
