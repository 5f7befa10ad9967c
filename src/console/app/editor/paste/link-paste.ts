/** An address that is pasted over words makes a link of them. */
import { Plugin, TextSelection } from 'prosemirror-state'
import { schema } from '../../content/schema/schema.ts'

const { link, code } = schema.marks
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S{1,2000}$/i

/** Links the selected words of a line to a pasted address. Elsewhere, and over code, the address is pasted as text. */
export const linkPaste = new Plugin({
  props: {
    handlePaste({ state, dispatch }, event) {
      const url = event.clipboardData?.getData('text/plain').trim() ?? ''
      const { selection } = state
      const { $from, from, to, empty } = selection
      if (empty || !(selection instanceof TextSelection) || !ADDRESS.test(url)) return false
      if (!$from.sameParent(selection.$to) || !$from.parent.type.allowsMarkType(link!)) return false
      if (state.doc.rangeHasMark(from, to, code!)) return false
      const tr = state.tr
        .removeMark(from, to, link)
        .addMark(from, to, link!.create({ ref: { kind: 'url', url } }))
      // The next word is written after the link, and does not replace it.
      dispatch(tr.setSelection(TextSelection.create(tr.doc, to)).scrollIntoView())
      return true
    },
  },
})
