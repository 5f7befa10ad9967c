/** Spaces and empty lines of pasted text. The schema keeps every space, and markup has more than one sees. */
import { elementOf, innermostFirst, isBlock } from './marked.ts'

/** Makes one space of several, removes those at the ends of lines, and lines that are empty. */
export function tidySpaces(root: HTMLElement): void {
  collapse(root)
  for (const line of innermostFirst(root, 'br')) {
    const next = nextInLine(line)
    if (next?.localName === 'br' && line.parentElement?.localName === 'p') splitAt(line)
    else if (next === undefined || isBlock(next) || !isInLine(line)) line.remove()
  }
  for (const block of innermostFirst(root, 'p, div, h1, h2, h3, h4, h5, h6, blockquote'))
    if (!block.hasAttribute('data-node') && isEmpty(block)) block.remove()
}

function collapse(root: HTMLElement): void {
  let line: Node[] = []
  const visit = (node: Node): void => {
    if (node.nodeType === 3) {
      const text = (node.nodeValue ?? '')
        .replaceAll(/[\t\n\r\f ]+/g, ' ')
        .replaceAll(/ ?\u00a0(?: |\u00a0)+/g, ' ')
      const isSpaced = line.length === 0 || line.at(-1)!.nodeValue!.endsWith(' ')
      node.nodeValue = isSpaced ? text.replace(/^[ \u00a0]/, '') : text
      if (node.nodeValue !== '') line.push(node)
      return
    }
    const element = elementOf(node)
    if (!element) return
    const isOwnLine = isBlock(element) || element.localName === 'br'
    if (isOwnLine) endLine()
    if (element.getAttribute('data-node') !== 'code_block')
      for (const child of element.childNodes) visit(child)
    if (isOwnLine) endLine()
  }
  const endLine = () => {
    for (const text of line.toReversed()) {
      text.nodeValue = (text.nodeValue ?? '').replace(/[ \u00a0]{1,9}$/, '')
      if (text.nodeValue !== '') break
    }
    line = []
  }
  for (const child of root.childNodes) visit(child)
  endLine()
}

const isEmpty = (element: Element): boolean =>
  (element.textContent ?? '').replaceAll(/[\s\u00a0]/g, '') === '' &&
  element.querySelector('[data-node], hr, br') === null

/** The node that follows on the same level, without empty texts. */
function nextInLine(node: Node): Element | undefined {
  let next = node.nextSibling
  while (next?.nodeType === 8 || (next?.nodeType === 3 && next.nodeValue === '')) next = next.nextSibling
  // A text is as good as any element in a line.
  return next?.nodeType === 3 ? node.ownerDocument!.createElement('span') : elementOf(next)
}

/** True if there is a text before the break. */
function isInLine(line: Element): boolean {
  let before = line.previousSibling
  while (before?.nodeType === 8 || (before?.nodeType === 3 && before.nodeValue === ''))
    before = before.previousSibling
  return before !== null && !isBlock(before)
}

/** Makes two paragraphs of one. */
function splitAt(line: Element): void {
  const paragraph = line.parentElement!
  const after = paragraph.ownerDocument.createElement('p')
  while (line.nextSibling) after.append(line.nextSibling)
  if (elementOf(after.firstChild)?.localName === 'br') after.firstChild!.remove()
  line.remove()
  paragraph.after(after)
}
