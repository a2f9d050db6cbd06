import { filler, type Shape } from './shape.ts'
import { headerShapes } from './shapes-header.ts'
import { htmlShapes } from './shapes-html.ts'
import { mimeShapes } from './shapes-mime.ts'
import { textShapes } from './shapes-text.ts'

/** Messages of about this size in bytes that would cost much if reading were careless. */
export function shapes(bytes: number): Shape[] {
  return [mimeShapes, headerShapes, htmlShapes, textShapes].flatMap((of) => of(filler(bytes)))
}
