/** Code of web pages, wikis and editors as blocks of code. */
import { elementOf, innermostFirst, isBlock, lineIn, marked, styleOf } from './marked.ts'

const MONOSPACE = /font-family:[^;]*(?:mono|consolas|courier|menlo)/i

/** Makes blocks of code. */
export function readCode(root: HTMLElement): void {
  // Confluence: a panel with the title, and the lines in a table whose first column has the numbers.
  for (const panel of innermostFirst(root, '.code.panel, .preformatted.panel')) {
    const lines = [...panel.querySelectorAll('td.code .line')].map(({ textContent }) => textContent)
    const content = panel.querySelector('.codeContent, .preformattedContent') ?? panel
    const text = lines.length > 0 ? lines.join('\n') : pastedCodeText(content)
    const title = lineIn(panel.querySelector('.codeHeader, .preformattedHeader'))
    replace(panel, text, syntaxIn(panel), title)
  }
  for (const block of innermostFirst(root, '.code-block'))
    if (block.querySelector('code'))
      replace(block, pastedCodeText(block.querySelector('code')!), syntaxIn(block))
  for (const pre of innermostFirst(root, 'pre')) {
    const shown = pre.querySelector('code') ?? pre
    replace(pre, pastedCodeText(shown), syntaxIn(pre))
  }
  // An editor of programs: lines in its font, which are not broken.
  for (const box of innermostFirst(root, 'div')) {
    const style = styleOf(box)
    if (MONOSPACE.test(style) && /white-space:\s*pre/i.test(style)) replace(box, pastedCodeText(box), '')
  }
}

function replace(element: Element, text: string, syntax: string, title = ''): void {
  const { ownerDocument: document } = element
  const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const data = { ...(syntax ? { syntax } : {}), ...(title ? { title } : {}) }
  const inside = lines.map((line) => marked(document, 'code_line', { data: {} }, [line]))
  element.replaceWith(marked(document, 'code_block', { data }, inside))
}

/** The text of an element in which spaces count. A `br` and the end of a block begin a line. */
function pastedCodeText(element: Element): string {
  let text = ''
  const add = (node: Node): void => {
    const inner = elementOf(node)
    if (!inner) {
      if (node.nodeType === 3) text += node.nodeValue ?? ''
      return
    }
    if (inner.localName === 'br') text += '\n'
    // Numbers beside the lines, and buttons to copy them.
    if (/^(?:button|br)$/.test(inner.localName) || /line-?numbers?(?:-rows)?\b/i.test(inner.className)) return
    if (isBlock(inner) && text !== '' && !text.endsWith('\n')) text += '\n'
    for (const child of inner.childNodes) add(child)
    if (isBlock(inner) && !text.endsWith('\n')) text += '\n'
  }
  for (const child of element.childNodes) add(child)
  return text.replaceAll('\u00a0', ' ')
}

/** The language that a class or an attribute names. */
function syntaxIn(element: Element): string {
  const candidates = [
    element,
    element.parentElement,
    ...element.querySelectorAll('[class], [data-language], [data-syntaxhighlighter-params]'),
  ]
  for (const one of candidates.slice(0, 20)) {
    const named = one?.getAttribute('data-language') ?? one?.getAttribute('data-lang')
    const found =
      named ??
      /brush:\s*([\w#+-]+)/.exec(one?.getAttribute('data-syntaxhighlighter-params') ?? '')?.[1] ??
      /^syntaxhighlighter\s[^]*\s([\w#+-]+)$/.exec(one?.className ?? '')?.[1] ??
      /(?:^|\s)(?:language|lang|highlight-source|brush:)[-:\s]?([\w#+-]+)/.exec(one?.className ?? '')?.[1]
    if (found) return /^(?:none|plain|text|plaintext)$/i.test(found) ? '' : found.toLowerCase()
  }
  return ''
}
