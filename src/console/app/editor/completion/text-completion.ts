/** The completion in an editor: when it is open, and the keys that it takes. It holds no state of the document. */
import { redoDepth } from 'prosemirror-history'
import { type EditorState, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { slashAt } from '../commands/inserts.ts'
import type { Completion, Completed, CompletionPlace } from './completions.ts'
import { canComplete, completing, triggerAt } from './insert-completion.ts'
import { CompletionLookup } from './lookup.ts'
import { OpenCompletion } from './open-completion.ts'
import type { Trigger } from './trigger.ts'

/** The completion of one editor. */
export interface TextCompletion {
  plugin: Plugin
  /** What is shown; the same value until it changes. */
  open: OpenCompletion
  choose(view: EditorView, chosen: Completion): void
}

/**
 * @param complete puts what cannot be inserted at once into the text, such as a page that has to be made
 * @param beforeInsert called with what is inserted, so that the text can show its title
 */
export function textCompletion(
  place: CompletionPlace,
  beforeInsert: (completed: Completed) => void,
  complete: (view: EditorView, trigger: Trigger, completed: Completed) => void,
): TextCompletion {
  const open = new OpenCompletion((onFound) => new CompletionLookup(place, onFound))
  const choose = (view: EditorView, chosen: Completion) => {
    const trigger = triggerAt(view.state)
    if (!trigger) return
    const at = view.state.selection.from
    beforeInsert(chosen.completed)
    open.dismiss(at - trigger.length)
    const tr = completing(view.state, trigger.length, chosen.completed)
    if (tr) view.dispatch(tr)
    else complete(view, trigger, chosen.completed)
  }
  const plugin = new Plugin({
    view: () => ({
      update(view, before) {
        const { state } = view
        const trigger = view.editable && !slashAt(state) ? triggerAt(state) : undefined
        open.follow(trigger && { trigger, from: state.selection.from - trigger.length }, {
          isTyped: isTyped(before, state),
          fits: ({ completed }) => canComplete(view.state, completed),
        })
      },
      destroy: () => open.close(),
    }),
    props: {
      handleKeyDown(view, event) {
        // An input method takes the keys while it composes; 229 is what browsers report then.
        if (view.composing || event.isComposing || event.keyCode === 229) return false
        return open.takeKey(event, (chosen) => choose(view, chosen))
      },
      handleDOMEvents: {
        blur: () => {
          open.close()
          return false
        },
      },
    },
  })
  return { plugin, open, choose }
}

/** Whether somebody has typed at the caret, in contrast to moving it, undoing, or a change by another user. */
function isTyped(before: EditorState, now: EditorState): boolean {
  if (before.doc === now.doc || redoDepth(now) > redoDepth(before)) return false
  return now.selection.from !== before.selection.from
}
