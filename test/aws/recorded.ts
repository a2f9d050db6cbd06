import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Properties, synthesise } from '../lib/synth.ts'

/** The configuration of the recorded templates. */
export const RECORDED_CONFIG = { domains: [{ name: 'old.example' }] }

const FOLDER = new URL('../fixtures/aws/', import.meta.url).pathname
const fileOf = (version: string) => `${FOLDER}mayfly-${version}.template.json.gz`

/** The versions from 0.4 on whose template is recorded. */
export const RECORDED_VERSIONS = globSync('mayfly-*.template.json.gz', { cwd: FOLDER }).map(
  (file) => /^mayfly-(.*)\.template/.exec(file)![1]!,
)

/** Writes the template of the present version, as `npm run record:template` does at each release. */
export async function record(version: string): Promise<void> {
  const options = { pages: false, props: { image: 'example.test/mayfly-sse:1' } }
  const { template } = synthesise(RECORDED_CONFIG, options)
  await writeFile(fileOf(version), gzipSync(JSON.stringify(template.toJSON()), { level: 9 }))
}

/**
 * Returns a recorded template whose functions run the programs of the present one, because the
 * bundles of a release are not kept. Functions that the present template does not have only confirm
 * custom resources.
 *
 * @param dnsServer of the verification functions
 */
export function recordedTemplate(version: string, present: Properties, dnsServer: string): string {
  const template = JSON.parse(gunzipSync(readFileSync(fileOf(version))).toString()) as Properties
  for (const [id, { Type, Properties: of }] of Object.entries<Properties>(template.Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue
    of.Code = present.Resources[id]?.Properties.Code ?? { ZipFile: CONFIRMS }
    if (of.Environment?.Variables?.MAYFLY_MX_HOST !== undefined)
      of.Environment.Variables.MAYFLY_DNS_SERVER = dnsServer
  }
  return JSON.stringify(template)
}

const CONFIRMS = `exports.handler = async (event) => {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = 'recorded' } = event
  const body = JSON.stringify({ Status: 'SUCCESS', StackId, RequestId, LogicalResourceId, PhysicalResourceId })
  if (event.ResponseURL) await fetch(event.ResponseURL, { method: 'PUT', headers: { 'Content-Type': '' }, body })
}`
