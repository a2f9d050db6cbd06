/** Elements beyond these keep their colours. */
const ELEMENTS_MAX = 20_000
/** Text is at least this light: half-light blue, as of links, would be too dark for a dark ground. */
const TEXT = 0.75
/** White becomes this light, as in dark mail clients, which have no black ground. */
const GROUND = 0.12

/**
 * Changes the colours of an email as dark mail clients do that invert: light backgrounds become dark, and dark text and
 * borders become light. Pictures, and what is dark already, stay as they are.
 */
export function invertColours(root: HTMLElement): void {
  const elements = [root, ...root.querySelectorAll<HTMLElement>('body, body *')].slice(0, ELEMENTS_MAX)
  // Everything is read before anything is changed: colours are inherited.
  const styles = elements.map((element) => {
    const { color, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element)
    return { element, color, backgroundColor, border: borderTopWidth === '0px' ? '' : borderTopColor }
  })
  for (const { element, color, backgroundColor, border } of styles) {
    change(element, 'background-color', backgroundColor, (lightness) => lightness > 0.5)
    change(element, 'color', color, (lightness) => lightness < 0.5, TEXT)
    change(element, 'border-color', border, () => true)
  }
}

function change(
  element: HTMLElement,
  property: string,
  colour: string,
  isWanted: (lightness: number) => boolean,
  least = 0,
): void {
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour)
  if (parts === null || parts[4] === '0') return
  const [r = 0, g = 0, b = 0] = parts.slice(1, 4).map((part) => Number(part) / 255)
  const [hue, saturation, lightness] = hslOf(r, g, b)
  if (!isWanted(lightness)) return
  const inverted = Math.max(1 - lightness * (1 - GROUND), least)
  const alpha = parts[4] ?? '1'
  const value = `hsl(${hue} ${(saturation * 100).toFixed(1)}% ${(inverted * 100).toFixed(1)}% / ${alpha})`
  element.style.setProperty(property, value, 'important')
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
function hslOf(r: number, g: number, b: number): [hue: number, saturation: number, lightness: number] {
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  const lightness = (max + min) / 2
  const range = max - min
  if (range === 0) return [0, 0, lightness]
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  const sector = max === r ? ((g - b) / range + 6) % 6 : max === g ? (b - r) / range + 2 : (r - g) / range + 4
  return [Math.round(sector * 60), saturation, lightness]
}
