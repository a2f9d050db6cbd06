/**
 * Mayfly as a construct: `new Mayfly(this, 'Mail', { domains: [{ name: 'mail.example.com', zone }]
 * })`. The programs that it deploys, and the pages, are inside of this package.
 */
import { fileURLToPath } from 'node:url'
import type { Construct } from 'constructs'
import { Mayfly as Service } from '../../../lib/mayfly.ts'
import type { MayflyProps } from '../../../lib/props.ts'

export { ConfigError } from '../../../core/errors.ts'
export type { DnsRecord } from '../../../lib/mail-in/identities.ts'
export type {
  MayflyDomain,
  MayflyHost,
  MayflyProps,
  MayflySmtp,
  MayflyTasks,
  MayflyVpc,
  Way,
} from '../../../lib/props.ts'

const inside = (folder: string) => fileURLToPath(new URL(folder, import.meta.url))

/** The whole service: mail in, REST and Server-Sent Events out, under one base URL. */
export class Mayfly extends Service {
  /** @throws ConfigError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: MayflyProps = {}) {
    super(scope, id, props, { bundles: inside('bundles'), pages: inside('pages') })
  }
}
