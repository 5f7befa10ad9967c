/**
 * Keeps the caret of the browser in text. The browser also puts it beside the text of a block, such as before the title
 * of a column or behind the button of a group. What is written there would be painted and not be in the document.
 */
import { Plugin, TextSelection } from 'prosemirror-state'
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

/** Moves a caret that is beside a text into the text that is next to it. */
function intoText(view: EditorView): void {
  const chosen = view.dom.ownerDocument.getSelection()
  if (!chosen || view.composing || !view.hasFocus() || !(view.state.selection instanceof TextSelection))
    return
  const places: DOMPlace[] = [
    { node: chosen.anchorNode, offset: chosen.anchorOffset },
    { node: chosen.focusNode, offset: chosen.focusOffset },
  ]
  if (places.some(({ node }) => !view.dom.contains(node))) return
  if (places.every((place) => isInText(view, place))) return
  const { doc, selection, tr } = view.state
  const [$anchor, $head] = places.map(({ node, offset }) => doc.resolve(view.posAtDOM(node!, offset)))
  const found = TextSelection.between($anchor!, $head!, $head!.pos < selection.head ? -1 : 1)
  if (!found.eq(selection)) view.dispatch(tr.setSelection(found))
  // The library takes both places for the same.
  const [anchor, head] = [found.anchor, found.head].map((pos) => view.domAtPos(pos))
  chosen.setBaseAndExtent(anchor!.node, anchor!.offset, head!.node, head!.offset)
}

const handler = (view: EditorView): boolean => {
  intoText(view)
  return false
}

/**
 * Deletes selected blocks before an input method writes over them. The browser would join what is left of them, and the
 * library would read copies of blocks from that.
 */
function withoutSelection(view: EditorView): void {
  const { selection, tr } = view.state
  const isInOneText = selection instanceof TextSelection && selection.$from.sameParent(selection.$to)
  if (selection.empty || isInOneText || selection instanceof CellSelection) return
  tr.deleteSelection()
  view.dispatch(tr.setSelection(TextSelection.near(tr.selection.$from)).scrollIntoView())
}

/** Before something is written, and after a key or a click has moved the caret. */
export const caretInText = new Plugin({
  props: {
    handleDOMEvents: {
      keydown: handler,
      keyup: handler,
      beforeinput: handler,
      compositionstart: (view) => {
        if (!view.composing) withoutSelection(view)
        return handler(view)
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
