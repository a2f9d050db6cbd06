import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { describeOnEmulator } from './emulator.ts'
import { CONFIGURATIONS } from './iam/configurations.ts'
import { PROGRAMS } from './iam/programs.ts'
import {
  customResourcesOf,
  lineOf,
  RECORDED,
  type Recorded,
  readRecorded,
  settingsOf,
} from './iam/recording.ts'
import { openWorld, type World } from './iam/world.ts'

/**
 * Runs every program of the stack with the environment that its template gives it, and records the
 * AWS requests that it makes. iam/policies.test.ts evaluates them with the policies of every
 * configuration. `MAYFLY_WRITE_DOCS=1` writes the recording.
 */
describeOnEmulator('the AWS requests of each program', () => {
  let world: World
  const recorded: Recorded = {}

  beforeAll(async () => {
    world = await openWorld()
  }, 60_000)
  afterAll(() => world?.close())

  for (const [configuration, policiesOf] of Object.entries(CONFIGURATIONS)) {
    test(`with ${configuration}`, async () => {
      const policies = policiesOf()
      for (const role of policies.roles) {
        const run = PROGRAMS[role.name]
        if (run === undefined || role.env === undefined) continue
        const customResources = customResourcesOf(policies, role)
        const settings = settingsOf(role, customResources)
        recorded[role.name] ??= {}
        if (recorded[role.name]![settings] !== undefined) continue
        await world.restoreDomains()
        const accessKey = `${role.name}-${Object.keys(recorded[role.name]!).length}`
        const env = world.environment(role.env, accessKey)
        await run({ world, env, accessKey, customResources })
        const lines = world.recorder.of(accessKey).map((request) => lineOf(request, role.env!))
        recorded[role.name]![settings] = [...new Set(lines)].sort()
      }
    }, 300_000)
  }

  test('are those that were recorded', () => {
    if (process.env.MAYFLY_WRITE_DOCS) writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`)
    expect(recorded).toEqual(readRecorded())
  })
})
