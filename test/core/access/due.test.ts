import { expect, test } from '@jest/globals'
import { dueIn } from '../../../core/access/due.ts'
import type { Domain } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'

const RUNS = 288
const domain = (name: string, status: Domain['status']): Domain => ({
  ...newDomain(name, status, 0),
  visibleAfter: '',
  revision: '',
})
const pending = Array.from({ length: 200 }, (_, n) => domain(`p${n}.example`, 'pending'))
const verified = Array.from({ length: 500 }, (_, n) => domain(`v${n}.example`, 'verified'))

test('every pending domain is due in each run, every other domain in one run of the day', () => {
  const runs = Array.from({ length: RUNS }, (_, run) => dueIn(run, RUNS, [...pending, ...verified]))
  for (const due of runs) expect(due.filter(({ status }) => status === 'pending')).toHaveLength(200)
  const others = runs.flat().filter(({ status }) => status === 'verified')
  expect(others.map(({ name }) => name).sort()).toEqual(verified.map(({ name }) => name).sort())
})

test('a run with time for few domains starves none of them', () => {
  const few = Array.from({ length: RUNS }, (_, run) =>
    dueIn(run, RUNS, [...pending, ...verified]).slice(0, 24),
  )
  const names = new Set(few.flat().map(({ name }) => name))
  expect(names.size).toBe(700)
})

test('runs with time for few domains reach every pending one within two hours, not within a day', () => {
  const runs = Array.from({ length: 24 }, (_, run) =>
    dueIn(run, RUNS, [...pending, ...verified]).slice(0, 24),
  )
  const reached = runs.flat().filter(({ status }) => status === 'pending')
  expect(new Set(reached.map(({ name }) => name)).size).toBe(200)
})
