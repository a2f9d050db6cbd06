import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { HttpLinkChecker, type LinkCheckerOptions } from '../../../adapters/webhooks/link-checker.ts'
import { requestTarget } from '../../../adapters/webhooks/request.ts'
import { listening } from '../../support/http-server.ts'

const PRIVATE = [
  '127.0.0.1',
  'localhost',
  'slow.example',
  'rebinds.example',
  ...Array.from({ length: 40 }, (_, i) => `h${i}.example`),
]

describe('the link checker', () => {
  let server: Awaited<ReturnType<typeof listening>>
  let port: string
  /** The requests so far, as `HEAD /path`. */
  let requests: string[]
  let answer: (request: IncomingMessage, response: ServerResponse) => void

  beforeEach(async () => {
    requests = []
    server = await listening(
      createServer((request, response) => {
        requests.push(`${request.method} ${request.url}`)
        answer(request, response)
      }),
    )
    port = new URL(server.url).port
  })
  afterEach(() => server.close())

  const checkerOf = (options: Partial<LinkCheckerOptions> = {}) =>
    new HttpLinkChecker({ isForEveryone: true, privateHosts: PRIVATE, version: '1', ...options })
  const url = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`
  /** A checker in whose world every name is on the internet, and answered by the server of the test. */
  const onInternet = (options: Partial<LinkCheckerOptions> = {}) =>
    checkerOf({
      isForEveryone: false,
      lookup: async () => [{ address: '8.8.8.8', family: 4 }],
      send: (target, request, signal) =>
        requestTarget({ ...target, address: '127.0.0.1', family: 4 }, request, signal),
      ...options,
    })

  test('reports the status of each link, in the order of the links', async () => {
    answer = ({ url: path }, response) => response.writeHead(path === '/gone' ? 410 : 200).end()
    const found = await checkerOf().check([url('/a'), url('/gone'), url('/a')], 'c')
    expect(found.map(({ url: link, status, error }) => [link, status, error])).toEqual([
      [url('/a'), 200, null],
      [url('/gone'), 410, null],
      [url('/a'), 200, null],
    ])
    expect(requests).toEqual(['HEAD /a', 'HEAD /gone'])
  })

  test('says who asks, and how long it took', async () => {
    const asked: string[][] = []
    answer = ({ method, headers }, response) => {
      asked.push([method!, headers['user-agent']!, headers.accept!])
      response.writeHead(method === 'HEAD' ? 405 : 399).end()
    }
    const before = performance.now()
    const [found] = await checkerOf().check([url('/')], 'c')
    expect(found!.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - before))
    expect(Number.isInteger(found!.ms)).toBe(true)
    expect(found).toMatchObject({ status: 399, redirects: [], error: null })
    const headers = ['Mayfly/1 (link check)', '*/*']
    expect(asked).toEqual([
      ['HEAD', ...headers],
      ['GET', ...headers],
    ])
  })

  test.each([
    [301, true],
    [302, true],
    [303, true],
    [307, true],
    [308, true],
    [300, false],
    [304, false],
    [201, false],
  ])('whether the answer %d redirects: %s', async (status, redirects) => {
    answer = ({ url: path }, response) =>
      response.writeHead(path === '/' ? status : 200, { Location: '/next' }).end()
    const [found] = await checkerOf().check([url('/')], 'c')
    expect(found).toMatchObject(
      redirects ? { status: 200, redirects: [url('/next')] } : { status, redirects: [] },
    )
  })

  test('a redirect without a target is an answer, and a long target is shown cut', async () => {
    const long = `/${'x'.repeat(3000)}`
    answer = ({ url: path }, response) => {
      if (path === '/long') response.writeHead(302, { Location: long }).end()
      else response.writeHead(path === '/nowhere' ? 302 : 200).end()
    }
    const [nowhere, cut] = await checkerOf().check([url('/nowhere'), url('/long')], 'c')
    expect(nowhere).toMatchObject({ status: 302, redirects: [], error: null })
    expect(cut).toMatchObject({ status: 200, redirects: [url(long).slice(0, 2048)], error: null })
    expect(requests).toContain(`HEAD ${long}`)
  })

  test.each(['nonsense', 'ftp://x.example/', 'mailto:a@b.example'])(
    'the link %s is not requested, and says why',
    async (link) => {
      const [found] = await checkerOf().check([link], 'c')
      expect(found).toMatchObject({ url: link, status: null, error: expect.stringContaining('The target') })
    },
  )

  test('a fault on HEAD other than an end of the connection is no reason for a GET', async () => {
    const methods: string[] = []
    const send: typeof requestTarget = async (_target, { method }) => {
      methods.push(method)
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    }
    const [found] = await checkerOf({ send }).check([url('/')], 'c')
    expect(found).toMatchObject({ status: null, error: 'The target refused the connection.' })
    expect(methods).toEqual(['HEAD'])
  })

  test('asks by GET where HEAD is refused or not answered', async () => {
    answer = ({ method, url: path, socket }, response) => {
      if (method === 'HEAD' && path === '/ends') socket.destroy()
      else response.writeHead(method === 'HEAD' ? 405 : 204).end()
    }
    const found = await checkerOf().check([url('/refuses'), url('/ends')], 'c')
    expect(found.map(({ status }) => status)).toEqual([204, 204])
  })

  test.each([
    [405, 204],
    [501, 204],
    [404, 404],
    [500, 500],
  ])(
    'a refusal of HEAD by %i gives the status %i, because only some say that there is no HEAD',
    async (refusal, status) => {
      answer = ({ method }, response) => response.writeHead(method === 'HEAD' ? refusal : 204).end()
      const [found] = await checkerOf().check([url('/')], 'c')
      expect(found!.status).toBe(status)
    },
  )

  test('follows redirects, and shows each, up to five', async () => {
    answer = ({ url: path = '' }, response) => {
      const n = Number(path.slice(1))
      if (n === 0) response.writeHead(200).end()
      else response.writeHead(302, { Location: `/${n - 1}` }).end()
    }
    const [two, six] = await checkerOf().check([url('/2'), url('/6')], 'c')
    expect(two).toMatchObject({ status: 200, redirects: [url('/1'), url('/0')], error: null })
    expect(six).toMatchObject({ status: 302, error: 'It redirects more than 5 times.' })
    expect(six?.redirects.length).toBe(5)
  })

  test.each([
    ['mailto:a@b.example', 'The target must be an http or https URL.'],
    ['http://user:secret@h.example/', 'The target must not contain a user name or password.'],
    ['http://[', 'It redirects to something that is not a URL.'],
  ])('a redirect to %s is not followed', async (location, error) => {
    answer = (_request, response) => response.writeHead(302, { Location: location }).end()
    const [found] = await checkerOf().check([url('/')], 'c')
    expect(found).toMatchObject({ status: 302, error })
    expect(requests.length).toBe(1)
  })

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[fd00:ec2::254]'])(
    'a link or a redirect of the internet to %s is refused, wherever the service listens',
    async (host) => {
      answer = (_request, response) =>
        response.writeHead(302, { Location: `http://${host}:${port}/secret` }).end()
      const error = 'The target is not on the public internet.'
      for (const isForEveryone of [false, true]) {
        const [found] = await onInternet({ isForEveryone }).check([url('/', 'mail.example')], 'c')
        expect(found).toMatchObject({ status: 302, redirects: [`http://${host}:${port}/secret`], error })
      }
      const [direct] = await checkerOf({ privateHosts: [] }).check([`http://${host}:${port}/secret`], 'c')
      expect(direct).toMatchObject({ status: null, error })
      expect(requests).toEqual(['HEAD /', 'HEAD /'])
    },
  )

  test('requests named hosts of private networks, but not the metadata of clouds, and no other host', async () => {
    answer = (_request, response) => response.writeHead(200).end()
    const reached: string[] = []
    const send: typeof requestTarget = (target, request, signal) => {
      reached.push(target.address)
      return requestTarget({ ...target, address: '127.0.0.1', family: 4 }, request, signal)
    }
    const addresses = ['10.0.0.1', '192.168.1.1', 'fc00::1', '169.254.169.254', 'fd00:ec2::254', '0.0.0.0']
    // The name of each host is its position.
    const lookup = async (host: string) => [{ address: addresses[Number(host[1])] ?? '', family: 4 }]
    const links = addresses.map((_, i) => url('/', `h${i}.example`))
    const found = await checkerOf({ send, lookup }).check(links, 'c')
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, null, null, null])
    expect(reached.sort()).toEqual(['10.0.0.1', '192.168.1.1', 'fc00::1'])
    const [named, other] = [`h0.example:${port}`, 'h0.example:1']
    for (const privateHosts of [[], [other], ['h1.example']]) {
      const [refused] = await checkerOf({ send, lookup, privateHosts }).check([links[0]!], 'c')
      expect(refused?.error).toBe('The target is not on the public internet.')
    }
    const [byPort] = await checkerOf({ send, lookup, privateHosts: [named] }).check([links[0]!], 'c')
    expect(byPort?.status).toBe(200)
  })

  test('a name that changes its address is resolved once for each request, and every address is checked', async () => {
    answer = (_request, response) => response.writeHead(200).end()
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '8.8.8.8', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ],
    ]
    const checker = checkerOf({ lookup: async () => answers.shift() ?? [] })
    const [first] = await checker.check([url('/', 'rebinds.example')], 'c')
    const [second] = await checker.check([url('/', 'rebinds.example')], 'c')
    const [third] = await checker.check([url('/', 'rebinds.example')], 'c')
    expect([first?.status, second?.error, third?.error]).toEqual([
      200,
      'The target is not on the public internet.',
      'rebinds.example was not found (DNS).',
    ])
    expect(requests).toEqual(['HEAD /'])
  })

  test('a host that does not answer is asked once, and delays no other host', async () => {
    answer = ({ headers }, response) => {
      if (!headers.host?.startsWith('slow')) response.writeHead(200).end()
    }
    const checker = checkerOf({
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      times: { checkMs: 60_000, linkMs: 300 },
    })
    const slow = Array.from({ length: 1000 }, (_, i) => url(`/${i}`, 'slow.example'))
    const found = await checker.check([...slow, url('/quick')], 'c')
    expect(found[0]?.error).toBe('The target did not answer in time.')
    expect(found[1]?.error).toBe('Not requested, because this host did not answer before.')
    expect(found.at(-1)?.status).toBe(200)
    expect(requests.sort()).toEqual(['HEAD /0', 'HEAD /quick'])
  })

  test('a host that fails in another way is asked for its next link', async () => {
    answer = ({ url }, response) => {
      if (url === '/broken') response.socket?.destroy()
      else response.writeHead(200).end()
    }
    const found = await checkerOf().check([url('/broken'), url('/fine')], 'c')
    expect(found[0]?.error).not.toBeNull()
    expect(found[1]?.status).toBe(200)
  })

  test('a check ends when its time is over, and says which links it has not requested', async () => {
    answer = () => {}
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const checker = checkerOf({ lookup, times: { checkMs: 300, linkMs: 60_000 } })
    const links = Array.from({ length: 40 }, (_, i) => url('/', `h${i}.example`))
    const found = await checker.check(links, 'c')
    expect(found.length).toBe(40)
    expect(new Set(found.map(({ error }) => error))).toEqual(
      new Set(['The target did not answer in time.', 'Not requested, because the check took too long.']),
    )
    // Six hosts at a time.
    expect(requests.length).toBe(6)
  })

  test('the body of an answer is not read, and headers are bounded', async () => {
    const closed: Promise<unknown>[] = []
    answer = ({ method, url: path, socket }, response) => {
      if (method === 'HEAD') return response.writeHead(405).end()
      closed.push(new Promise((resolve) => socket.on('close', resolve)))
      if (path === '/headers') return response.writeHead(200, { X: 'x'.repeat(64 * 1024) }).end()
      response.writeHead(200)
      const more = () => response.write(Buffer.alloc(64 * 1024), () => !socket.destroyed && more())
      more()
    }
    // No time limit ends the connections.
    const checker = checkerOf({ times: { checkMs: 600_000, linkMs: 600_000 } })
    const [huge, headers] = await checker.check([url('/huge'), url('/headers')], 'c')
    expect([huge?.status, headers?.error]).toEqual([200, 'The headers of the answer are too large.'])
    await Promise.all(closed)
  })

  test('one request at a time per host, also of two checks', async () => {
    let running = 0
    let most = 0
    answer = (_request, response) => {
      most = Math.max(most, ++running)
      setTimeout(() => {
        running--
        response.writeHead(200).end()
      }, 10)
    }
    const checker = checkerOf()
    const links = Array.from({ length: 5 }, (_, i) => url(`/${i}`))
    await Promise.all([checker.check(links, 'a'), checker.check(links, 'b')])
    expect([most, requests.length]).toEqual([1, 10])
  })

  test('a client that is refused may ask again after the 20 seconds that a check may take', async () => {
    answer = (_request, response) => response.writeHead(200).end()
    const checker = checkerOf()
    const running = Array.from({ length: 4 }, () => checker.check([url('/')], 'a'))
    await expect(checker.check([url('/')], 'a')).rejects.toMatchObject({ retryAfter: 20 })
    await Promise.all(running)
  })

  test('a process runs few checks at the same time, and one client does not take all', async () => {
    answer = () => {}
    const checker = checkerOf({ times: { checkMs: 500, linkMs: 60_000 } })
    const running = Array.from({ length: 4 }, () => checker.check([url('/')], 'a'))
    await expect(checker.check([url('/')], 'a')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: 1,
    })
    running.push(checker.check([url('/')], 'b'))
    await Promise.all(running)
    answer = (_request, response) => response.writeHead(200).end()
    expect((await checker.check([url('/')], 'a'))[0]?.status).toBe(200)
  })
})
