/** The places at which files are inserted once they are uploaded. They follow the changes of the page until then. */
import { EditorState, Plugin, PluginKey, type SelectionBookmark } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { fitsCell, isInCell } from '../caret/cell-content.ts'
import { insertNode } from './inserts.ts'
import { type } from './keys.ts'
import type { ContentFile } from '../../content/views/page-context.ts'
import { schema } from '../../content/schema/schema.ts'

/** Identifies an upload. */
export type Upload = object
/** A place for an upload; undefined once nothing more is inserted there. */
interface Placing {
  upload: Upload
  at: SelectionBookmark | undefined
}

const key = new PluginKey<ReadonlyMap<Upload, SelectionBookmark>>('uploads')

export const uploadPlaces = new Plugin<ReadonlyMap<Upload, SelectionBookmark>>({
  key,
  state: {
    init: () => new Map(),
    apply(tr, places) {
      const placing = tr.getMeta(key) as Placing | undefined
      if (!placing && (places.size === 0 || !tr.docChanged)) return places
      const next = new Map([...places].map(([upload, at]) => [upload, at.map(tr.mapping)]))
      if (placing?.at) next.set(placing.upload, placing.at)
      else if (placing) next.delete(placing.upload)
      return next
    },
  },
})

type Edited = Pick<EditorView, 'state' | 'dispatch'>

/** Remembers the caret as the place of an upload. */
export function beginUpload({ state, dispatch }: Edited): Upload {
  const upload = {}
  dispatch(state.tr.setMeta(key, { upload, at: state.selection.getBookmark() } satisfies Placing))
  return upload
}

/** Forgets the place of an upload. */
export function endUpload({ state, dispatch }: Edited, upload: Upload): void {
  dispatch(state.tr.setMeta(key, { upload, at: undefined } satisfies Placing))
}

/** Inserts an uploaded file at its place. The caret goes behind it only if it has not left the place since. */
export function insertUploaded(view: Edited, upload: Upload, file: ContentFile): void {
  const { state } = view
  const selection = key.getState(state)?.get(upload)?.resolve(state.doc) ?? state.selection
  const isMoved = !selection.eq(state.selection)
  const place = EditorState.create({ doc: state.doc, selection })
  insertFile(file)(place, (tr) => {
    tr.setMeta(key, { upload, at: tr.selection.getBookmark() } satisfies Placing)
    view.dispatch(isMoved ? tr.setSelection(state.selection.map(tr.doc, tr.mapping)) : tr)
  })
}

/** Inserts an image, or a file for readers to download: in a cell, as a link, because it holds no files. */
function insertFile({ id, name, contentType }: ContentFile): ReturnType<typeof insertNode> {
  const ref = { kind: 'file', file: id } as const
  const node = contentType.startsWith('image/')
    ? type('images').create(null, type('image').create({ data: { ref } }))
    : type('file').create({ data: { ref } })
  return (state, dispatch) => {
    const { $to, to } = state.selection
    if (!isInCell($to) || fitsCell(node)) return insertNode(node)(state, dispatch)
    if (!$to.parent.inlineContent) return false
    const link = schema.text(name, [schema.mark('link', { ref })])
    const isBeside = $to.nodeBefore !== null && !/\s$/.test($to.nodeBefore.text ?? '')
    dispatch?.(state.tr.insert(to, isBeside ? [schema.text(' '), link] : [link]).scrollIntoView())
    return true
  }
}
