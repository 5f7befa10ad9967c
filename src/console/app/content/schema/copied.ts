/** How copied nodes are written to the clipboard and read from it again. */
import type { Attrs, TagParseRule } from 'prosemirror-model'
import type { ContentRef } from '../../../../core/document/model.ts'
import { areFragments, isData, isRef } from './accepted.ts'
import { blockType } from './node-names.ts'

/** The attributes of every node that has data. */
export const withData = { data: { default: {} } }

/** In an element, its hole: not that of a node in it. */
const HOLE = ':scope > [data-hole], :scope > :not([data-node]) > [data-hole]'

/** The attributes of an element that a copied node is read from again. */
export function copied(name: string, attrs: Attrs): Record<string, string> {
  return { 'data-node': name, 'data-attrs': JSON.stringify(attrs) }
}

/**
 * Reads what `copied` wrote, unless the server would refuse it. A hole is where the content is.
 * @param isFit whether attributes can be those of the node
 */
export function read(
  name: string,
  isFit: (attrs: Record<string, unknown>) => boolean = ({ data, fragments }) =>
    isData(blockType(name), data) && areFragments(fragments),
): TagParseRule {
  return {
    tag: `[data-node="${name}"]`,
    priority: 60,
    getAttrs: (dom: HTMLElement) => {
      try {
        const attrs: unknown = JSON.parse(dom.dataset.attrs ?? '{}')
        if (typeof attrs !== 'object' || attrs === null) return false
        return isFit(attrs as Record<string, unknown>) && attrs
      } catch {
        return false
      }
    },
    contentElement: (dom: Node) =>
      (dom as HTMLElement).querySelector<HTMLElement>(HOLE) ?? (dom as HTMLElement),
  }
}

/** The reference of a copied link; false for what is none. */
export function readRef(text: string): ContentRef | false {
  try {
    const ref: unknown = JSON.parse(text)
    return isRef(ref) && ref
  } catch {
    return false
  }
}
