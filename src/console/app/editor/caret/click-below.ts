import { Plugin, TextSelection } from 'prosemirror-state'
import { type } from '../commands/keys.ts'

/** A click below the last block goes on there, where the last block is no line of text. */
export const clickBelow = new Plugin({
  props: {
    handleDOMEvents: {
      mousedown(view, event) {
        const { doc, tr } = view.state
        const last = view.dom.lastElementChild
        if (event.button !== 0 || event.target !== view.dom || !last || doc.lastChild?.isTextblock)
          return false
        if (event.clientY <= last.getBoundingClientRect().bottom) return false
        event.preventDefault()
        const end = doc.content.size
        tr.insert(end, type('paragraph').create())
        view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
        view.focus()
        return true
      },
    },
  },
})
