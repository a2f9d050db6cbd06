import { DefaultReporter, VerboseReporter } from '@jest/reporters'

/** As Jest's own reporter, but shows what the code printed only for a suite that failed. */
export default class QuietReporter {
  constructor(globalConfig) {
    const Base = globalConfig.verbose ? VerboseReporter : DefaultReporter
    class Quiet extends Base {
      printTestFileHeader(path, config, result) {
        const hasFailed = result.numFailingTests > 0 || result.testExecError !== undefined
        super.printTestFileHeader(path, config, hasFailed ? result : { ...result, console: undefined })
      }
    }
    // biome-ignore lint/correctness/noConstructorReturn: which class it extends depends on the options
    return new Quiet(globalConfig)
  }
}
