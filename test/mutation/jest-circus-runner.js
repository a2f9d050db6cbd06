import { createEmptyTestResult } from '@jest/test-result'
import jestCircus from 'jest-circus/runner'

// A CommonJS module, compiled.
const circus = jestCircus.default

/** What Jest reports for a file without any test to run; it would be an error otherwise. */
const NONE = {
  ...createEmptyTestResult(),
  numPendingTests: 1,
  testResults: [{ ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending', title: '' }],
}

/** The tests of each file that this process has loaded. */
const testsOf = new Map()
/** The mutant that a test has killed. */
let noticed

/**
 * Jest's own runner for a test file, without work that adds nothing about a mutant: tests after the
 * first failure, and files in which no test reaches the mutant. Stryker passes only names of tests,
 * and Jest has no bail when a program calls it (https://github.com/facebook/jest/issues/11766).
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
