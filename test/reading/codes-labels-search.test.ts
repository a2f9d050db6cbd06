import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { composeMail } from './codes-labels-search/compose.ts'
import { isKnown } from './codes-labels-search/known.ts'
import { readWords } from './codes-labels-search/words.ts'
import { findCodes } from './find-codes.ts'

/*
 * The reader finds codes and passwords by labels and sentences of 52 languages, and takes no code
 * of an order, a parcel or the like for one. The words were written without a look at the lexicon.
 * `codes-labels-search/known.ts` lists the mails that the reader still reads wrong.
 */

const MAILS = 4000
const SHOWN = 20

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`labels of all languages are read as what they are (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const languages = readWords()
  const faults: object[] = []
  for (let n = 0; n < MAILS && faults.length < SHOWN; n++) {
    const composed = composeMail(random, random.pick(languages))
    if (isKnown(composed)) continue
    const found = findCodes(composed.mail)
    const { language, made, mail, expected } = composed
    if (String(found) !== String(expected)) faults.push({ language, made, ...mail, expected, found })
  }
  expect(faults).toEqual([])
})
