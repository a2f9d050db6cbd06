/**
 * A Jest reporter for the gate: a test that was left out, is a todo or was skipped fails the run,
 * because otherwise a machine without Java or Chromium would pass without running those suites.
 * `MAYFLY_TESTS=all` turns it on (jest.config.js).
 */
export default class GateReporter {
  #leftOut = []

  onTestResult(_test, { testFilePath, testResults }) {
    for (const { status, fullName } of testResults) {
      if (status === 'passed' || status === 'failed') continue
      this.#leftOut.push(`${testFilePath}: ${fullName} (${status})`)
    }
  }

  onRunComplete() {
    if (this.#leftOut.length === 0) return
    process.stderr.write(
      `\n${this.#leftOut.length} tests did not run, and MAYFLY_TESTS=all demands every test:\n` +
        `${this.#leftOut.map((line) => `  ${line}\n`).join('')}`,
    )
  }

  getLastError() {
    if (this.#leftOut.length > 0) return new Error(`${this.#leftOut.length} tests did not run`)
  }
}
