/**
 * Turns receiving by SES off when the alarm "Much mail" goes off, and on again when an operator
 * invokes it with `{"receive": true}` (docs/runbook.md).
 */
import { readSettings } from '../adapters/aws/settings.ts'
import { setRuleEnabled } from '../adapters/ses/receipt-rules.ts'
import { log } from '../service/aws-log.ts'

/**
 * The fields of an alarm event that are read (docs.aws.amazon.com/AmazonCloudWatch,
 * alarms-and-actions-Lambda.html).
 */
interface AlarmEvent {
  receive?: boolean
  alarmData?: { state?: { value?: string } }
}

const settings = readSettings(process.env, ['ruleSet', 'rules'])

export async function handler({ receive, alarmData }: AlarmEvent): Promise<{ receives: boolean }> {
  const receives = receive === true
  if (!receives && receive !== false && alarmData?.state?.value !== 'ALARM') {
    throw new Error('send {"receive": true} or {"receive": false}')
  }
  for (const rule of settings.rules.split(',')) await setRuleEnabled(settings.ruleSet, rule, receives)
  log('warn', receives ? 'receiving is on' : 'receiving is off', { rules: settings.rules })
  return { receives }
}
