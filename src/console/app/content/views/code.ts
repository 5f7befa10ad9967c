/** Code on a page that is read, with a button that copies it. Mermaid diagrams are drawn. */
import type { NodeViewConstructor } from 'prosemirror-view'
import { atomView, codeView } from './block-views.ts'
import { element } from '../../ui/element.ts'
import { tellDone } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'
import { withDrawing } from './diagrams.ts'
import { diagramSource } from './parts/diagram-source.ts'

const nothing = () => undefined

/** A block of code. */
export const readCodeView: NodeViewConstructor = (node, ...rest) => {
  const view = codeView(nothing)(node, ...rest)
  const text = node.children.map(({ textContent }) => textContent).join('\n')
  // Browsers have a clipboard only on pages that they trust, such as those by https.
  if ('clipboard' in navigator) view.dom.append(copyButton(text))
  const shown = { ...view, stopEvent: () => true, ignoreMutation: () => true }
  return withDrawing(shown, diagramSource(node))
}

/** The block of an integration. */
export const readIntegrationView: NodeViewConstructor = (node, ...rest) =>
  withDrawing(atomView(nothing)(node, ...rest), diagramSource(node))

function copyButton(text: string): HTMLElement {
  const label = t('editor.copy-the-code')
  const button = element(
    'button',
    { type: 'button', class: 'copy-code', 'aria-label': label },
    t('common.copy'),
  )
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => tellDone(t('editor.code-copied')),
      () => tellDone(t('editor.browser-does-not-allow')),
    )
  })
  return button
}
