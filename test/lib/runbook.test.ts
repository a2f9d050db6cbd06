import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { FULL, synthesise } from './synth.ts'

test('every alarm has its heading in the runbook, and every heading its alarm', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
  const [, alarms = ''] = runbook.split('\n## Alarms\n')
  const section = alarms.split('\n## ')[0]!
  const headings = Array.from(section.matchAll(/^### (.+)$/gm), ([, heading]) => heading!)
  const descriptions = Object.values(synthesise(FULL).all('AWS::CloudWatch::Alarm')).map(
    ({ AlarmDescription }) => AlarmDescription as string,
  )
  const expected = headings.map(
    (heading) => `${heading}. What to do: docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`,
  )
  expect(descriptions.sort()).toEqual(expected.sort())
})

test('the operator is notified of the start and the end of every alarm', () => {
  const alarms = Object.values(synthesise({ alarmEmail: 'ops@example.com' }).all('AWS::CloudWatch::Alarm'))
  for (const { AlarmActions, OKActions } of alarms)
    expect([AlarmActions, OKActions]).toEqual([expect.any(Array), AlarmActions])
})

test('only the alarms of this account may publish to their topic', () => {
  const { all } = synthesise(FULL)
  const policies = Object.values(all('AWS::SNS::TopicPolicy')).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  )
  const allowed = policies.filter(({ Principal }) => Principal.Service === 'cloudwatch.amazonaws.com')
  expect(allowed).toEqual([
    expect.objectContaining({
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ])
})
