import { findAll, findFirst, markupClassesOf, isElement } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'

/** The footnotes of a page by id, and the page without the list of them. */
export interface WithFootnotes {
  notes: Map<string, MarkupElement>
  content: MarkupNode[]
}

/** Takes the footnotes of a page out of the section at its end that lists them. */
export function takeFootnotes(content: MarkupNode[]): WithFootnotes {
  const notes = new Map<string, MarkupElement>()
  const root: MarkupElement = { name: '', attributes: {}, children: content, holdsBlocks: true }
  const lists = new Set<MarkupNode>(findAll(root, isList))
  if (lists.size === 0) return { notes, content }
  for (const list of lists) {
    if (!isElement(list)) continue
    for (const item of findAll(list, ({ attributes }) => attributes.id !== undefined))
      notes.set(item.attributes.id!, item)
  }
  return { notes, content: without(content, lists) }
}

function isList(element: MarkupElement): boolean {
  const { name, attributes } = element
  if (attributes['data-footnotes'] !== undefined) return true
  if (markupClassesOf(element).some((one) => one === 'footnotes' || one === 'footnote'))
    return name === 'section' || name === 'div' || name === 'ol' || name === 'aside'
  if (name !== 'ol') return false
  const first = findFirst(element, () => true)
  return first?.name === 'li' && /^(?:footnote|endnote|fn)[-:]?\d/.test(first.attributes.id ?? '')
}

function without(nodes: MarkupNode[], gone: ReadonlySet<MarkupNode>): MarkupNode[] {
  return nodes.flatMap((node): MarkupNode[] => {
    if (gone.has(node)) return []
    if (!isElement(node) || !node.holdsBlocks) return [node]
    return [{ ...node, children: without(node.children, gone) }]
  })
}
