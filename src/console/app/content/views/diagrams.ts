/** Drawings of diagrams. On a page that is read, the source is below a button. */
import type { NodeView } from 'prosemirror-view'
import { element } from '../../ui/element.ts'
import { t } from '../../words/words.ts'
import { drawDiagram, type Drawing } from './diagram-frame.ts'

/** The view of a block, with the drawing of its source above it. @param source that of no diagram if it is undefined */
export function withDrawing(view: NodeView, source: string | undefined): NodeView {
  if (source === undefined || source.trim() === '') return view
  const code = view.dom
  const dom = element('figure', { class: 'diagram' }, code)
  const stop = keepDrawn(source, {
    show: pictureAbove(code),
    fail: (reason) =>
      dom.prepend(element('p', { class: 'diagram-note' }, `${t('editor.browser-could-not-draw')} ${reason}`)),
  })
  return { ...view, dom, stopEvent: () => true, ignoreMutation: () => true, destroy: stop }
}

/** Draws a diagram, and again in other colours whenever the console changes its own. @returns stops that */
export function keepDrawn(
  source: string,
  { show, fail }: { show: (drawing: Drawing) => void; fail: (reason: string) => void },
): () => void {
  const device = matchMedia('(prefers-color-scheme: dark)')
  const { documentElement: root } = document
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : device.matches)
  let isStopped = false
  let shown: boolean | undefined

  const draw = async () => {
    const wanted = isDark()
    if (isStopped || wanted === shown) return
    shown = wanted
    try {
      const drawing = await drawDiagram(source, wanted)
      if (!isStopped && shown === wanted) show(drawing)
    } catch (error) {
      if (!isStopped) fail((error as Error).message)
      stop()
    }
  }
  const drawAgain = () => void draw()
  const observer = new MutationObserver(drawAgain)
  const stop = () => {
    isStopped = true
    observer.disconnect()
    device.removeEventListener('change', drawAgain)
  }
  observer.observe(root, { attributeFilter: ['data-theme'] })
  device.addEventListener('change', drawAgain)
  drawAgain()
  return stop
}

/** The image of a drawing. @param note follows the kind of a diagram that its writer has not described */
export function imageOf({ svg, width, height, kind, description }: Drawing, note = ''): HTMLImageElement {
  const name = `${t('common.diagram')}${kind ? ` (${kind})` : ''}`
  return element('img', {
    alt: description || `${name}${note}`,
    width: String(Math.ceil(width)),
    height: String(Math.ceil(height)),
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  })
}

/** Shows a drawing in place of its source, with a button that shows the source. */
function pictureAbove(code: HTMLElement): (drawing: Drawing) => void {
  let picture: HTMLElement | undefined
  return (drawing) => {
    if (!picture) {
      picture = element('div', { class: 'diagram-picture' })
      code.before(picture, toggleOf(code))
    }
    picture.replaceChildren(imageOf(drawing, `; ${t('editor.show-source-gives-text')}`))
  }
}

function toggleOf(code: HTMLElement): HTMLElement {
  const button = element('button', { type: 'button', class: 'diagram-toggle' })
  const show = (isShown: boolean) => {
    code.hidden = !isShown
    button.setAttribute('aria-expanded', String(isShown))
    button.textContent = isShown ? t('editor.hide-source') : t('editor.show-source')
  }
  button.addEventListener('click', () => show(code.hasAttribute('hidden')))
  show(false)
  return button
}
