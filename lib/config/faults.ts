import { Token } from 'aws-cdk-lib'
import type { IHostedZone } from 'aws-cdk-lib/aws-route53'
import { parseDomain } from '../../core/address.ts'

/** Collects the faults of a configuration, a sentence each. */
export class Faults {
  readonly list: string[] = []

  when(isFault: boolean, text: string): void {
    if (isFault) this.list.push(text)
  }

  whole(value: number, min: number, max: number, name: string): void {
    this.when(
      !Number.isInteger(value) || value < min || value > max,
      `${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`,
    )
  }

  domain(name: string, field: string): void {
    const canonical = canonicalDomain(name)
    if (canonical === name) return
    const right = canonical === undefined ? '' : `, such as "${canonical}"`
    this.when(true, `${field} must be a domain name in lower case${right}, not ${JSON.stringify(name)}`)
  }

  zone(zone: IHostedZone | undefined, name: string, field: string): void {
    if (zone === undefined || Token.isUnresolved(zone.zoneName)) return
    const zoneName = zone.zoneName.replace(/\.$/, '').toLowerCase()
    const holds = name === zoneName || name.endsWith(`.${zoneName}`)
    this.when(!holds, `${field} is the zone ${zoneName}, which does not hold ${name}`)
  }
}

/** Returns the name as it is stored and compared; undefined if it is no domain name. */
function canonicalDomain(name: string): string | undefined {
  try {
    return parseDomain(name.replace(/\.$/, ''))
  } catch {
    return undefined
  }
}
