/** Loaded into the measured service: collects its garbage on SIGUSR2, so that memory is what is really held. */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) process.on('SIGUSR2', () => globalThis.gc!())
