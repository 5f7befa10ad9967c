/** Links to the blocks of a page: the part of an address after `#`. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { tellDone } from '../pages/toasts.tsx'
import { t } from '../words.ts'
import { BLOCK_PREFIX } from './block-address.ts'
import { originOf } from './convert.ts'

/** The keys of the top-level blocks, in order; undefined for those that the server does not have. */
type Keys = readonly (string | undefined)[]

/**
 * Names a block in addresses: by its anchor, or else by its key. A block that the server does not have yet, as it is now,
 * is named by the block around it; undefined if the server has neither.
 */
export function fragmentOf(doc: Node, pos: number, keys: Keys): string | undefined {
  const $pos = doc.resolve(pos)
  for (let depth = $pos.depth; depth >= 0; depth--) {
    const node = depth === $pos.depth ? $pos.nodeAfter : $pos.node(depth + 1)
    const known = node && originOf(node)
    if (known?.meta?.id !== undefined) return encodeURIComponent(known.meta.id)
    const key = (depth === 0 ? keys[$pos.index(0)] : undefined) ?? known?.key
    if (key !== undefined) return BLOCK_PREFIX + encodeURIComponent(key)
  }
  return undefined
}

/**
 * Copies the address of this page with the name of one of its blocks.
 * @param path of the page in its content. The address of the editor can be without it: it shows the first page then, which
 * may be another one later.
 */
export function copyLink(fragment: string, path = ''): void {
  const place = location.pathname.replace(/\/edit\/?$/, `/edit/${encodeURI(path)}`)
  const address = `${location.origin}${place}${location.search}#${fragment}`
  // Browsers have a clipboard only on pages that they trust, such as those by https.
  const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(address) ?? Promise.reject()
  copied.then(
    () => tellDone(t('The link was copied.')),
    () => tellDone(address),
  )
}

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
