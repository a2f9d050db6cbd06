import { fileURLToPath } from 'node:url'
import type { Site } from '../adapters/http/pages.ts'
import {
  ASSET_CACHE,
  ASSETS_PREFIX,
  PAGE_CACHE,
  PAGE_FILES,
  PROBLEMS_FILE,
  PROBLEMS_PREFIX,
  pageHeaders,
} from '../web/headers.ts'

/** The pages as `npm run build:web` left them, at the paths that they have on AWS too. */
export const SITE: Site = {
  dir: fileURLToPath(new URL('../web/dist', import.meta.url)),
  fileOf(path) {
    if (path.startsWith(PROBLEMS_PREFIX)) return PROBLEMS_FILE
    if (path === '/frame.html' || path.startsWith(`/${ASSETS_PREFIX}`)) return path.slice(1)
    return PAGE_FILES[path]
  },
  headersOf: (file) => ({
    ...pageHeaders(file),
    'Cache-Control': file.startsWith(ASSETS_PREFIX) ? ASSET_CACHE : PAGE_CACHE,
  }),
}
