import { expect, test } from '@jest/globals'
import { isLoopbackName } from '../../../core/access/loopback.ts'
import { isLoopback } from '../../../packages/client/src/service-url.ts'
import examples from '../loopback.json' with { type: 'json' }

test.each(Object.entries(examples.urls))('whether %s is this machine: %s', (url, expected) => {
  expect([isLoopbackName(new URL(url).hostname), isLoopback(url)]).toEqual([expected, expected])
})
