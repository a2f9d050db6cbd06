import { expect, test } from '@jest/globals'
import { createMetrics } from '../../../adapters/metrics/metrics.ts'

test('the metrics of a service, as a monitor reads them', async () => {
  let values = {
    received: 3,
    receivedBytes: 1500,
    refused: { smtp: 2, send_api: 1 },
    storedBytes: 4096,
    streams: 5,
    waits: 6,
  }
  const metrics = createMetrics(async () => values)
  for (const status of [200, 404, 200]) metrics.answered(status)
  const { text, contentType } = await metrics.scrape()
  expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(text.split('\n')).toEqual([
    '# HELP mayfly_mails_received Messages that were accepted',
    '# TYPE mayfly_mails_received counter',
    'mayfly_mails_received_total 3',
    '# HELP mayfly_received_bytes Bytes of the messages that were accepted',
    '# TYPE mayfly_received_bytes counter',
    'mayfly_received_bytes_total 1500',
    '# HELP mayfly_refused Recipients, senders and messages that were refused',
    '# TYPE mayfly_refused counter',
    'mayfly_refused_total{way="smtp"} 2',
    'mayfly_refused_total{way="send_api"} 1',
    '# HELP mayfly_stored_bytes Bytes that the database uses',
    '# TYPE mayfly_stored_bytes gauge',
    'mayfly_stored_bytes 4096',
    '# HELP mayfly_streams Open streams',
    '# TYPE mayfly_streams gauge',
    'mayfly_streams 5',
    '# HELP mayfly_waits Requests that wait for mail',
    '# TYPE mayfly_waits gauge',
    'mayfly_waits 6',
    '# HELP mayfly_http_requests Answered requests',
    '# TYPE mayfly_http_requests counter',
    'mayfly_http_requests_total{status="200"} 2',
    'mayfly_http_requests_total{status="404"} 1',
    '# EOF',
    '',
  ])
  // A counter has its new value, not the sum of both.
  values = { ...values, received: 4, streams: 0 }
  metrics.answered(404)
  const later = (await metrics.scrape()).text
  for (const line of [
    'mayfly_mails_received_total 4',
    'mayfly_streams 0',
    '{status="404"} 2',
    '{way="smtp"} 2',
  ])
    expect(later).toContain(`${line}\n`)
})
