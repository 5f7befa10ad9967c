/** The sections of a page, by heading: what a search result shows, and what is indexed. */
import { parseDescription } from '../document/description.ts'
import { INCLUDE_DEPTH } from '../document/shape/limits.ts'
import type { Block, ContentRef, Document } from '../document/model.ts'
import { blockText, lineText } from '../document/text.ts'
import { unconditional } from '../document/shown/unconditional.ts'

/** The text of a page between two headings, or the part of it under a condition. */
export interface PageSection {
  /** The anchor of the heading; absent before the first. */
  anchor?: string
  /** The text of the heading. */
  title: string
  text: string
  /** The expressions that must all be true for a visitor who may see this. */
  when?: string[]
}

/** A section with further texts that are still to be read. */
export interface UnreadSection extends PageSection {
  /** Descriptions in Markdown. */
  markdown?: string[]
}

/** The most text of one page that is indexed, in UTF-16 units. */
const MOST_TEXT = 400_000

/** The reusable contents of one page that are indexed: each can include others. */
const MOST_INCLUDES = 200

const INCLUDES = /\{%\s*include\b/

/** Whether a page may include something, without a parse of it. */
export const mayInclude = (source: string) => INCLUDES.test(source)

/** The reusable content that a reference names, and what the references in it name. */
export type Included = (ref: ContentRef) => { document: Document; included: Included } | undefined

/**
 * Divides a document at its headings. Content within a condition is a section of its own, so that it can be left out.
 * The content of a condition within a line is left out altogether, and so is that of a condition in a cell. Reusable
 * contents are read where the page includes them.
 * @param included the document of a reusable content, as the document that includes it names it
 */
export function sectionsOf(document: Document, included: Included = () => undefined): PageSection[] {
  const sections: PageSection[] = []
  let heading: Pick<PageSection, 'anchor' | 'title'> & { when: string[] } = { title: '', when: [] }
  let open: { section: PageSection; texts: string[]; conditions: readonly string[] } | undefined
  let left = MOST_TEXT

  const close = () => {
    if (open) open.section.text = open.texts.join('\n')
    open = undefined
  }
  const start = (conditions: readonly string[]) => {
    close()
    const { when, ...named } = heading
    // A heading within a condition is not a title for what follows outside of it.
    const isNamed = when.every((one, i) => conditions[i] === one)
    const section: PageSection = { title: '', ...(isNamed ? named : {}), text: '' }
    if (conditions.length > 0) section.when = [...conditions]
    sections.push(section)
    open = { section, texts: [], conditions }
    return open
  }
  const put = (text: string, conditions: readonly string[]) => {
    const some = text.slice(0, left).trim()
    if (some === '') return
    left -= some.length
    const { texts } = open?.conditions === conditions ? open : start(conditions)
    texts.push(some)
  }
  let find = included
  let depth = 0
  let includes = MOST_INCLUDES
  const include = (ref: ContentRef, conditions: readonly string[]): void => {
    const found = depth < INCLUDE_DEPTH && includes-- > 0 ? find(ref) : undefined
    if (!found) return
    const before = find
    find = found.included
    depth++
    read(found.document.nodes, conditions)
    depth--
    find = before
  }
  const read = (blocks: readonly Block[], conditions: readonly string[]): void => {
    for (const block of blocks) {
      if (left <= 0) return
      if (block.type === 'if') read(block.nodes, [...conditions, block.data.expression])
      else if (block.type === 'reusable-content') include(block.data.ref, conditions)
      else if (isSectionHeading(block)) {
        const anchor = block.meta?.id
        heading = {
          ...(anchor === undefined ? {} : { anchor }),
          title: lineText(block.nodes).trim(),
          when: [...conditions],
        }
        left -= heading.title.length
        start(conditions)
      } else if (hasCondition(block)) readAround(block, conditions)
      else put(blockText(block), conditions)
    }
  }
  /** A block with a condition somewhere in it. */
  const readAround = (block: Block, conditions: readonly string[]): void => {
    if (block.type === 'table') return put(unconditional([block]).map(blockText).join('\n'), conditions)
    if (block.type === 'tabs-item') put(block.data.title ?? '', conditions)
    if (isContainer(block)) read(block.nodes, conditions)
    else if (block.type === 'expandable')
      for (const fragment of block.fragments ?? []) read(fragment.nodes, conditions)
    else put(unconditional([block]).map(blockText).join('\n'), conditions)
  }
  read(document.nodes, [])
  close()
  return sections.filter(({ title, text }) => title !== '' || text !== '')
}

/** The section with the texts of its descriptions, and those under conditions as sections of their own. */
export function readSection({ markdown = [], ...section }: UnreadSection): PageSection[] {
  const described = markdown.flatMap((one) =>
    sectionsOf({ object: 'document', data: {}, nodes: parseDescription(one) }),
  )
  const own = described.filter(({ when }) => when === undefined).map(({ text }) => text)
  const conditional = described.filter(({ when }) => when !== undefined)
  return [
    { ...section, text: [section.text, ...own].filter((text) => text !== '').join('\n') },
    ...conditional.map(({ text, when }) => ({ ...section, text, ...(when && { when }) })),
  ]
}

type Container = Extract<Block, { nodes: Block[] }>

function isContainer(block: Block): block is Container {
  return block.nodes !== undefined && block.nodes.every((node) => node.object === 'block')
}

function isSectionHeading(
  block: Block,
): block is Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }> {
  return block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3'
}

type Inner = NonNullable<Block['nodes']>[number]

/** Whether a block contains a condition, a reusable content, or a heading, which makes a section. */
function hasCondition(block: Block): boolean {
  const inside = (node: Inner | Block): boolean => {
    if (node.object === 'text') return false
    if (node.object === 'block' && (DIVIDES.has(node.type) || isSectionHeading(node))) return true
    return (node.nodes ?? []).some(inside) || (node.fragments ?? []).some((one) => one.nodes.some(inside))
  }
  return (block.nodes ?? []).some(inside) || (block.fragments ?? []).some((one) => one.nodes.some(inside))
}

const DIVIDES: ReadonlySet<string> = new Set(['if', 'reusable-content'])
