/**
 * The networks in which a client is counted, each with the factor of its limit. One subscriber has a
 * /64, some have a /56, and a /48 costs nothing (RFC 6177): without the wider counts, one attacker
 * would be 65,536 clients.
 */
const WIDER: [bits: number, factor: number][] = [
  [56, 4],
  [48, 10],
]
/** As `clientNetwork` writes it. Further text, such as a minute, belongs to the count. */
const NETWORK = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})::\/64(.*)$/

/**
 * The client's network and the wider ones around it, the narrowest first.
 * @param client from `clientNetwork` (core/access/client.ts), or any other name, which has no wider
 *   network
 */
export function networksOf(client: string): [network: string, factor: number][] {
  const [, front, last = '', rest = ''] = client.includes('::/64') ? (NETWORK.exec(client) ?? []) : []
  if (front === undefined) return [[client, 1]]
  const wider = WIDER.map(([bits, factor]): [string, number] => {
    const kept = bits === 48 ? 0 : Number.parseInt(last, 16) & 0xff00
    return [`${front}:${kept.toString(16)}::/${bits}${rest}`, factor]
  })
  return [[client, 1], ...wider]
}

/** The widest network in which a client is counted: one site. */
export function siteOf(client: string): string {
  return networksOf(client).at(-1)![0]
}
