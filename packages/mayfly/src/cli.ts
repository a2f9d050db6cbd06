#!/usr/bin/env node
import module from 'node:module'

// Node keeps the compiled form of everything imported from here on, which is a third of the time of
// a command.
module.enableCompileCache?.()
const { main } = await import('./cli/main.ts')

await main(process.argv.slice(2))
