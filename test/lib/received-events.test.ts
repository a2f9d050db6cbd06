import { beforeAll, describe, expect, test } from '@jest/globals'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks } from 'cdk-nag'
import { Mayfly } from '../../lib/mayfly.ts'
import { ARTIFACTS, type Properties, synthesise } from './synth.ts'

describe('targets that are told of received emails', () => {
  let app: App
  let template: Template
  const all = (type: string) => Object.entries(template.findResources(type)) as [string, Properties][]

  beforeAll(() => {
    app = new App()
    const stack = new Stack(app, 'Theirs')
    const mail = new Mayfly(stack, 'Mail', { image: 'example.test/mayfly:1' }, ARTIFACTS)
    mail.onReceived(new SqsQueue(new Queue(stack, 'All')))
    const some = mail.onReceived(new SqsQueue(new Queue(stack, 'Some')))
    some.addEventPattern({ detail: { domain: ['mail.example.com'] } })
    template = Template.fromStack(stack)
  }, 60_000)

  const ours = () =>
    all('AWS::Events::Rule').filter(([, { Properties: of }]) => of.EventPattern !== undefined)

  test('the function that stores mail puts events on a bus of its own, and on no other', () => {
    const [[bus, { Properties: named }], ...others] = all('AWS::Events::EventBus') as [[string, Properties]]
    expect(others).toEqual([])
    // Of the stack, as two of them in an account must not have one name.
    expect(named.Name).toMatch(/^Theirs-Mail-ReceivedEvents-/)
    const functions = all('AWS::Lambda::Function').filter(([, { Properties: of }]) =>
      JSON.stringify(of.Environment ?? '').includes('MAYFLY_EVENT_BUS'),
    )
    expect(functions.map(([id]) => id)).toEqual([expect.stringMatching(/^MailInboundIngest/)])
    expect(functions[0]![1].Properties.Environment.Variables.MAYFLY_EVENT_BUS).toEqual({ Ref: bus })
    const granted = all('AWS::IAM::Policy').flatMap(([id, { Properties: of }]) =>
      of.PolicyDocument.Statement.filter(({ Action }: Properties) => Action === 'events:PutEvents').map(
        ({ Resource }: Properties) => [id.replace(/Role.*$/, ''), Resource],
      ),
    )
    expect(granted).toEqual([['MailInboundIngest', { 'Fn::GetAtt': [bus, 'Arn'] }]])
  })

  test('a rule for each target takes the events of emails, or of the domains that it is narrowed to', () => {
    const [[bus]] = all('AWS::Events::EventBus') as [[string, Properties]]
    const rules = ours().map(([, { Properties: of }]) => of)
    expect(rules.map(({ EventBusName }) => EventBusName)).toEqual([{ Ref: bus }, { Ref: bus }])
    const pattern = { source: ['mayfly'], 'detail-type': ['email.received'] }
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual([
      pattern,
      { ...pattern, detail: { domain: ['mail.example.com'] } },
    ])
    const targets = rules.map(({ Targets }) => Targets.map(({ Arn }: Properties) => Arn['Fn::GetAtt'][0]))
    expect(targets).toEqual([[expect.stringMatching(/^All/)], [expect.stringMatching(/^Some/)]])
  })

  test('the rules are there before mail comes in', () => {
    const [[, { DependsOn }]] = all('Custom::MayflySetup') as [[string, Properties]]
    expect(DependsOn).toEqual(expect.arrayContaining(ours().map(([id]) => id)))
  })

  test('cdk-nag finds nothing, but for the queues of this test', () => {
    const findings = new AwsSolutionsChecks()
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      )
    expect(findings.filter((finding) => !/Theirs\/(All|Some)/.test(finding))).toEqual([])
  })

  test('nobody is told, and nothing of it is there, where nobody wants it', () => {
    const { template: without } = synthesise()
    expect(without.findResources('AWS::Events::EventBus')).toEqual({})
    expect(JSON.stringify(without.toJSON())).not.toMatch(/MAYFLY_EVENT_BUS|events:PutEvents/)
  })
})
