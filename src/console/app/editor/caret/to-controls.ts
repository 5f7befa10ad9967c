/** The key that leads from the text of a tab to its title, and from an expandable block to its button. */
import type { Command } from 'prosemirror-state'

/** Focuses the control of the innermost tab or expandable block around the caret. */
export const toControls: Command = ({ selection }, _dispatch, view) => {
  const { node } = view?.domAtPos(selection.from) ?? {}
  const place = node instanceof Element ? node : node?.parentElement
  const around = place?.closest('.group-of-tabs, .expandable')
  const control = around?.querySelector<HTMLElement>(':scope > .fold, :scope > .tab-list input:not([hidden])')
  control?.focus()
  return control !== undefined && control !== null
}
