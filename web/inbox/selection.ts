/**
 * The selected emails after a click on the box of one.
 * @param ids the emails of the list
 * @param from with Shift: the email that was clicked before; everything between it and this one changes as well
 */
export function afterClick(
  chosen: ReadonlySet<string>,
  ids: string[],
  id: string,
  from: string | undefined,
): Set<string> {
  const next = new Set(chosen)
  const [a, b] = [ids.indexOf(from ?? id), ids.indexOf(id)]
  const range = a === -1 ? [id] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
  const isOn = !chosen.has(id)
  for (const each of range) isOn ? next.add(each) : next.delete(each)
  return next
}
