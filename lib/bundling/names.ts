/** The handlers of lambdas/; each becomes `<folder>/lambdas/<name>/index.mjs`. */
export const HANDLERS = [
  'api',
  'ingest',
  'setup',
  'verify',
  'empty',
  'receiving',
  'mcp',
  'publish',
  'webhooks',
] as const
export type Handler = (typeof HANDLERS)[number]

/** The programs of containers; each becomes `<folder>/<name>/index.mjs`, with its Dockerfile. */
export const SERVICES = ['sse-service', 'smtp-service'] as const
export type Service = (typeof SERVICES)[number]
