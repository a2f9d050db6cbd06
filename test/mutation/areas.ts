/**
 * What is mutated, and the tests that are to notice: those next to it, which run what they test in their own process
 * and thread. Each area is a run of its own, since the tests of the next one would notice much of the first, slowly.
 */
export const AREAS = {
  core: {
    mutate: ['core/access/*.ts', 'core/events/**/*.ts', 'core/inbox/*.ts', '!core/access/words.ts'],
    tests: ['core/{access,events,inbox}/**/*.test.ts'],
  },
  http: {
    mutate: ['adapters/http/**/*.ts'],
    tests: ['adapters/{http,mcp}/*.test.ts', 'http/local.test.ts', 'hostile/{http,callers}.test.ts'],
  },
  sqlite: {
    mutate: ['adapters/sqlite/*.ts'],
    tests: ['adapters/sqlite/*.test.ts', 'mutation/sqlite.mutants.ts'],
  },
  // Some wait for the pauses of a reader that tries again.
  dynamodb: {
    mutate: ['adapters/dynamodb/*.ts'],
    tests: ['adapters/dynamodb/*.test.ts'],
    testTimeout: 10_000,
  },
}

/** The environment variable that tells Jest the area. */
export const AREA = 'MAYFLY_TEST_AREA'
