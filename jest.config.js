/**
 * Suites that take minutes. `npm test` leaves them out; `npm run test:pages` and `npm run test:faults`
 * run them. A path that is given to `npm test` is run whatever it is. The gate fails if a file of
 * test/ is in none of its suites (.ci/suites.mjs).
 */
const SLOW = ['<rootDir>/test/e2e/', '<rootDir>/test/faults/(?!sync)', '<rootDir>/test/hostile/(?!html|http)']
/** What the gate leaves out of `npm test`, because its `npm run test:faults` runs the same tests, and longer. */
const LONG_IN_THE_GATE = [
  '<rootDir>/test/faults/sync',
  '<rootDir>/test/hostile/(?:html|http)',
  '<rootDir>/test/http/private-mail',
  '<rootDir>/test/local-service/crash',
  '<rootDir>/test/adapters/send-apis/safety',
]
const isGiven = (paths) => process.argv.some((argument) => paths.test(argument))
const leftOut = [
  ...(isGiven(/(?:^|\/)test\/(?:e2e|faults|hostile)/) ? [] : SLOW),
  ...(process.env.MAYFLY_TESTS !== 'all' || isGiven(/(?:^|\/)test\/\w/) ? [] : LONG_IN_THE_GATE),
]

/** Tests run as the service does: native ES modules on Node 24; swc only strips the types. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...leftOut],
  reporters: [
    '<rootDir>/test/support/quiet-reporter.js',
    'summary',
    ...(process.env.MAYFLY_TESTS === 'all' ? ['<rootDir>/test/support/gate-reporter.js'] : []),
  ],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: false },
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  testSequencer: '<rootDir>/test/support/slow-first.js',
  setupFiles: ['<rootDir>/test/support/quiet-output.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/aws/shared-dynamodb-end.ts',
  // Generous, because a busy machine is no fault. Only a test that hangs uses it up, and a wait of a test
  // (test/support/eventually.ts) fails before, with what it last saw.
  testTimeout: 120_000,
  // More than the two cores, because many tests wait for another process: npm test takes 2:37 instead of 3:23.
  maxWorkers: 3,
  // A worker keeps what each suite loaded, and the CDK library is large. A full worker is slow, so
  // Jest replaces it above this size.
  workerIdleMemoryLimit: '400MB',
  // A value without a snapshot fails, as in the gate; otherwise a run writes it and passes. `-u` writes it.
  ci: true,
  // The second attempt of the gate (.ci/run): the files with a test that failed in the run before.
  onlyFailures: process.env.MAYFLY_TESTS_AGAIN === 'on',
}
