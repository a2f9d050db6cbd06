/** What a deployment is made of, from its template and its code. */
export interface Deployment {
  /** Write units a second that a table takes at most. */
  tableUnits: number
  /** Streams of a task at which ECS adds another one. */
  streamsPerTask: number
  /** The parts of a domain's log. */
  logParts: number
}

export type Kind = 'hard' | 'quota' | 'setting'

/** A limit of one stack, and the load at which it is reached. */
export interface Limit {
  name: string
  kind: Kind
  /** Mails a day, or streams at a time, on average. */
  endsAt: number
  of: 'mails a day' | 'streams'
  way: string
  /** The page that states the quota; undefined: the limit is our own. */
  page: string | undefined
}

const DAY_SECONDS = 86_400
/** Write units of a mail of 2 KB in each table, of which half are for the transaction. */
const UNITS_PER_MAIL = 4
/** A partition key takes 1,000 units a second, and a log entry in a transaction takes two. */
const ENTRIES_PER_PART = 500
/** Functions store this many mails a second one by one (docs/aws.md, "Numbers"). */
const MAILS_PER_FUNCTION = 10
/** Writes of objects for a mail: raw message, body, tag. */
const PUTS_PER_MAIL = 3
const MONTH_HOURS = 730

/** Default quotas of an account and limits of services, each with the page that states it. */
const QUOTAS = {
  newTableUnits: 4_000,
  tableUnits: 40_000,
  functions: 1_000,
  objectsPerPrefix: 3_500,
  /** In us-east-1; 9,000 in us-west-2 and eu-west-1, 1,500 in most others. */
  snsPublishes: 30_000,
  /** In the smallest Regions. */
  snsPublishesAtLeast: 300,
  fargateCpus: 6,
  tasksPerService: 5_000,
  directTasks: 2,
}

const DYNAMODB = 'amazondynamodb/latest/developerguide'
/** Below docs.aws.amazon.com. */
const PAGES = {
  newTable: `${DYNAMODB}/on-demand-capacity-mode.html`,
  partition: `${DYNAMODB}/bp-partition-key-design.html`,
  table: `${DYNAMODB}/ServiceQuotas.html`,
  readers: `${DYNAMODB}/Streams.html`,
  prefix: 'AmazonS3/latest/userguide/optimizing-performance.html',
  lambda: 'lambda/latest/dg/gettingstarted-limits.html',
  sns: 'general/latest/gr/sns.html',
  ecs: 'general/latest/gr/ecs-service.html',
}

/** US dollars in us-east-1 (docs/aws.md, "Cost"). */
const PRICES = {
  millionBySes: 127.5,
  millionBySmtp: 29.8,
  vcpuHour: 0.03238,
  gbHour: 0.00356,
  address: 3.65,
  lcu: 5.84,
}
const STREAMS_PER_LCU = 3_000
/** A task of 0.5 vCPU and 1 GiB. */
const TASK = { vcpu: 0.5, gb: 1 }

/** Returns the limits of one stack, the one that is reached first at the beginning. */
export function limitsOf({ tableUnits, streamsPerTask, logParts }: Deployment): Limit[] {
  const mails = (name: string, kind: Kind, perSecond: number, way: string, page?: string): Limit => {
    return { name, kind, endsAt: perSecond * DAY_SECONDS, of: 'mails a day', way, page }
  }
  const streams = (name: string, kind: Kind, tasks: number, way: string, page: string): Limit => {
    return { name, kind, endsAt: tasks * streamsPerTask, of: 'streams', way, page }
  }
  const { newTable, partition, table, readers, prefix, lambda, sns, ecs } = PAGES
  const log = `${logParts} parts of one domain's log`
  const cells = 'the quota, then cells'
  return [
    mails('5 ingest functions', 'setting', 5 * MAILS_PER_FUNCTION, '`ingestConcurrency`'),
    mails(
      'notifications of SES by SNS, smallest Regions',
      'quota',
      QUOTAS.snsPublishesAtLeast,
      'the quota, or SMTP, which needs none',
      sns,
    ),
    mails(
      'write units of a new table',
      'setting',
      QUOTAS.newTableUnits / UNITS_PER_MAIL,
      'warm throughput',
      newTable,
    ),
    mails(
      'puts of objects under one prefix',
      'hard',
      (2 * QUOTAS.objectsPerPrefix) / PUTS_PER_MAIL,
      'S3 splits prefixes by itself, in minutes',
      prefix,
    ),
    mails(log, 'setting', logParts * ENTRIES_PER_PART, '`log_parts` of the domain', partition),
    mails('write units of a table in the template', 'setting', tableUnits / UNITS_PER_MAIL, cells),
    mails('write units of a table, quota', 'quota', QUOTAS.tableUnits / UNITS_PER_MAIL, cells, table),
    mails('Lambda executions of an account', 'quota', QUOTAS.functions * MAILS_PER_FUNCTION, cells, lambda),
    mails(
      'notifications of SES by SNS, us-east-1',
      'quota',
      QUOTAS.snsPublishes,
      'the quota, or SMTP, which needs none',
      sns,
    ),
    streams('two readers of a shard', 'hard', QUOTAS.directTasks, '`"fanOut": "valkey"`', readers),
    streams(
      `${QUOTAS.fargateCpus} vCPUs of Fargate`,
      'quota',
      QUOTAS.fargateCpus / TASK.vcpu,
      'the quota',
      ecs,
    ),
    streams('tasks of an ECS service', 'quota', QUOTAS.tasksPerService, 'cells', ecs),
  ].sort((a, b) => (a.of === b.of ? a.endsAt - b.endsAt : a.of === 'streams' ? 1 : -1))
}

/** What a load needs of one stack. */
export interface Need {
  mailsPerSecond: number
  unitsPerTable: number
  functions: number
  /** US dollars a month. */
  bySes: number
  bySmtp: number
}

/** Returns what a number of mails a day needs. */
export function needOf(mailsPerDay: number): Need {
  const mailsPerSecond = mailsPerDay / DAY_SECONDS
  const millions = (mailsPerDay * 30.4) / 1e6
  return {
    mailsPerSecond,
    unitsPerTable: mailsPerSecond * UNITS_PER_MAIL,
    functions: mailsPerSecond / MAILS_PER_FUNCTION,
    bySes: millions * PRICES.millionBySes,
    bySmtp: millions * PRICES.millionBySmtp,
  }
}

/** Returns the tasks for streams, what they cost a month, and the messages of one busy domain. */
export function streamsNeed(streams: number, { streamsPerTask }: Deployment) {
  const tasks = Math.ceil(streams / streamsPerTask)
  const task = (TASK.vcpu * PRICES.vcpuHour + TASK.gb * PRICES.gbHour) * MONTH_HOURS + PRICES.address
  return { tasks, dollars: tasks * task + (streams / STREAMS_PER_LCU) * PRICES.lcu }
}

/** Returns how many stacks a load needs, each with the tables of the template at two thirds. */
export function cellsOf(mailsPerDay: number, { tableUnits }: Deployment): number {
  return Math.ceil((needOf(mailsPerDay).unitsPerTable * 1.5) / tableUnits)
}
