/** The handlers of lambdas/; each becomes `<folder>/lambdas/<name>/index.mjs`. */
export const HANDLERS = [
  'api',
  'ingest',
  'reconcile',
  'setup',
  'verify',
  'verification',
  'empty',
  'upgrade-guard',
  'receipt-switch',
  'publish',
  'webhooks',
  'canary',
  'endpoint-check',
] as const
export type Handler = (typeof HANDLERS)[number]

/** The programs in containers; each becomes `<folder>/<name>/index.mjs`, with its Dockerfile. */
export const SERVICES = ['sse-service', 'smtp-service'] as const
export type Service = (typeof SERVICES)[number]

/** The handlers that call Amazon SES to verify domains. */
export const VERIFIERS: readonly Handler[] = ['verify', 'verification']
