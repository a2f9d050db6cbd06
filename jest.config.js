/** Tests run as the service does: native ES modules on Node 24; swc only strips the types. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // What takes minutes is run by `npm run test:faults`, which sets this to what matches nothing.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(?:faults|hostile)/'],
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
  globalSetup: '<rootDir>/test/aws/shared-dynamodb.ts',
  globalTeardown: '<rootDir>/test/aws/shared-dynamodb-end.ts',
  testTimeout: 20_000,
  // A process keeps what each suite loaded, the CDK library most of all: the next one is slow
  // in a process that is full, so a new one takes its place in time.
  maxWorkers: 2,
  workerIdleMemoryLimit: '400MB',
}
