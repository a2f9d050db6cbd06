import base from '../../jest.config.js'
import { AREA, AREAS } from './areas.ts'

// What starts once for the whole run is started by run.ts.
const { globalSetup, globalTeardown, maxWorkers, ...rest } = base

export default {
  ...rest,
  rootDir: '../..',
  testMatch: AREAS[process.env[AREA]].tests.map((pattern) => `<rootDir>/test/${pattern}`),
}
