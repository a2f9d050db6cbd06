import type { Fields } from './config-fields.ts'
import type { MayflyProps, MayflyTasks } from './props.ts'

const ZONE_ID = /^Z[A-Z0-9]{1,31}$/
const CERTIFICATE = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/
export const SECRET = /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/
const VPC_ID = /^vpc-[0-9a-f]{8,17}$/
const SUBNET_ID = /^subnet-[0-9a-f]{8,17}$/

/** A hosted zone as the configuration names it. */
export interface ZoneFields {
  id: string
  name: string
}

export function readZone(fields: Fields | undefined): ZoneFields | undefined {
  if (fields === undefined) return undefined
  const zone = {
    id: fields.text('id', ZONE_ID, 'the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
    name: fields.string('name'),
  }
  fields.end()
  return zone
}

export function readHost(fields: Fields | undefined) {
  if (fields === undefined) return undefined
  const host = {
    name: fields.string('name'),
    certificateArn: fields.text(
      'certificateArn',
      CERTIFICATE,
      'the ARN of an ACM certificate in us-east-1, the only Region whose certificates CloudFront accepts',
    ),
    zone: readZone(fields.optionalObject('zone')),
  }
  fields.end()
  return host
}

export function readSmtp(fields: Fields | undefined) {
  if (fields === undefined) return undefined
  const smtp = {
    host: fields.optionalString('host'),
    zone: readZone(fields.optionalObject('zone')),
    certificate: fields.optionalText(
      'certificateSecretArn',
      SECRET,
      'the complete ARN of a secret with `cert` and `key`',
    ),
    tasks: readTasks(fields.optionalObject('tasks')),
  }
  fields.end()
  return smtp
}

export function readVpc(fields: Fields | undefined) {
  if (fields === undefined) return undefined
  const vpc = {
    id: fields.text('id', VPC_ID, 'the id of a VPC, such as vpc-0123456789abcdef0'),
    subnets: readSubnets(fields, 'subnets') ?? [],
    publicSubnets: readSubnets(fields, 'publicSubnets'),
  }
  if (vpc.subnets.length < 2) fields.fault('.subnets must have two ids of subnets or more')
  if (vpc.publicSubnets?.length === 0) fields.fault('.publicSubnets must have an id of a subnet')
  fields.end()
  return vpc
}

function readSubnets(fields: Fields, name: string): string[] | undefined {
  const ids = fields.optionalTexts(name)
  for (const id of ids ?? [])
    if (!SUBNET_ID.test(id)) fields.fault(`.${name} has "${id}", which is no id of a subnet`)
  if (ids !== undefined && new Set(ids).size < ids.length) fields.fault(`.${name} has an id twice`)
  return ids
}

export function readTasks(fields: Fields | undefined): MayflyTasks | undefined {
  if (fields === undefined) return undefined
  const tasks = {
    count: fields.optionalNumber('count'),
    maxCount: fields.optionalNumber('maxCount'),
    cpu: fields.optionalNumber('cpu'),
    memoryMiB: fields.optionalNumber('memoryMiB'),
    spot: fields.optionalFlag('spot'),
  }
  fields.end()
  return tasks
}

export function readInboundLimit(fields: Fields | undefined): MayflyProps['inboundLimit'] {
  if (fields === undefined) return undefined
  const limit = {
    mailsPerHour: fields.optionalNumber('mailsPerHour') ?? Number.NaN,
    stop: fields.optionalFlag('stop'),
  }
  fields.end()
  return limit
}

export function readReservedConcurrency(fields: Fields | undefined): MayflyProps['reservedConcurrency'] {
  if (fields === undefined) return undefined
  const reserved = { api: fields.optionalNumber('api'), ingest: fields.optionalNumber('ingest') }
  fields.end()
  return reserved
}

export function readThrottle(fields: Fields | undefined): MayflyProps['throttle'] {
  if (fields === undefined) return undefined
  const throttle = {
    requestsPerSecond: fields.optionalNumber('requestsPerSecond'),
    burst: fields.optionalNumber('burst'),
  }
  fields.end()
  return throttle
}

export function readWebAcl(fields: Fields | undefined): MayflyProps['webAcl'] {
  if (fields === undefined) return undefined
  const webAcl = { requestsPerFiveMinutes: fields.optionalNumber('requestsPerFiveMinutes') ?? 3000 }
  fields.end()
  return webAcl
}
