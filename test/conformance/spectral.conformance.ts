import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ended, type RunningService, startService } from '../support/service.ts'
import { npmPackage, npmVersion } from './installed.ts'
import { acceptedOnly, recordRow } from './row.ts'

const SPECTRAL = '@stoplight/spectral-cli'

interface Finding {
  code: string
  path: string[]
  message: string
}

let service: RunningService
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'mayfly-spectral-'))
})

afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What the rules for OpenAPI find in a document, warnings and hints included. */
async function findings(document: string): Promise<string[]> {
  const [file, rules, results] = ['openapi.json', 'rules.json', 'results.json'].map((name) =>
    join(folder, name),
  )
  await writeFile(file!, document)
  await writeFile(rules!, JSON.stringify({ extends: [['spectral:oas', 'all']] }))
  const child = spawn(process.execPath, [
    join(npmPackage(SPECTRAL), 'dist/index.js'),
    ...['lint', file!, '--ruleset', rules!, '--format', 'json', '--output', results!, '--quiet'],
  ])
  const { output } = await ended(child)
  const text = await readFile(results!, 'utf8').catch(() => {
    throw new Error(output)
  })
  return (JSON.parse(text) as Finding[]).map(
    ({ code, path, message }) => `${code} ${path.join('.')}: ${message}`,
  )
}

test('Spectral finds nothing in the OpenAPI document', async () => {
  const document = await (await fetch(`${service.http}/api/openapi.json`)).text()
  const broken = JSON.parse(document)
  broken.paths['/api/health'].get.operationId = 'info'
  delete broken.paths['/api/health'].get.description
  const found = (await findings(JSON.stringify(broken))).map((finding) => finding.split(' ')[0])
  expect(found).toEqual(expect.arrayContaining(['operation-description', 'operation-operationId-unique']))
  const accepted = acceptedOnly(await findings(document))
  recordRow({
    suite: 'Spectral',
    version: npmVersion(SPECTRAL),
    examined: 'all rules for OpenAPI, on the document that the service serves',
    accepted,
    failedIn030: 'no operation had a description or a tag, and the API no contact',
  })
})
