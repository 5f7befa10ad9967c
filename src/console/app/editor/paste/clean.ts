/**
 * Pasted markup of word processors, wikis, spreadsheets and web pages, as elements that the schema reads. It works on
 * the tree that ProseMirror has parsed, which belongs to an inert document: nothing in it runs or loads.
 */
import { readCode } from './code.ts'
import { readImages, takeEmbedded } from './images.ts'
import { readMarks } from './inline.ts'
import { collectLists } from './lists.ts'
import { readParts } from './wiki-parts.ts'
import { tidySpaces } from './white-space.ts'
import { readTables } from './tables.ts'
import { readWord } from './word.ts'

/** Attributes that the policy reports, wherever their elements are, and one by which other editors mark their own text. */
const NAMES = '(?:style|on[a-z]+|data-pm-slice)(?=\\s*=)'
const RENAMED = new RegExp(`(?<=[\\s"'/])(?=${NAMES})`, 'gi')
const PREFIX = 'data-pasted-'
const PREFIXED = new RegExp(`${PREFIX}(?=${NAMES})`, 'gi')
const NOT_SHOWN =
  'script, style, template, noscript, meta, link, title, head, xml, svg, math > annotation, button, select, textarea, iframe, object, embed, audio, video, canvas, a.headerlink, a.anchor, [hidden], [aria-hidden="true"]'

/**
 * The markup before it is parsed. The content security policy removes `style`, by which Google Docs marks bold text,
 * and reports what would run. So these attributes get other names. `afterParsing` gives texts back
 * what looks like one.
 */
export function beforeParsing(html: string): string {
  // The editor itself has copied it, without such attributes.
  if (html.includes('data-pm-slice=') && html.includes('data-node=')) return html
  return html
    .replaceAll('\0', '')
    .replaceAll(/<style[\s>][^]*?(?:<\/style|$)/gi, '<x')
    .replaceAll(/<base(?=[\s/>])/gi, '<x')
    .replaceAll(RENAMED, PREFIX)
}

/** Restores what `beforeParsing` has changed within texts and values. */
function afterParsing(root: Element): void {
  const walker = root.ownerDocument.createTreeWalker(root, 5 /* elements and texts */)
  for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
    if (node.nodeType === 3) {
      const text = node.nodeValue ?? ''
      if (text.includes(PREFIX)) node.nodeValue = text.replaceAll(PREFIXED, '')
      continue
    }
    for (const attribute of (node as Element).attributes)
      if (attribute.value.includes(PREFIX)) attribute.value = attribute.value.replaceAll(PREFIXED, '')
  }
}

/**
 * Changes what was parsed into elements that the schema reads.
 * @param isExact whether it is plain text, or what the editor itself has copied
 * @returns the images that the text itself contains
 */
export function cleanPasted(root: HTMLElement, isExact: boolean): File[] {
  afterParsing(root)
  if (isExact) return []
  readWord(root)
  readCode(root)
  readParts(root)
  const embedded = takeEmbedded(root)
  for (const element of root.querySelectorAll(NOT_SHOWN)) element.remove()
  readImages(root)
  readMarks(root)
  collectLists(root)
  tidySpaces(root)
  readTables(root)
  return embedded
}
