/** Marks of pasted text, which most programs say by styles. */
import { fill, innermostFirst, isBlock, renameTo, styleOf, unwrap } from './marked.ts'

/** Elements that are another name for a mark, or say nothing that pages have. */
const RENAMED: Record<string, string> = { strike: 's', del: 's', tt: 'code', samp: 'code' }

/** The element of a mark, and the styles that stand for it. */
const STYLES: [tag: string, style: RegExp, known: string][] = [
  ['strong', /(?:^|[;\s])font-weight:\s*(?:bold|[6-9]00)/i, 'b, strong, h1, h2, h3, h4, h5, h6, th'],
  ['em', /(?:^|[;\s])font-style:\s*italic/i, 'i, em'],
  ['s', /text-decoration[^:;]*:[^;]*line-through/i, 's'],
  ['sup', /vertical-align:\s*super/i, 'sup'],
  ['sub', /vertical-align:\s*sub\b/i, 'sub'],
  ['code', /font-family:[^;]*(?:mono|consolas|courier|menlo)/i, 'code, kbd'],
]
const NOT_BOLD = /(?:^|[;\s])font-weight:\s*(?:normal|[1-5]00)/i
const NOT_ITALIC = /(?:^|[;\s])font-style:\s*normal/i

/** Makes elements of the marks of the schema. */
export function readMarks(root: HTMLElement): void {
  for (const [from, to] of Object.entries(RENAMED))
    for (const element of innermostFirst(root, from)) renameTo(element, to)
  // Google Docs puts everything into a `b` that is not bold.
  for (const element of innermostFirst(root, 'b, strong'))
    if (NOT_BOLD.test(styleOf(element))) renameTo(element, 'span')
  for (const element of innermostFirst(root, 'i, em'))
    if (NOT_ITALIC.test(styleOf(element))) renameTo(element, 'span')
  for (const element of innermostFirst(root, 'span, font, a, [data-pasted-style]')) {
    if (isBlock(element)) continue
    for (const tag of marksOf(element)) {
      const mark = root.ownerDocument.createElement(tag)
      fill(mark, element.childNodes)
      element.append(mark)
    }
    if (element.localName === 'span' || element.localName === 'font') unwrap(element)
  }
  for (const link of root.querySelectorAll('a[href]')) link.setAttribute('href', targetOf(link))
}

/** The elements of the marks that an element has by its style. */
function marksOf(element: Element): string[] {
  const hasText = (element.textContent ?? '').trim() !== ''
  if (!hasText || element.querySelector('p, div, li, [data-node]')) return []
  const style = styleOf(element)
  return STYLES.filter(([, pattern, known]) => pattern.test(style) && !element.closest(known)).map(
    ([tag]) => tag,
  )
}

/** The address of a link. Google Docs replaces it with a page of Google that redirects there. */
function targetOf(link: Element): string {
  const href = link.getAttribute('href') ?? ''
  if (!href.startsWith('https://www.google.com/url?')) return href
  return URL.parse(href)?.searchParams.get('q') ?? href
}
