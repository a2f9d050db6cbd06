import { beforeAll, describe, expect, test } from '@jest/globals'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Mayfly } from '../../lib/mayfly.ts'
import { nagFindings } from './nag.ts'
import { ARTIFACTS, type Properties, synthesise } from './synth.ts'

describe('targets of received emails', () => {
  let app: App
  let template: Template
  const all = (type: string) => Object.entries(template.findResources(type)) as [string, Properties][]

  beforeAll(() => {
    app = new App({ builtinCloudFormationValidation: false })
    const stack = new Stack(app, 'Theirs')
    const mail = new Mayfly(stack, 'Mail', { image: 'example.test/mayfly:1' }, ARTIFACTS)
    mail.onReceived(new SqsQueue(new Queue(stack, 'All')))
    const some = mail.onReceived(new SqsQueue(new Queue(stack, 'Some')))
    some.addEventPattern({ detail: { domain: ['mail.example.com'] } })
    template = Template.fromStack(stack)
  })

  const ours = () =>
    all('AWS::Events::Rule').filter(([, { Properties: of }]) => of.EventPattern !== undefined)

  test('the function that stores mail may put events on the bus of its stack only', () => {
    const [[bus, { Properties: named }], ...others] = all('AWS::Events::EventBus') as [[string, Properties]]
    expect(others).toEqual([])
    // With the name of the stack, because two stacks of an account must not share a name.
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

  test('each target has a rule for events of emails, which can be narrowed to domains', () => {
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

  test('the rules exist before mail arrives', () => {
    const [[, { DependsOn }]] = all('Custom::MayflySetup') as [[string, Properties]]
    expect(DependsOn).toEqual(expect.arrayContaining(ours().map(([id]) => id)))
  })

  test('cdk-nag finds nothing, except for the queues of this test', () => {
    expect(nagFindings(app).filter((finding) => !/Theirs\/(All|Some)/.test(finding))).toEqual([])
  })

  test('without a target there is no bus and no permission', () => {
    const { template: without } = synthesise()
    expect(without.findResources('AWS::Events::EventBus')).toEqual({})
    expect(JSON.stringify(without.toJSON())).not.toMatch(/MAYFLY_EVENT_BUS|events:PutEvents/)
  })
})
