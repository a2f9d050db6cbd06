/** Calls of the emulated AWS that none of our dependencies makes: without an SDK, and without a real signature. */

export interface Cloud {
  endpoint: string
  /** A service of the query protocol; the answer is XML. */
  query(service: string, parameters: Record<string, string>): Promise<string>
  /** A service of the JSON protocol. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the service says
  json(service: string, target: string, body: object): Promise<any>
}

export function openCloud(endpoint: string): Cloud {
  const send = async (service: string, type: string, body: string, headers: Record<string, string> = {}) => {
    const scope = `Credential=test/20260101/us-east-1/${service}/aws4_request`
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': type,
        Authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`,
        ...headers,
      },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text}`)
    return text
  }
  return {
    endpoint,
    query: (service, parameters) =>
      send(service, 'application/x-www-form-urlencoded', new URLSearchParams(parameters).toString()),
    json: async (service, target, body) =>
      JSON.parse(
        await send(service, 'application/x-amz-json-1.1', JSON.stringify(body), { 'X-Amz-Target': target }),
      ),
  }
}

/** The texts of every element of this name. */
export function elements(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text]) => text!)
}
