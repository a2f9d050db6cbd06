/**
 * The areas to mutate, each with the tests next to it, which run the code in their own process and
 * thread. Each area is a separate run, because tests of another area would notice many mutants too,
 * but slowly.
 */
export const AREAS = {
  core: {
    mutate: ['core/access/*.ts', 'core/events/**/*.ts', 'core/inbox/*.ts', '!core/access/words.ts'],
    tests: ['core/{access,events,inbox}/**/*.test.ts'],
  },
  http: {
    mutate: ['adapters/http/**/*.ts'],
    tests: ['adapters/{http,mcp}/*.test.ts', 'http/local.test.ts', 'hostile/{http,callers}.test.ts'],
    // Mutants exist only in the process of the tests.
    hasServiceInProcess: true,
  },
  sqlite: {
    mutate: ['adapters/sqlite/*.ts'],
    tests: ['adapters/sqlite/*.test.ts', 'mutation/sqlite.mutants.ts'],
  },
  // Some wait for the pauses of a reader that retries.
  dynamodb: {
    mutate: ['adapters/dynamodb/*.ts'],
    tests: ['adapters/dynamodb/*.test.ts'],
    testTimeout: 20_000,
  },
  webhooks: {
    mutate: ['adapters/webhooks/*.ts', 'core/events/webhooks/*.ts'],
    tests: ['adapters/webhooks/*.test.ts', 'core/events/webhooks/*.test.ts'],
    testTimeout: 20_000,
  },
  reading: {
    mutate: ['reading/mime/*.ts'],
    tests: ['reading/**/*.test.ts'],
    testTimeout: 20_000,
  },
  // Each test file synthesises its configurations once.
  lib: {
    mutate: ['lib/**/*.ts', '!lib/bundling/*.ts'],
    tests: ['lib/*.test.ts'],
    testTimeout: 60_000,
  },
  service: {
    mutate: ['service/*.ts', 'lambdas/*.ts'],
    tests: ['{service,lambdas,sse-service}/*.test.ts'],
    testTimeout: 20_000,
  },
  client: {
    // A test compares the text of wire.ts, which has only types.
    mutate: ['packages/client/src/*.ts', '!packages/client/src/wire.ts'],
    tests: ['packages/client/*.test.ts'],
    testTimeout: 30_000,
  },
  mayfly: {
    mutate: ['packages/mayfly/src/**/*.ts', '!packages/mayfly/src/{cli,index,version}.ts'],
    tests: ['packages/mayfly/*.test.ts'],
    testTimeout: 20_000,
  },
}

/** The environment variable by which Jest learns the area. */
export const AREA = 'MAYFLY_TEST_AREA'
