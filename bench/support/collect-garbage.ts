/**
 * Loaded into the measured service: collects its garbage on SIGUSR2, so that the figure is memory
 * in use.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) process.on('SIGUSR2', () => globalThis.gc!())
