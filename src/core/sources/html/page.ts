import { needItem } from '../../data/lists.ts'
import { printPage } from '../../document/print.ts'
import type { Block } from '../../document/model.ts'
import { blocksOf } from './blocks.ts'
import { calloutStyle } from './callouts.ts'
import { takeFootnotes } from './footnotes.ts'
import { findFirst, findAll, isDropped, isElement, phraseIn } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'
import type { MarkupContext } from './markup-context.ts'

/** A page of HTML, before its content is read. */
export interface HtmlPage {
  /** Absent if neither a heading nor the head of the page has a title. */
  title?: string
  content: MarkupNode[]
}

/** Finds the title and the content of a page. A page without `main` or `article` has its content in its body. */
export function openPage(root: MarkupElement): HtmlPage {
  const main = mainOf(root)
  const head = findFirst(root, ({ name }) => name === 'title')
  const written = head ? withoutSite(phraseIn(head.children)) : ''
  const heading = findFirst(main, ({ name }) => /^h[1-6]$/.test(name))
  const title = heading?.name === 'h1' ? headingText(heading) : ''
  if (title !== '') return { title, content: without(main, heading!) }
  return written === '' ? { content: main.children } : { title: written, content: main.children }
}

function headingText(heading: MarkupElement): string {
  const text = phraseIn(heading.children)
  return text.replace(/\s*[#¶§🔗]$/u, '').trim()
}

function mainOf(root: MarkupElement): MarkupElement {
  const body = findFirst(root, ({ name }) => name === 'body') ?? root
  const main = findFirst(
    body,
    ({ name, attributes }) =>
      name === 'main' || attributes.role === 'main' || attributes.itemprop === 'articleBody',
  )
  const articles = findAll(main ?? body, ({ name }) => name === 'article')
  if (articles.length === 1) return needItem(articles, 0)
  if (main) return main
  const named = findFirst(
    body,
    ({ attributes }) =>
      /^(?:main-content|content|main)$/.test(attributes.id ?? '') ||
      /(?:^|\s)(?:markdown-body|markdown|md-content|document)(?:\s|$)/.test(attributes.class ?? ''),
  )
  return named ?? withoutFrame(body)
}

/** The body of a page without what frames its content. */
function withoutFrame(body: MarkupElement): MarkupElement {
  const children = body.children.filter((child) => {
    if (!isElement(child)) return true
    if (isDropped(child) || child.name === 'footer') return false
    if (child.name === 'aside') return calloutStyle(child) !== undefined
    return child.name !== 'header' || findFirst(child, ({ name }) => name === 'h1') !== undefined
  })
  return { ...body, children }
}

/** The children of an element without one that is in it, at any depth. */
function without(root: MarkupElement, gone: MarkupElement): MarkupNode[] {
  const path = pathTo(root, gone)
  const remove = (element: MarkupElement, depth: number): MarkupNode[] =>
    element.children.flatMap((child): MarkupNode[] => {
      if (child === gone) return []
      if (child !== path[depth] || !isElement(child)) return [child]
      return [{ ...child, children: remove(child, depth + 1) }]
    })
  return remove(root, 0)
}

/** The elements around one, outermost first. */
function pathTo(root: MarkupElement, target: MarkupElement): MarkupElement[] {
  const path: MarkupElement[] = []
  const open: { element: MarkupElement; at: number }[] = [{ element: root, at: 0 }]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.element.children[top.at]
    top.at += 1
    if (child === undefined) {
      open.pop()
      path.pop()
      continue
    }
    if (child === target) return path
    if (!isElement(child)) continue
    path.push(child)
    open.push({ element: child, at: 0 })
  }
  return []
}

/** A title of the head without the name of the site, which follows a sign that titles rarely have. */
function withoutSite(title: string): string {
  const [first = ''] = title.split(/ (?:[|·»«—–]|::) /, 1)
  return first.trim() === '' ? title : first.trim()
}

/** The Markdown of a page. */
export function printHtmlPage({ title, content }: HtmlPage, context: MarkupContext): string {
  const { notes: footnotes, content: body } = takeFootnotes(content)
  return printBlocksPage(title, blocksOf(body, { ...context, footnotes }))
}

/** The Markdown of a page of these blocks. */
export function printBlocksPage(title: string | undefined, nodes: Block[]): string {
  const document = { object: 'document' as const, data: { schemaVersion: 1 }, nodes }
  return printPage(title === undefined ? { document } : { title, document })
}
