import { fileURLToPath } from 'node:url'
import type { Site } from '../adapters/http/pages.ts'
import {
  ASSET_CACHE,
  ASSETS_PREFIX,
  NOT_FOUND_FILE,
  PAGE_CACHE,
  PAGE_FILES,
  PROBLEMS_FILE,
  PROBLEMS_PREFIX,
  pageHeaders,
} from '../web/headers.ts'

/** The pages that `npm run build:web` made, at the same paths as on AWS. */
export const SITE: Site = {
  dir: fileURLToPath(new URL('../web/dist', import.meta.url)),
  fileOf(path) {
    if (path.startsWith(PROBLEMS_PREFIX)) return PROBLEMS_FILE
    if (path === '/frame.html' || path.startsWith(`/${ASSETS_PREFIX}`)) return path.slice(1)
    return PAGE_FILES[path]
  },
  notFoundFile: NOT_FOUND_FILE,
  headersOf: (file) => ({
    ...pageHeaders(file),
    'Cache-Control': file.startsWith(ASSETS_PREFIX) ? ASSET_CACHE : PAGE_CACHE,
  }),
}
