import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { invertColours } from '../../web/frame/invert.ts'

interface Style {
  color?: string
  backgroundColor?: string
  borderTopColor?: string
  borderTopWidth?: string
}

const CLEAR = 'rgba(0, 0, 0, 0)'
const before = globalThis.getComputedStyle
beforeEach(() => {
  globalThis.getComputedStyle = (({ computed }: { computed: Style }) => ({
    color: CLEAR,
    backgroundColor: CLEAR,
    borderTopColor: CLEAR,
    borderTopWidth: '0px',
    ...computed,
  })) as never
})
afterEach(() => {
  globalThis.getComputedStyle = before
})

/** Returns what an element is changed to whose styles are these. */
function changed(computed: Style): Record<string, string> {
  return changedIn([computed])[0]!
}

function changedIn(styles: Style[]): Record<string, string>[] {
  const elements = styles.map((computed) => {
    const set: Record<string, string> = {}
    const style = {
      setProperty: (name: string, value: string, priority: string) => {
        set[name] = `${value}${priority === 'important' ? '' : ' without priority'}`
      },
    }
    return { computed, style, set }
  })
  const [root, ...others] = elements
  invertColours({ ...root, querySelectorAll: () => others } as never)
  return elements.map(({ set }) => set)
}

test.each([
  ['rgb(255, 255, 255)', 'hsl(0 0.0% 12.0% / 1)'],
  ['rgb(200, 200, 200)', 'hsl(0 0.0% 31.0% / 1)'],
  ['rgba(255, 255, 255, 0.5)', 'hsl(0 0.0% 12.0% / 0.5)'],
  // One of each sixth of the circle of hues, and each of its ends.
  ['rgb(255, 128, 128)', 'hsl(0 100.0% 33.9% / 1)'],
  ['rgb(255, 200, 128)', 'hsl(34 100.0% 33.9% / 1)'],
  ['rgb(255, 255, 128)', 'hsl(60 100.0% 33.9% / 1)'],
  ['rgb(200, 255, 128)', 'hsl(86 100.0% 33.9% / 1)'],
  ['rgb(128, 255, 128)', 'hsl(120 100.0% 33.9% / 1)'],
  ['rgb(128, 255, 200)', 'hsl(154 100.0% 33.9% / 1)'],
  ['rgb(128, 200, 255)', 'hsl(206 100.0% 33.9% / 1)'],
  ['rgb(128, 128, 255)', 'hsl(240 100.0% 33.9% / 1)'],
  ['rgb(200, 128, 255)', 'hsl(274 100.0% 33.9% / 1)'],
  ['rgb(255, 128, 200)', 'hsl(326 100.0% 33.9% / 1)'],
  // Paler than the purest colour of its lightness.
  ['rgb(220, 200, 200)', 'hsl(0 22.2% 27.5% / 1)'],
])('a light background of %s becomes dark, in its hue', (backgroundColor, expected) => {
  expect(changed({ backgroundColor })).toEqual({ 'background-color': expected })
})

test.each(['rgb(127, 127, 127)', 'rgb(0, 0, 0)', CLEAR, 'rgba(255, 255, 255, 0)', 'color(srgb 1 1 1)', ''])(
  'a background of %s stays as it is',
  (backgroundColor) => {
    expect(changed({ backgroundColor })).toEqual({})
  },
)

test.each([
  ['rgb(0, 0, 0)', 'hsl(0 0.0% 100.0% / 1)'],
  // Half-light blue, as of links, would be too dark.
  ['rgb(0, 0, 238)', 'hsl(240 100.0% 75.0% / 1)'],
])('dark text of %s becomes light', (color, expected) => {
  expect(changed({ color })).toEqual({ color: expected })
})

test('light text stays as it is', () => {
  expect(changed({ color: 'rgb(128, 128, 128)' })).toEqual({})
})

test('a border changes in any colour, if it has a width', () => {
  const borderTopColor = 'rgb(0, 0, 0)'
  expect(changed({ borderTopColor, borderTopWidth: '1px' })).toEqual({
    'border-color': 'hsl(0 0.0% 100.0% / 1)',
  })
  expect(changed({ borderTopColor: 'rgb(255, 255, 255)', borderTopWidth: '1px' })).toEqual({
    'border-color': 'hsl(0 0.0% 12.0% / 1)',
  })
  expect(changed({ borderTopColor })).toEqual({})
})

test('of a mail with too many elements the first 20,000 change', () => {
  const all = changedIn(Array.from({ length: 20_001 }, () => ({ backgroundColor: 'rgb(255, 255, 255)' })))
  expect(all.filter((set) => 'background-color' in set)).toHaveLength(20_000)
  expect(all.at(-1)).toEqual({})
})
