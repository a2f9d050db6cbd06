import { createEmptyTestResult } from '@jest/test-result'
import jestCircus from 'jest-circus/runner'

// A CommonJS module, compiled.
const circus = jestCircus.default

/** What Jest takes for a file of which no test was to run: without any, it is an error. */
const NONE = {
  ...createEmptyTestResult(),
  numPendingTests: 1,
  testResults: [{ ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending', title: '' }],
}

/** The tests of each file that this process has loaded. */
const testsOf = new Map()
/** The mutant that a test has noticed. */
let noticed

/**
 * Jest's own runner for a file of tests, without what says nothing more of a mutant: the tests after the first that
 * fails, and files without a test that reaches the broken line. Stryker gives only names of tests, and Jest knows no bail
 * where it is called by a program (https://github.com/facebook/jest/issues/11766).
 */
export default async function run(globalConfig, config, environment, runtime, testPath, send) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__
  if (mutant === undefined) return circus(globalConfig, config, environment, runtime, testPath, send)
  const reaching = new RegExp(globalConfig.testNamePattern, 'i')
  if (noticed === mutant || testsOf.get(testPath)?.some((name) => reaching.test(name)) === false) return NONE
  const handle = environment.handleTestEvent?.bind(environment)
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutant
    if (event.name === 'test_start' && noticed === mutant) event.test.mode = 'skip'
    await handle?.(event, state)
  }
  const result = await circus(globalConfig, config, environment, runtime, testPath, send)
  if (result.testResults.length > 0)
    testsOf.set(
      testPath,
      result.testResults.map(({ fullName }) => fullName),
    )
  return result
}
