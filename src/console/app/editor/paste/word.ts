/** Text of Microsoft Word, which writes lists as paragraphs with a sign in front. */
import { type LevelledItem, nestItems } from './lists.ts'
import { elementOf, renameTo, styleOf, unwrap } from './marked.ts'

const LIST = /mso-list:\s*l\d+\s+level(\d+)/i
const IGNORED = /mso-list:\s*ignore/i
const TITLES: [pattern: RegExp, tag: string][] = [
  [/^MsoTitle/, 'h1'],
  [/^MsoSubtitle/, 'h2'],
  [/^Mso(?:Intense)?Quote/, 'blockquote'],
]

/** Makes lists of the paragraphs of lists, and headings of titles. */
export function readWord(root: HTMLElement): void {
  for (const element of root.querySelectorAll('*')) {
    // Word's own elements, such as `o:p`, say nothing. A paragraph that has nothing else is empty.
    if (/^[ovw]:|^st1:/.test(element.localName)) unwrap(element)
  }
  for (const paragraph of root.querySelectorAll('p[class^="Mso"]')) {
    const tag = TITLES.find(([pattern]) => pattern.test(paragraph.className))?.[1]
    if (tag) renameTo(paragraph, tag)
  }
  // Word on the web.
  for (const heading of root.querySelectorAll('p[role="heading"]')) {
    const level = Number(heading.getAttribute('aria-level') ?? 1)
    renameTo(heading, `h${Math.min(6, Math.max(1, level || 1))}`)
  }
  // Word numbers headings with the same signs.
  for (const heading of root.querySelectorAll('h1, h2, h3, h4, h5, h6')) takeSign(heading)
  readLists(root)
}

function readLists(root: HTMLElement): void {
  const paragraphs = [...root.querySelectorAll('p')].filter((one) => LIST.test(styleOf(one)))
  const isFirst = new Set(paragraphs.filter((one, i) => i === 0 || nextOf(paragraphs[i - 1]!) !== one))
  const items = paragraphs.map((paragraph): LevelledItem => {
    const sign = takeSign(paragraph)
    const number = /^\(?(\d+)/.exec(sign)?.[1]
    return {
      at: paragraph,
      inside: [paragraph],
      level: Number(LIST.exec(styleOf(paragraph))?.[1] ?? 1),
      // The sign of the second level of bullets is an “o”.
      tag: /[\p{L}\p{N}]/u.test(sign) && !/^[o§]$/.test(sign) ? 'ol' : 'ul',
      start: number === undefined ? undefined : Number(number),
      follows: !isFirst.has(paragraph),
    }
  })
  nestItems(root.ownerDocument, items)
}

/** The next element, unless there is text before it. Comments of Word are no text. */
function nextOf(element: Element): Element | undefined {
  let next = element.nextSibling
  while (next && (next.nodeType === 8 || (next.nodeType === 3 && (next.nodeValue ?? '').trim() === '')))
    next = next.nextSibling
  return elementOf(next)
}

/** Removes the sign of an item. @returns it */
function takeSign(paragraph: Element): string {
  for (const span of paragraph.querySelectorAll('span'))
    if (IGNORED.test(styleOf(span))) {
      const sign = (span.textContent ?? '').trim()
      span.remove()
      return sign
    }
  return ''
}
