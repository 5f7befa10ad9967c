/** Where a character of a field is in the window. Browsers report that for texts, but not for fields. */

/** What decides where the words of a field are. */
const STYLES = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'borderStyle',
  'font',
  'letterSpacing',
  'lineHeight',
  'tabSize',
  'textIndent',
  'textTransform',
  'wordSpacing',
  'direction',
] as const

/** The place of the character at an index, in CSS pixels of the window. */
export function placeInField(
  field: HTMLTextAreaElement,
  index: number,
): { left: number; top: number; bottom: number } {
  const copy = document.createElement('div')
  const style = getComputedStyle(field)
  for (const name of STYLES) copy.style[name] = style[name]
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  })
  const mark = document.createElement('span')
  mark.textContent = field.value.slice(index, index + 1) || '.'
  copy.append(field.value.slice(0, index), mark, field.value.slice(index + 1))
  document.body.append(copy)
  const [from, to] = [copy.getBoundingClientRect(), mark.getBoundingClientRect()]
  copy.remove()
  const box = field.getBoundingClientRect()
  const top = box.top + to.top - from.top - field.scrollTop
  return {
    left: box.left + to.left - from.left - field.scrollLeft,
    // A line that has been scrolled out of the field is as near as its edge.
    top: Math.min(Math.max(top, box.top), box.bottom),
    bottom: Math.min(Math.max(top + to.height, box.top), box.bottom),
  }
}
