/** The endpoint that verifies a domain: the only one that may create and delete SES identities. */
import { verifyDomain } from '../adapters/http/endpoints/domains.ts'
import { openMailProvider } from '../service/aws-store.ts'
import { serveHttpApi } from '../service/http-api.ts'

export const handler = await serveHttpApi([verifyDomain], (settings, store) =>
  openMailProvider(store, settings),
)
