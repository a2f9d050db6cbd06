/**
 * Prints as JSON what reading each hostile message costs, as a multiple of what plain text of the same size costs. It
 * is a program because Jest runs code in a context whose globals are slow.
 *
 * Both are measured in turn by the CPU time that this process used, which other processes hardly change.
 */
import { readMail } from '../reading/read-mail.ts'
import { filler, PLAIN } from './shape.ts'
import { shapes } from './shapes.ts'

const ROUNDS = 3
/**
 * The first rounds of a shape include the compilation of the code that it needs, and a busy machine
 * spoils some. A shape that is expensive is so in every batch, so one cheap batch is enough.
 */
const BATCHES_MAX = 12

const [bytes = 0, ratioMax = 0] = process.argv.slice(2).map(Number)
const plain = Buffer.from(
  PLAIN + filler(bytes).fill('Thank you for shopping with us, we are glad that you are here.\r\n'),
)

async function cpuMicroseconds(raw: Buffer): Promise<number> {
  const before = process.cpuUsage()
  await readMail(raw, async (_id, content) => {
    for await (const _ of content);
  })
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** The median of the ratios of some rounds. */
async function batch(raw: Buffer): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const honest = (await cpuMicroseconds(plain)) / plain.length
    ratios.push((await cpuMicroseconds(raw)) / raw.length / honest)
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}

for (let round = 0; round < 20; round++) await cpuMicroseconds(plain)
const ratios: Record<string, number> = {}
for (const [name, text] of shapes(bytes)) {
  const raw = Buffer.from(text, 'latin1')
  let ratio = await batch(raw)
  for (let n = 1; n < BATCHES_MAX && ratio >= ratioMax; n++) ratio = Math.min(ratio, await batch(raw))
  ratios[name] = ratio
}
process.stdout.write(JSON.stringify(ratios))
