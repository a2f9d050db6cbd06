import base from '../../jest.config.js'
import { AREA, AREAS } from './areas.ts'

// run.ts starts what a whole run needs once.
const { globalSetup, globalTeardown, maxWorkers, ...rest } = base
const { tests, testTimeout = 10_000, hasServiceInProcess } = AREAS[process.env[AREA]]

export default {
  ...rest,
  rootDir: '../..',
  testRunner: '<rootDir>/test/mutation/jest-circus-runner.js',
  testSequencer: '<rootDir>/test/mutation/quick-first.js',
  moduleNameMapper: hasServiceInProcess
    ? { '/support/service\\.ts$': '<rootDir>/test/support/service-in-process.ts' }
    : {},
  testPathIgnorePatterns: ['/node_modules/'],
  // A mutant that hangs fails a test by its name; Stryker's own limit would end the process.
  testTimeout,
  testMatch: tests.map((pattern) => `<rootDir>/test/${pattern}`),
}
