import type { Page } from 'playwright-core'

/**
 * Pairs of texts in the window of which one is drawn over the other, each as `text | text`. A text that lies on an
 * opaque background of its own covers the other one and is readable, as a bar that stays in sight does.
 */
export function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Piece {
      text: string
      element: Element
      box: { left: number; top: number; right: number; bottom: number }
    }
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const meet = (a: Piece['box'], b: Piece['box']) => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    })
    const isSeen = ({ left, top, right, bottom }: Piece['box']) => right - left > 2 && bottom - top > 4
    /** The part of a box that no scrolling or clipping ancestor hides. */
    const visiblePart = (element: Element, box: Piece['box']) => {
      let part = meet(box, window_)
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at)
        if (overflowX !== 'visible' || overflowY !== 'visible') part = meet(part, at.getBoundingClientRect())
        if (position === 'fixed') break
      }
      return part
    }
    const pieces: Piece[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (element === null || text === '' || element.closest('.visually-hidden, script, style')) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        // The line box of a text is a bit higher than its letters.
        const letters = { left: rect.left, right: rect.right, top: rect.top + 3, bottom: rect.bottom - 3 }
        const box = visiblePart(element, letters)
        if (isSeen(box)) pieces.push({ text: text.slice(0, 40), element, box })
      }
    }
    const isOpaque = (element: Element) => {
      const alpha = /rgba\([^)]*,\s*([\d.]+)\)/.exec(getComputedStyle(element).backgroundColor)?.[1]
      return alpha === undefined || Number(alpha) === 1
    }
    /** Whether one of the two lies on a background that hides the other: from the top, it comes before the other. */
    const isCovered = (a: Piece, b: Piece, x: number, y: number) => {
      const unseen = new Set([a.element, b.element])
      for (const at of document.elementsFromPoint(x, y)) {
        for (const element of unseen) if (at.contains(element)) unseen.delete(element)
        if (unseen.size === 0) return false
        if (isOpaque(at)) return true
      }
      return false
    }
    const found = new Set<string>()
    for (const [i, a] of pieces.entries()) {
      for (const b of pieces.slice(i + 1)) {
        if (a.element === b.element) continue
        const both = meet(a.box, b.box)
        const [x, y] = [(both.left + both.right) / 2, (both.top + both.bottom) / 2]
        if (isSeen(both) && !isCovered(a, b, x, y)) found.add(`${a.text} | ${b.text}`)
      }
    }
    return [...found]
  })
}
