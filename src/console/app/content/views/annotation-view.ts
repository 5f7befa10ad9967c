import { EditorState } from 'prosemirror-state'
import { EditorView, type NodeViewConstructor } from 'prosemirror-view'
import type { Fragment } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { docOf } from '../schema/convert.ts'
import { element } from '../../ui/element.ts'
import type { PageContext } from './page-context.ts'
import { markViews, nodeViews } from './views.ts'

let made = 0

/** Words that are read, with a button that shows the note on them, as published pages do. */
export function annotationView(context: PageContext): NodeViewConstructor {
  return (node) => {
    const fragments = (node.attrs.fragments ?? []) as Fragment[]
    const body = fragments.find(({ nodes }) => nodes.length > 0)
    const content = element('span', { class: 'annotation' })
    if (!body) return { dom: content, contentDOM: content }
    made += 1
    const note = element('span', { popover: '', id: `note-${made}`, class: 'note', role: 'note' })
    const label = t('editor.note-on-words', { words: node.textContent })
    const button = element('button', { type: 'button', class: 'note-button', 'aria-label': label })
    button.popoverTargetElement = note
    content.addEventListener('click', ({ target }) => {
      if (target instanceof Element && !target.closest('a')) button.click()
    })

    let view: EditorView | undefined
    note.addEventListener('beforetoggle', ({ newState }) => {
      if (newState !== 'open') return
      view ??= new EditorView(note, {
        state: EditorState.create({ doc: docOf(body.nodes) }),
        editable: () => false,
        nodeViews: nodeViews(context),
        markViews: markViews(context),
        attributes: { class: 'prose', dir: 'auto' },
      })
      // Its size is known once it is shown, before it is painted.
      requestAnimationFrame(() => placeBelow(note, button))
    })
    return {
      dom: element('span', {}, content, button, note),
      contentDOM: content,
      stopEvent: () => true,
      ignoreMutation: () => true,
      destroy: () => view?.destroy(),
    }
  }
}

/** Puts a note below its button, as far as it is within the page. It scrolls with the page. */
function placeBelow(note: HTMLElement, button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect()
  const widest = document.documentElement.clientWidth - note.offsetWidth - 8
  note.style.left = `${Math.max(8, Math.min(left - 24, widest)) + scrollX}px`
  note.style.top = `${bottom + 4 + scrollY}px`
}
