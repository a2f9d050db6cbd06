import { FULL, IN_VPC, SHARED_RULES, SMTP_FIRST, WEB_FUNCTION } from '../../lib/configurations.ts'
import { type SynthOptions, synthesise } from '../../lib/synth.ts'
import { Policies } from './policies.ts'

/** The documented configurations, and one with a target of received mail. */
export const CONFIGURATIONS: Record<string, () => Policies> = {
  'every option': of(FULL),
  'the smallest configuration': of({}),
  'a web function': of(WEB_FUNCTION),
  'an existing network and a key': of(IN_VPC),
  'a rule set of others': of(SHARED_RULES),
  'SMTP first': of(SMTP_FIRST),
  'every option and a key': of({ ...FULL, encryptionKey: IN_VPC.encryptionKey }),
  'a web function and a key': of({ ...WEB_FUNCTION, encryptionKey: IN_VPC.encryptionKey }),
  'a web ACL of another Region': of({}, { props: { webAcl: { stackName: 'Mayfly-WebAcl-eu-west-1' } } }),
  'a target of received mail': of({}, { hasTarget: true }),
}

function of(config: object, options?: SynthOptions): () => Policies {
  return () => new Policies(synthesise(config, options).template.toJSON())
}
