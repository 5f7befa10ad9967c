/** Pasted content, and images that are pasted or dropped. */
import { DOMParser } from 'prosemirror-model'
import { Selection } from 'prosemirror-state'
import type { EditorProps, EditorView } from 'prosemirror-view'
import { linesOf, type } from './keys.ts'
import { beforeParsing, cleanPasted } from '../paste/clean.ts'
import { schema } from '../../content/schema/schema.ts'

const parser = DOMParser.fromSchema(schema)

/** The clipboard of the editor. @param insertFiles uploads files and inserts them */
export function clipboardProps(insertFiles: (files: File[]) => void): EditorProps {
  // A spreadsheet copies a picture of its cells beside their text.
  const filesOf = (data: DataTransfer | null): File[] =>
    data?.types.includes('text/html') ? [] : [...(data?.files ?? [])]
  const take = (files: File[]): boolean => {
    if (files.length > 0) insertFiles(files)
    return files.length > 0
  }
  const parseSlice: DOMParser['parseSlice'] = (dom, options = {}) => {
    // Spaces are preserved in plain text, and in what the editor itself has copied.
    const embedded = cleanPasted(dom as HTMLElement, options.preserveWhitespace === true)
    if (embedded.length > 0) insertFiles(embedded)
    return parser.parseSlice(dom, options)
  }
  return {
    transformPastedHTML: beforeParsing,
    transformPastedText: withoutLastBreak,
    clipboardParser: { parseSlice } as DOMParser,
    clipboardTextSerializer: (slice) =>
      slice.content.textBetween(
        0,
        slice.content.size,
        slice.content.firstChild?.type.name.startsWith('code') ? '\n' : '\n\n',
      ),
    handlePaste: (view, event) => take(filesOf(event.clipboardData)) || pasteCode(view, event),
    handleDrop: (view, event, _slice, isMoved) => {
      const files = filesOf(event.dataTransfer)
      if (isMoved || files.length === 0) return false
      event.preventDefault()
      // They are inserted where the caret is now.
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
      if (at) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))))
      view.focus()
      return take(files)
    },
  }
}

/** A last line break is no empty line. No text has the character 0. */
const withoutLastBreak = (text: string): string => text.replaceAll('\0', '').replace(/\r?\n$/, '')

function pasteCode(view: EditorView, event: ClipboardEvent): boolean {
  const { $from, $to } = view.state.selection
  if ($from.parent.type !== type('code_line') || !$from.sameParent($to)) return false
  const text = withoutLastBreak(event.clipboardData?.getData('text/plain') ?? '')
  view.dispatch(view.state.tr.replaceSelection(linesOf(text)).scrollIntoView())
  return true
}
