import dns2 from 'dns2'

type Kind = 'MX' | 'TXT' | 'CNAME'
type Behaviour = 'answer' | 'servfail' | 'silent'

/** A real DNS server on loopback whose zone the test defines. Unknown names are NXDOMAIN. */
export interface TestDns {
  /** `ip:port`, as the configuration takes it. */
  address: string
  /** How many questions it received. */
  readonly questions: number
  set(kind: Kind, name: string, values: string[]): void
  /** Names for which it fails or does not answer. */
  misbehave(name: string, behaviour: Behaviour): void
  close(): Promise<void>
}

const NXDOMAIN = 3
const SERVFAIL = 2

export async function startDns(): Promise<TestDns> {
  const records = new Map<string, string[]>()
  const behaviours = new Map<string, Behaviour>()
  const { Packet } = dns2
  let questions = 0
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request)
      questions++
      const [question] = request.questions
      const name = question!.name.toLowerCase()
      const behaviour = behaviours.get(name) ?? 'answer'
      if (behaviour === 'silent') return
      if (behaviour === 'servfail') response.header.rcode = SERVFAIL
      else {
        const kind = (['MX', 'TXT', 'CNAME'] as const).find(
          (k) => Packet.TYPE[k] === (question as { type?: number }).type,
        )
        const values = kind === undefined ? [] : (records.get(`${kind} ${name}`) ?? [])
        const known = ['MX', 'TXT', 'CNAME'].some((k) => records.has(`${k} ${name}`))
        if (!known) response.header.rcode = NXDOMAIN
        for (const value of values) response.answers.push(answer(kind!, name, value) as never)
      }
      send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  return {
    address: `127.0.0.1:${udp!.port}`,
    get questions() {
      return questions
    },
    set: (kind, name, values) => {
      if (values.length === 0) records.delete(`${kind} ${name}`)
      else records.set(`${kind} ${name}`, values)
    },
    misbehave: (name, behaviour) => behaviours.set(name, behaviour),
    close: async () => {
      await server.close()
    },
  }

  function answer(kind: Kind, name: string, value: string) {
    const base = { name, type: Packet.TYPE[kind], class: Packet.CLASS.IN, ttl: 0 }
    if (kind === 'TXT') return { ...base, data: value }
    if (kind === 'CNAME') return { ...base, domain: value }
    const [priority, exchange] = value.split(' ')
    return { ...base, priority: Number(priority), exchange }
  }
}
