/** Fills a store in a process of its own: what that takes of memory is gone with it. */
import { serveParent } from '../support/calls.ts'
import { fillStore } from '../support/fill.ts'

serveParent({ fillStore })
