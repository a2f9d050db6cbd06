import { execFileSync, spawnSync } from 'node:child_process'
import { afterEach, expect, jest, test } from '@jest/globals'
import { ClientRate } from '../../core/access/client-rate.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { startService as startInProcess } from '../support/service-in-process.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const KEY = 'operator-key-0123456789'
const PYTHON = '.venv/bin/python'
/** The reference parser of the format, which refuses a text that is not valid. */
const PARSE = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
list(text_string_to_metric_families(sys.stdin.read()))`

let service: RunningService
afterEach(() => service.stop())

test('are OpenMetrics, with what happened', async () => {
  service = await startService()
  await sendMail(service.smtp, { to: 'a@mayfly.test', subject: 's', text: 'x' })
  const client = await SmtpClient.open(service.smtp)
  await client.send('s@example.org', ['a@elsewhere.test'], 'x')
  client.close()
  for (let n = 0; n < 2; n++) await fetch(`${service.http}/api/nothing`)
  const waiting = fetch(`${service.http}/api/sse/a@mayfly.test`)
  await waiting
  const answer = await fetch(`${service.http}/metrics`)
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  const input = await answer.text()
  if (spawnSync(PYTHON, ['-c', PARSE], { input: '# EOF\n' }).status === 0)
    execFileSync(PYTHON, ['-c', PARSE], { input })
  else process.stderr.write('LEFT OUT: a parser of OpenMetrics needs prometheus-client (.ci/python).\n')
  const value = (name: string, label = '') => {
    const line = input.split('\n').find((one) => one.startsWith(name) && one.includes(label))
    return Number(line?.split(' ')[1])
  }
  expect(value('mayfly_mails_received_total')).toBe(1)
  expect(value('mayfly_received_bytes_total')).toBeGreaterThan(100)
  expect(value('mayfly_refused_total', 'smtp')).toBe(1)
  expect(value('mayfly_refused_total', 'send_api')).toBe(0)
  expect(value('mayfly_stored_bytes')).toBeGreaterThan(1000)
  expect([value('mayfly_streams'), value('mayfly_waits')]).toEqual([1, 0])
  expect(value('mayfly_http_requests_total', '404')).toBe(2)
  await (await waiting).body?.cancel()
})

test('count a request that the service fails to answer', async () => {
  service = await startInProcess({
    MAYFLY_HOST: '0.0.0.0',
    MAYFLY_API_KEYS: KEY,
    MAYFLY_CATCHER_APIS: 'open',
  })
  const url = service.http.replace('0.0.0.0', '127.0.0.1')
  const admitting = jest.spyOn(ClientRate.prototype, 'admit').mockImplementation(() => {
    throw new Error('a fault')
  })
  const { status } = await fetch(`${url}/api/v1/messages`)
  admitting.mockRestore()
  expect(status).toBe(500)
  const metrics = await fetch(`${url}/metrics`, { headers: { 'X-API-Key': KEY } })
  expect(await metrics.text()).toContain('mayfly_http_requests_total{status="500"} 1\n')
})

test('are for the operator where others can call', async () => {
  service = await startService({ MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: KEY })
  const url = `${service.http.replace('0.0.0.0', '127.0.0.1')}/metrics`
  const status = async (headers = {}) => (await fetch(url, { headers })).status
  expect([await status(), await status({ 'X-API-Key': 'x' }), await status({ 'X-API-Key': KEY })]).toEqual([
    401, 403, 200,
  ])
  expect((await (await fetch(url)).json()).detail).toMatch(
    /^This needs an operator’s key\. Operator’s keys are/,
  )
})
