#!/usr/bin/env node
/**
 * What the registry knows of the dependencies of the product: vulnerabilities that are high or critical, and packages
 * whose signature is wrong or missing. Ends with 1 for such a finding, and with 75 where there was no answer (a mirror
 * may have neither): then nothing is known, which is said and is neither passed nor failed.
 *
 * `audit.mjs vulnerabilities` or `audit.mjs signatures`
 */
import { spawnSync } from 'node:child_process'

const NO_ANSWER = 75

const CHECKS = {
  vulnerabilities: {
    arguments: ['audit', '--omit=dev', '--json'],
    findings: ({ vulnerabilities }) =>
      vulnerabilities &&
      Object.values(vulnerabilities)
        .filter(({ severity }) => severity === 'high' || severity === 'critical')
        .map(({ name, severity, range }) => `${name} ${range}: ${severity}`),
  },
  signatures: {
    arguments: ['audit', 'signatures', '--omit=dev', '--json'],
    findings: ({ invalid, missing }) =>
      invalid && [
        ...invalid.map(({ name, version }) => `${name} ${version}: its signature is wrong`),
        ...missing.map(({ name, version }) => `${name} ${version}: it has no signature`),
      ],
  },
}

const name = process.argv[2]
const check = CHECKS[name]
const { stdout, stderr } = spawnSync('npm', [...check.arguments, '--loglevel=error'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
})
const findings = check.findings(parsed(stdout))
if (findings === undefined) {
  const [reason] = /^npm error .+$/m.exec(stderr) ?? [stdout.trim() || 'npm said nothing']
  const [address] = /https?:\/\/\S+/.exec(stderr) ?? ['']
  console.log(`LEFT OUT: ${name} of the dependencies are not known: ${reason} ${address}`)
  process.exit(NO_ANSWER)
}
console.log(findings.length === 0 ? `${name}: nothing found` : findings.join('\n'))
process.exit(findings.length === 0 ? 0 : 1)

/** `{}` for what is no JSON. */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
