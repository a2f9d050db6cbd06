/** Calls to the emulated AWS for which the project has no SDK client, without a valid signature. */

export interface Cloud {
  endpoint: string
  /** Calls a service that uses the query protocol; resolves to the XML of the response. */
  query(service: string, parameters: Record<string, string>): Promise<string>
  /** Calls a service that uses the JSON protocol. */
  // biome-ignore lint/suspicious/noExplicitAny: the services return JSON of any shape
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

/** Returns the texts of all elements with this name. */
export function elements(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text]) => text!)
}
