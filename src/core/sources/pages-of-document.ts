/** Divides one document of a word processor into pages. */
import { needItem } from '../data/lists.ts'
import { decodeAddress } from '../text/file-paths.ts'
import { slugify, uniquifier } from '../text/slug.ts'
import { cleanAddress, schemeOf } from './address-book.ts'
import { importedAnchor } from './anchor.ts'
import { bytesOf, type ConvertedSource } from './converted.ts'
import type { MarkupContext } from './html/markup-context.ts'
import { takeFootnotes } from './html/footnotes.ts'
import { findAll, isElement, phraseIn } from './html/markup.ts'
import type { MarkupElement, MarkupNode } from './html/markup.ts'
import { blocksOf } from './html/blocks.ts'
import { printBlocksPage } from './html/page.ts'

interface DocumentPage {
  title: string
  file: string
  content: MarkupNode[]
  /** The heading that became the title; links to it lead to the page. */
  heading?: MarkupElement
}

/** The content of a document, and the data that its conversion needs. */
export interface DocumentSource {
  /** The title of the document; the front page has it. */
  title: string
  /** Whether the author wrote the title: else the only heading of the first level is the title. */
  isTitled: boolean
  content: MarkupNode[]
  /** The converted files, to which the pages are added. */
  converted: ConvertedSource
  context: Pick<MarkupContext, 'block' | 'inline' | 'image' | 'joinsLists'>
  /** Repairs the address of an absolute link. */
  address?: (address: string) => string
}

const FRONT = 'README.md'

/**
 * Adds the pages of a document: one page if it has at most one heading of the first level. If it has several, each begins
 * a page, and what precedes the first is the front page.
 */
export function addDocument({ title, isTitled, content, converted, context, address }: DocumentSource): void {
  const { notes, content: body } = takeFootnotes(content)
  const pages = divide(body, title, isTitled)
  const homes = new Map<string, string>()
  const headings = new Map(
    pages.flatMap(({ heading, file }) => (heading ? idsIn(heading).map((id) => [id, file] as const) : [])),
  )
  for (const page of pages) {
    const root: MarkupElement = { name: '', attributes: {}, children: page.content, holdsBlocks: true }
    for (const id of idsIn(root)) if (!homes.has(id)) homes.set(id, page.file)
  }
  const used = new Set(pages.flatMap((page) => anchorsIn(page.content)))
  for (const { title: name, file, content: nodes } of pages) {
    const own: MarkupContext = {
      ...context,
      depth: 0,
      anchors: [],
      footnotes: notes,
      isUsed: (anchor) => used.has(anchor),
      link(written) {
        const target = cleanAddress(written)
        if (!target.startsWith('#')) return absolute(address?.(target) ?? target)
        const page = headings.get(decodeAddress(target.slice(1)))
        if (page !== undefined) return page
        const home = homes.get(decodeAddress(target.slice(1)))
        if (home === undefined) return undefined
        return `${home === file ? '' : home}#${importedAnchor(target.slice(1))}`
      },
    }
    converted.files.set(file, bytesOf(printBlocksPage(name, blocksOf(nodes, own))))
  }
  if (pages.length > 1) converted.files.set('SUMMARY.md', bytesOf(contentsOf(pages)))
}

const absolute = (address: string) =>
  ['http:', 'https:', 'mailto:', 'tel:'].includes(schemeOf(address) ?? '') ? address : undefined

function contentsOf(pages: readonly DocumentPage[]): string {
  const lines = pages.map(({ title, file }) => `* [${escapeLabel(title)}](${file})`)
  return `# Table of contents\n\n${lines.join('\n')}\n`
}

/** A title as the text of a link in a table of contents. */
export function escapeLabel(title: string): string {
  return title.replace(/[\\[\]`*_<>]/g, '\\$&').replace(/\s+/g, ' ')
}

function divide(content: MarkupNode[], title: string, isTitled: boolean): DocumentPage[] {
  const starts = content.flatMap((node, at) => (isElement(node, 'h1') && phraseIn([node]) !== '' ? [at] : []))
  const [first = 0] = starts
  const isBlank = (nodes: MarkupNode[]) => nodes.every((node) => phraseIn([node]) === '' && !holdsImage(node))
  if (starts.length === 1 && !isTitled && isBlank(content.slice(0, first)))
    return [
      {
        title: phraseIn([needItem(content, first)]),
        file: FRONT,
        heading: content[first] as MarkupElement,
        content: content.toSpliced(0, first + 1),
      },
    ]
  if (starts.length < 2) return [{ title, file: FRONT, content: demoted(content) }]

  const names = uniquifier(['readme', 'summary'], { caseless: true, longest: 80 })
  const chapters = starts.map((start, at): DocumentPage => {
    const name = phraseIn([needItem(content, start)])
    const file = `${names(slugify(name), 'page')}.md`
    const heading = content[start] as MarkupElement
    return { title: name, file, heading, content: content.slice(start + 1, starts[at + 1]) }
  })
  const before = content.slice(0, first)
  return isBlank(before) ? chapters : [{ title, file: FRONT, content: before }, ...chapters]
}

function holdsImage(node: MarkupNode): boolean {
  return isElement(node) && (node.name === 'img' || node.children.some(holdsImage))
}

/** If a document has a title, its headings are one level lower than in HTML. */
function demoted(content: MarkupNode[]): MarkupNode[] {
  return content.map((node) => {
    if (!isElement(node) || !/^h[1-5]$/.test(node.name)) return node
    return { ...node, name: `h${Number(node.name[1]) + 1}` }
  })
}

function idsIn(root: MarkupElement): string[] {
  const ids: string[] = []
  const open: MarkupNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') continue
    const id = node.attributes.id ?? (node.name === 'a' ? node.attributes.name : undefined)
    if (id !== undefined) ids.push(id)
    for (const child of node.children) open.push(child)
  }
  return ids
}

function anchorsIn(content: MarkupNode[]): string[] {
  const root: MarkupElement = { name: '', attributes: {}, children: content, holdsBlocks: true }
  const links = findAll(
    root,
    ({ name, attributes }) => name === 'a' && (attributes.href ?? '').startsWith('#'),
  )
  return links.map(({ attributes }) => importedAnchor(attributes.href!.slice(1)))
}
