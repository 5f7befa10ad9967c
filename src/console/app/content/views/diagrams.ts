/** Diagrams on a page that is read: the drawing, with its source below a button. */
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
function keepDrawn(
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

/** Shows a drawing in place of its source, with a button that shows the source. */
function pictureAbove(code: HTMLElement): (drawing: Drawing) => void {
  let image: HTMLImageElement | undefined
  return ({ svg, width, height, kind, description }) => {
    if (!image) {
      image = element('img')
      code.before(element('div', { class: 'diagram-picture' }, image), toggleOf(code))
    }
    const name = `${t('common.diagram')}${kind ? ` (${kind})` : ''}`
    image.alt = description || `${name}; ${t('editor.show-source-gives-text')}`
    image.width = Math.ceil(width)
    image.height = Math.ceil(height)
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
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
