import { expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import type { Language } from '../../reading/lexicon/language.ts'
import { mailText } from './codes/mail-text.ts'

/** Kinds of words that say what a code proves, and what may join them to the word for a code. */
const KINDS = ['verify', 'secret', 'signIn', 'reset', 'confirm', 'access', 'invitation'] as const
const JOINTS = ['', 's', 'e', 'ings', 'rings', 'erings', 'ungs']
/** In Estonian that is the number of a person: "isikukood". */
const OTHER = /^isikukood/

const bare = (word: string) => word.replace(/[*=]/g, '')

/** The compounds of a language, if its word for a code ends other words: "*kod". */
function compoundsOf({ words }: Language): string[] {
  const nouns = (words.code ?? []).filter((word) => word.startsWith('*')).slice(0, 2)
  const stems = KINDS.flatMap((kind) => words[kind] ?? []).filter((word) => /^[^* ][^ ]*$/.test(word))
  return stems.flatMap((stem) =>
    JOINTS.flatMap((joint) => nouns.map((noun) => bare(stem) + joint + bare(noun))),
  )
}

test('no word that proves something makes a code of another kind, whatever other languages mean by its beginning', () => {
  const compounds = [...readLanguages().values()].flatMap(compoundsOf)
  expect(compounds.length).toBeGreaterThan(4000)
  const others = compounds.filter((word) =>
    mailText(`${word}: 482913`).nouns.some(({ meaning }) => meaning === 'other'),
  )
  expect(others.filter((word) => !OTHER.test(word))).toEqual([])
})
