/**
 * Prints how many times as much CPU the text of a file takes as plain text: `confirm.ts TARGET SIZE FILE`.
 * It is a program of its own because a process that has tried thousands of texts has a large heap and
 * code that was compiled for all of them, which makes some texts dearer than they are for a service.
 */
import { readFileSync } from 'node:fs'
import { confirmedRatio } from './measure.ts'
import { ordinaryWork, TARGETS } from './targets.ts'

const WARM_UPS = 20

const [name = '', size = '', file = ''] = process.argv.slice(2)
const target = await TARGETS[name]!()
const plain = await ordinaryWork(target, Number(size))
const work = { run: target.run, text: readFileSync(file, 'utf8') }
for (let n = 0; n < WARM_UPS; n++) await plain.run(plain.text)
const ratio = await confirmedRatio(work, plain, target.most)
await target.close?.()
process.stdout.write(String(ratio))
process.exit(0)
