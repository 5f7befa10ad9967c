/**
 * Keeps the caret of the browser in text. The browser also puts it beside the text of a block, such as before the title
 * of a column or behind the button of a group. What is written there would be painted and not be in the document.
 */
import { type EditorState, Plugin, Selection, TextSelection } from 'prosemirror-state'
import { CellSelection } from 'prosemirror-tables'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { emptyCells } from './cell-selection.ts'
import { element } from '../../ui/element.ts'

interface DOMPlace {
  node: globalThis.Node | null
  offset: number
}

/** Whether a place of the page is in the text of a block. */
function isInText(view: EditorView, { node, offset }: DOMPlace): boolean {
  const $pos = view.state.doc.resolve(view.posAtDOM(node!, offset))
  return $pos.parent.inlineContent && view.domAtPos($pos.start()).node.contains(node)
}

/** Moves a caret that is beside a text into the text that is next to it. A browser may also have no caret after a click. */
function intoText(view: EditorView, event: Event): void {
  const chosen = view.dom.ownerDocument.getSelection()
  const { selection, tr } = view.state
  if (!chosen || view.composing || !view.hasFocus() || !(selection instanceof TextSelection)) return
  const places: DOMPlace[] = [
    { node: chosen.anchorNode, offset: chosen.anchorOffset },
    { node: chosen.focusNode, offset: chosen.focusOffset },
  ]
  const isInside = places.every(({ node }) => view.dom.contains(node))
  if (isInside && places.every((place) => isInText(view, place))) return
  const found = isInside ? between(view, places) : nearest(view, event)
  if (!found.eq(selection)) view.dispatch(tr.setSelection(found))
  // The library takes both places for the same.
  const [anchor, head] = [found.anchor, found.head].map((pos) => view.domAtPos(pos))
  chosen.setBaseAndExtent(anchor!.node, anchor!.offset, head!.node, head!.offset)
}

/** The selection between two places, in the texts that are next to them. */
function between(view: EditorView, places: readonly DOMPlace[]): Selection {
  const { doc, selection } = view.state
  const [$anchor, $head] = places.map(({ node, offset }) => doc.resolve(view.posAtDOM(node!, offset)))
  return TextSelection.between($anchor!, $head!, $head!.pos < selection.head ? -1 : 1)
}

/** The caret in the text that is nearest to a click; without one, where the editor has it. */
function nearest(view: EditorView, event: Event): Selection {
  const { doc, selection } = view.state
  const place = event instanceof MouseEvent && view.posAtCoords({ left: event.clientX, top: event.clientY })
  return place ? TextSelection.near(doc.resolve(place.pos)) : selection
}

const handler = (view: EditorView, event: Event): boolean => {
  intoText(view, event)
  return false
}

/**
 * Deletes what is selected before the browser writes over it: for an input method, or a letter that no key wrote. The
 * browser would join what is left of blocks, and the library would read copies of them from that. The caret goes where a
 * letter of the keyboard would be, and so a letter is written and deleted.
 * @returns whether the document has changed
 */
function withoutSelection(view: EditorView): boolean {
  const { selection } = view.state
  const isInOneText = selection instanceof TextSelection && selection.$from.sameParent(selection.$to)
  if (selection.empty || isInOneText) return false
  if (selection instanceof CellSelection) return emptyCells(view, selection)
  view.dispatch(view.state.tr.insertText(LETTER))
  const { selection: caret, tr } = view.state
  if (caret.$head.nodeBefore?.text?.endsWith(LETTER))
    view.dispatch(tr.delete(caret.head - LETTER.length, caret.head).scrollIntoView())
  return true
}

const LETTER = 'x'

/**
 * Keeps the caret behind the first text of a composition. Chromium has counted the characters in front of the selection
 * before it was deleted, and puts the caret after as many: perhaps into the next block. The library would take the text
 * there for what is composed, and draw the composed one anew.
 */
function holdCaret({ dom: { ownerDocument } }: EditorView): void {
  const chosen = ownerDocument.getSelection()!
  const { focusNode: node, focusOffset: offset } = chosen
  const move = (event: Event) => {
    const isText = node instanceof Text
    const text = isText ? node : node?.childNodes[offset]
    const start = isText ? offset : 0
    const { data } = event as InputEvent
    // Chromium may write it into another text.
    if (data && text instanceof Text && text.data.startsWith(data, start))
      chosen.collapse(text, start + data.length)
  }
  // Before any other listener, since the library reads the page between two of them.
  ownerDocument.defaultView!.addEventListener('input', move, { capture: true, once: true })
}

/** In a page without any text, the browser would have no place for a caret, and an input method none for its text. */
const lineForCaret = ({ doc }: EditorState): DecorationSet | null =>
  Selection.findFrom(doc.resolve(0), 1, true)
    ? null
    : DecorationSet.create(doc, [Decoration.widget(doc.content.size, () => element('br'))])

/** Before something is written, and after a key or a click has moved the caret. */
export const caretInText = new Plugin({
  props: {
    decorations: lineForCaret,
    handleDOMEvents: {
      keydown: handler,
      keyup: handler,
      beforeinput: (view, event) => {
        // A letter without a key, as of a list of emoji.
        if (event.inputType === 'insertText' && !view.composing) withoutSelection(view)
        return handler(view, event)
      },
      compositionstart: (view, event) => {
        const isDeleted = !view.composing && withoutSelection(view)
        handler(view, event)
        if (isDeleted) holdCaret(view)
        return false
      },
      click: handler,
    },
  },
})
