/** Removes what frames the content of a page: menus, breadcrumbs, tables of contents, links to edit the page. */
import { calloutStyle } from '../html/callouts.ts'
import { findFirst, isDropped, isElement, markupClassesOf, phraseIn } from '../html/markup.ts'
import type { MarkupElement, MarkupNode } from '../html/markup.ts'

/** Classes and ids of navigation. Generated classes have a suffix after `_`: `tocCollapsible_ETCw`. */
const CHROME =
  /^(?:breadcrumbs?|pagination|pager|prev-next|toc|tableofcontents|table-of-contents|on-this-page|page-toc|sidebar|side-?nav|navbar|nav-?menu|site-(?:header|footer|nav)|page-(?:footer|nav)|skip-?(?:link|nav|to-content|to-main)|edit-(?:this-)?(?:page|link)|theme-(?:edit-this-page|last-updated|doc-(?:footer|toc|breadcrumbs|version-badge)).*|vp-doc-footer|vpdocfooter|headerlink|hash-link|cookie-?(?:banner|consent|notice)|feedback|share-buttons|social-links|newsletter|search-?box|copyright)(?:container|wrapper|collapsible|desktop|mobile|nav|list)?$/

const WORD = /[_]|-(?:container|wrapper|nav|list|desktop|mobile|collapsible|module)\b/

/** True for an element that frames content. One that holds a heading of the first level or the content does not. */
function isChrome(element: MarkupElement): boolean {
  if (element.name === 'nav' || isDropped(element)) return true
  if (element.name === 'footer') return true
  if (element.name === 'aside') return calloutStyle(element) === undefined
  const id = (element.attributes.id ?? '').toLowerCase()
  return [...markupClassesOf(element), id].some((name) => CHROME.test(name.split(WORD, 1)[0] ?? ''))
}

const isContent = ({ name, attributes }: MarkupElement) =>
  /^(?:main|article|h1)$/.test(name) || attributes.role === 'main'

/** The elements around the content. */
function aroundContent(root: MarkupElement): Set<MarkupElement> {
  const around = new Set<MarkupElement>()
  const visit = (element: MarkupElement): boolean => {
    let holds = false
    for (const child of element.children)
      if (isElement(child) && (visit(child) || isContent(child))) holds = true
    if (holds) around.add(element)
    return holds
  }
  visit(root)
  return around
}

/** A page without what frames its content. */
export function withoutChrome(root: MarkupElement): MarkupElement {
  const around = aroundContent(root)
  const clean = (element: MarkupElement): MarkupElement => {
    const children = element.children.flatMap((child): MarkupNode[] => {
      if (!isElement(child) || child.name === 'head') return [child]
      if (isChrome(child) && !around.has(child)) return []
      return [clean(child)]
    })
    return { ...element, children }
  }
  return clean(root)
}

/** True for a page that says where its content is. */
export function namesContent(root: MarkupElement): boolean {
  return findFirst(root, (element) => element.name !== 'h1' && isContent(element)) !== undefined
}

const MENU = new Set(['div', 'ul', 'ol', 'table', 'section', 'header', 'td', 'p', 'center', 'form'])
/** Fewer links are a sentence. */
const LINKS_OF_MENU = 3
const DEEPEST_MENU = 8

/** The menus of a page, by their text: blocks that are mostly links. */
export function menusIn(root: MarkupElement): Map<MarkupElement, string> {
  const menus = new Map<MarkupElement, string>()
  const around = aroundContent(root)
  const add = (element: MarkupElement, depth: number) => {
    if (depth > DEEPEST_MENU) return
    for (const child of element.children) {
      if (!isElement(child) || child.name === 'head') continue
      const text = MENU.has(child.name) && !around.has(child) ? menuText(child) : undefined
      if (text === undefined) add(child, depth + 1)
      else menus.set(child, text)
    }
  }
  add(root, 0)
  return menus
}

function menuText(element: MarkupElement): string | undefined {
  let links = 0
  let inLinks = 0
  let all = 0
  const open: { node: MarkupNode; isLink: boolean }[] = [{ node: element, isLink: false }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, isLink } = next
    if (typeof node === 'string') {
      const length = node.trim().length
      all += length
      if (isLink) inLinks += length
      continue
    }
    if (node.name === 'a') links += 1
    for (const child of node.children) open.push({ node: child, isLink: isLink || node.name === 'a' })
  }
  if (links < LINKS_OF_MENU || inLinks < all * 0.6) return undefined
  return phraseIn(element.children)
}

/** A page without these elements. */
export function withoutElements(root: MarkupElement, gone: ReadonlySet<MarkupNode>): MarkupElement {
  if (gone.size === 0) return root
  const children = root.children.flatMap((child): MarkupNode[] => {
    if (gone.has(child)) return []
    return [isElement(child) ? withoutElements(child, gone) : child]
  })
  return { ...root, children }
}
