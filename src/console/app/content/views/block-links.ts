/** The block that the address of a page names: the part after `#`. */
import type { EditorView } from 'prosemirror-view'
import { BLOCK_PREFIX } from './block-address.ts'
import { originOf } from '../schema/convert.ts'

/** The keys of the top-level blocks, in order; undefined for those that the server does not have. */
export type Keys = readonly (string | undefined)[]

/**
 * Shows the block that the address names, if the page has it.
 * @param reveal opens what the page hides around a position, such as a tab
 */
export function showNamedBlock(
  view: EditorView,
  keys: Keys,
  reveal: (pos: number) => void = () => undefined,
): void {
  const wanted = decoded(location.hash.slice(1))
  if (wanted === '') return
  let found: number | undefined
  view.state.doc.descendants((node, pos, _parent, index) => {
    if (found !== undefined) return false
    const known = originOf(node)
    const isTop = view.state.doc.resolve(pos).depth === 0
    const key = (isTop ? keys[index] : undefined) ?? known?.key
    if (known?.meta?.id === wanted || (key !== undefined && BLOCK_PREFIX + key === wanted)) found = pos
    return !node.isTextblock
  })
  if (found === undefined) return
  reveal(found)
  const dom = view.nodeDOM(found)
  if (!(dom instanceof HTMLElement)) return
  for (let around = dom.closest('details'); around; around = around.parentElement?.closest('details') ?? null)
    around.open = true
  // The title of a tab is above its text.
  const shown = dom.closest('.tab-panel') === dom ? dom.closest('.group-of-tabs') : dom
  shown?.scrollIntoView({ block: 'start' })
  // An animation changes no attribute, which the editor would take for a change of the text.
  dom.animate([{ backgroundColor: 'var(--accent-wash)' }, { backgroundColor: 'transparent' }], {
    duration: 3000,
    easing: 'ease-in',
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
