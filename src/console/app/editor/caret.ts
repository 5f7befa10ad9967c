/**
 * Keeps the caret of the browser in text. The browser also puts it beside the text of a block, such as before the title
 * of a column or behind the button of a group. What is written there would be painted and not be in the document.
 */
import { Plugin, type Selection, TextSelection } from 'prosemirror-state'
import { CellSelection } from 'prosemirror-tables'
import type { EditorView, NodeView } from 'prosemirror-view'

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
 * Deletes selected blocks before the browser writes over them: for an input method, or a letter that no key wrote. The
 * browser would join what is left of them, and the library would read copies of blocks from that. The caret goes where a
 * letter of the keyboard would be, and so a letter is written and deleted.
 */
function withoutSelection(view: EditorView): void {
  const { selection } = view.state
  const isInOneText = selection instanceof TextSelection && selection.$from.sameParent(selection.$to)
  if (selection.empty || isInOneText || selection instanceof CellSelection) return
  view.dispatch(view.state.tr.insertText(LETTER))
  const { selection: caret, tr } = view.state
  if (!caret.$head.nodeBefore?.text?.endsWith(LETTER)) return
  view.dispatch(tr.delete(caret.head - LETTER.length, caret.head).scrollIntoView())
}

const LETTER = 'x'

/** Before something is written, and after a key or a click has moved the caret. */
export const caretInText = new Plugin({
  props: {
    handleDOMEvents: {
      keydown: handler,
      keyup: handler,
      beforeinput: (view, event) => {
        // A letter without a key, as of a list of emoji.
        if (event.inputType === 'insertText' && !view.composing) withoutSelection(view)
        return handler(view, event)
      },
      compositionstart: (view, event) => {
        if (!view.composing) withoutSelection(view)
        return handler(view, event)
      },
      click: handler,
    },
  },
})

/**
 * Which changes of an element the library ignores, for a view with controls: those of attributes, and those in what
 * nobody can write in. It draws the element anew if something else appears beside the content.
 */
export const ignoresControls: NonNullable<NodeView['ignoreMutation']> = ({ type, target }) => {
  if (type === 'selection') return false
  const within = target instanceof HTMLElement ? target : target.parentElement
  return type === 'attributes' || within?.isContentEditable === false
}
