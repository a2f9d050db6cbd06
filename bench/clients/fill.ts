/** Fills a store in a separate process, so that the memory this takes is released at its end. */
import { serveParent } from '../support/calls.ts'
import { fillStore } from '../support/fill.ts'

serveParent({ fillStore })
