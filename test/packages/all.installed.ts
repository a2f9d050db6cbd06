import { afterAll, beforeAll, describe } from '@jest/globals'
import { applicationTests } from './applications.ts'
import { linkLibraries, runnerTests } from './fixtures.ts'
import { imageTests } from './image.ts'
import { type InstalledService, startInstalled } from './installed-service.ts'
import { reportTests } from './playwright-report.ts'
import { runtimeTests } from './runtimes.ts'
import { sideBySide } from './side-by-side.ts'
import { snippetTests } from './snippets.ts'
import { suiteTests } from './suite.ts'

/** The slow tests of the packages, and those that need the network: `npm run test:packages`. */
describe('the packages, installed from their tarballs into an empty folder', () => {
  let service: InstalledService

  beforeAll(async () => {
    service = await startInstalled()
    await linkLibraries(service.folder)
  })
  afterAll(() => service?.remove())

  const started = () => service
  runnerTests(started)
  reportTests(started)
  snippetTests(started)
  applicationTests(started)
  suiteTests(started)
  imageTests(() => service.folder)
  sideBySide(() => service.folder)
  runtimeTests(started)
})
