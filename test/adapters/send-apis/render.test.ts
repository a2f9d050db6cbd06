import { expect, test } from '@jest/globals'
import { checkTemplate, Renderer } from '../../../adapters/send-apis/render.ts'
import { TEMPLATE_BYTES } from '../../../core/limits.ts'

test('a template is bounded by the bytes of all of its parts, in every script', () => {
  const most = '字'.repeat(Math.floor(TEMPLATE_BYTES / 3) - 1)
  expect(() => checkTemplate(['Hi', most, ''])).not.toThrow()
  expect(() => checkTemplate(['Hi', most, 'Hello'])).toThrow(/at most 512000 bytes/)
})

test('a template is bounded where it is rendered too, because no store has checked it', () => {
  const most = '字'.repeat(Math.floor(TEMPLATE_BYTES / 3))
  const strict = (source: string) => new Renderer().strict(source, {})
  const lenient = (source: string) => new Renderer().lenient(source, {}, true)
  for (const render of [strict, lenient]) {
    expect(render(most)).toBe(most)
    expect(() => render(`${most}字`)).toThrow('A template has at most 512000 bytes.')
  }
})

test.each([
  ['a tilde removes the white space beside it', 'Hi \n{{~#if name~}} \n {{name}} {{~/if~}} \n!', 'HiJo!'],
  [
    'a block alone on its line leaves no empty line',
    'Hi\n{{#if name}}\n{{name}}\n{{/if}}\nBye',
    'Hi\nJo\nBye',
  ],
])('%s', (_what, template, rendered) => {
  expect(new Renderer().strict(template, { name: 'Jo' })).toBe(rendered)
  expect(new Renderer().lenient(template, { name: 'Jo' }, true)).toBe(rendered)
})
