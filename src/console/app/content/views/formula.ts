/** Formulas in the text of the editor. */
import type { Node } from 'prosemirror-model'
import type { NodeViewConstructor } from 'prosemirror-view'
import { t } from '../../words/words.ts'
import { settingsButton, settingsOf } from './block-views.ts'
import { drawFormula } from './draw-formula.ts'
import { element } from '../../ui/element.ts'
import type { Ask } from './questions.ts'

const formulaOf = (node: Node): string => {
  const { formula } = node.attrs.data as { formula?: unknown }
  return typeof formula === 'string' ? formula : ''
}

/** A formula between other blocks; its source if it cannot be drawn. */
export const formulaView =
  (ask: Ask): NodeViewConstructor =>
  (node, view, getPos) => {
    const shown = element('div', {
      class: 'math',
      tabindex: '0',
      role: 'group',
      'aria-label': t('block.formula'),
    })
    shown.append(element('code', {}, formulaOf(node)))
    const dom = element('div', { class: 'formula' }, shown)
    if (view.editable) dom.append(settingsButton({ view, getPos, ask }, settingsOf(node)))
    void drawFormula(shown, formulaOf(node), true)
    return {
      dom,
      stopEvent: ({ target }) => target instanceof HTMLButtonElement,
      ignoreMutation: () => true,
    }
  }

/** A formula in a line. */
export const inlineFormulaView: NodeViewConstructor = (node) => {
  const dom = element('span', { class: 'formula-in-line' }, element('code', {}, formulaOf(node)))
  void drawFormula(dom, formulaOf(node), false)
  return { dom, ignoreMutation: () => true }
}
