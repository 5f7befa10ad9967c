/** Links to the blocks of a page: the part of an address after `#`. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { tellDone } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'
import { BLOCK_PREFIX } from './block-address.ts'
import type { Keys } from './block-links.ts'
import { originOf } from '../schema/convert.ts'
import type { Unit } from '../schema/units.ts'

/** What knows which blocks of an edited page the server has. */
export interface KnownBlocks {
  keys: () => Keys
  /** Stores the page. @returns false if it is not stored */
  save: () => Promise<boolean>
}

/** Copies the address of a block of an edited page, which the server has to have. @param path see `copyLink` */
export async function copyLinkTo(
  view: EditorView,
  { pos }: Unit,
  known: KnownBlocks,
  path: string | undefined,
): Promise<void> {
  const find = () => fragmentOf(view.state.doc, pos, known.keys())
  const fragment = find() ?? ((await known.save()) ? find() : undefined)
  if (fragment !== undefined) copyLink(fragment, path)
}

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
    () => tellDone(t('editor.link-copied')),
    () => tellDone(address),
  )
}
