import { expect, test } from '@jest/globals'
import { TEXT_MAX_CHARACTERS, untrusted, untrustedLine } from '../../../adapters/mcp/untrusted.ts'

test('a long text is truncated, with a note that it was', () => {
  const whole = untrusted('x'.repeat(TEXT_MAX_CHARACTERS))
  expect(whole).not.toContain('[truncated here]')
  const cut = untrusted(`${'x'.repeat(TEXT_MAX_CHARACTERS)}y`)
  expect(cut).toContain('x\n[truncated here]\n<<<END OF')
  expect(cut.length).toBe(whole.length + '\n[truncated here]'.length)
})

test('a line has no line breaks and at most 300 characters', () => {
  expect(untrustedLine(` a\r\n b\t${'c'.repeat(400)}`)).toMatch(
    /^<<<(UNTRUSTED \w{16})>>> a b c{296} <<<END OF \1>>>$/,
  )
})

test('no two markers are alike', () => {
  expect(untrusted('a')).not.toBe(untrusted('a'))
  expect(untrustedLine('a')).not.toBe(untrustedLine('a'))
})
