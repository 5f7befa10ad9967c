/**
 * Draws the Mermaid diagrams of a page. A sandboxed frame makes an SVG of each source, and the page shows that SVG as an
 * image: browsers run no script in images and load nothing from them. Without this script the sources stay readable.
 */
import { element } from '../kit/element.ts'
import { all } from '../kit/find.ts'
import { root } from '../kit/root.ts'
import { deviceScheme, isDark } from '../kit/scheme.ts'
import { colorsOfPage } from './colors.ts'
import type { DiagramPicture, DiagramSource } from './messages.ts'
import { diagramWords } from './words.ts'

const FRAME = new URL('./diagram-frame.html', import.meta.url).href
const TIME_LIMIT_MS = 15_000

interface Diagram {
  figure: HTMLElement
  /** The source as the page shows it. */
  code: HTMLElement
  source: string
  image?: HTMLImageElement
  isFaulty?: boolean
}

const diagrams = all('.diagram').flatMap((figure): Diagram[] => {
  const code = figure.querySelector<HTMLElement>('.code')
  const source = figure.querySelector('pre')?.textContent
  return code && source !== undefined ? [{ figure, code, source }] : []
})
const frame = element('iframe', { tabIndex: -1, className: 'diagram-frame', title: diagramWords.diagram })
frame.setAttribute('sandbox', 'allow-scripts')
frame.setAttribute('aria-hidden', 'true')
frame.src = FRAME

function drawAll() {
  const look = { dark: isDark(), colors: colorsOfPage() }
  diagrams.forEach(({ source, isFaulty }, id) => {
    const message: DiagramSource = { id, source, ...look }
    if (!isFaulty) frame.contentWindow?.postMessage(message, '*')
  })
}

function giveUp() {
  frame.remove()
  for (const diagram of diagrams) if (!diagram.image) showFault(diagram, diagramWords.diagramSlow)
}

function showFault(diagram: Diagram, reason: string) {
  if (diagram.isFaulty) return
  diagram.isFaulty = true
  const textContent = `${diagramWords.diagramFault} ${reason}`
  diagram.figure.prepend(element('p', { className: 'diagram-note', textContent }))
}

function showPicture(diagram: Diagram, { svg, width, height, kind, description }: DiagramPicture) {
  const image = (diagram.image ??= addImage(diagram))
  const { diagram: name, diagramText } = diagramWords
  image.alt = description || `${name}${kind ? ` (${kind})` : ''}; ${diagramText}`
  image.width = Math.ceil(width)
  image.height = Math.ceil(height)
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Adds an image to the figure, and a button that shows and hides its source. */
function addImage({ figure, code }: Diagram): HTMLImageElement {
  const image = element('img')
  const button = element('button', { type: 'button', className: 'diagram-toggle' }, diagramWords.showSource)
  button.setAttribute('aria-expanded', 'false')
  code.hidden = true
  button.addEventListener('click', () => {
    code.hidden = !code.hidden
    button.setAttribute('aria-expanded', String(!code.hidden))
    button.textContent = code.hidden ? diagramWords.showSource : diagramWords.hideSource
  })
  figure.prepend(element('div', { className: 'diagram-picture image' }, image), button)
  return image
}

/** What the frame should send. A hostile source may have made it send anything. */
type Answer = Partial<DiagramPicture & { ready: unknown; id: number; fault: unknown }>

function read({ source, data }: MessageEvent<unknown>) {
  if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return
  const answer: Answer = data
  if (answer.ready) return drawAll()
  const diagram = diagrams[answer.id ?? -1]
  if (!diagram) return
  const [reason = ''] = String(answer.fault).split('\n', 1)
  if (typeof answer.svg === 'string') showPicture(diagram, answer as DiagramPicture)
  else showFault(diagram, reason.replace(/[.:]?$/, '.'))
  if (diagrams.every(({ image, isFaulty }) => image || isFaulty)) clearTimeout(clock)
}

addEventListener('message', read)
deviceScheme.addEventListener('change', drawAll)
new MutationObserver(drawAll).observe(root, { attributeFilter: ['data-theme'] })
document.body.append(frame)
// Mermaid has no limit of time: a diagram that takes too long keeps its source.
const clock = setTimeout(giveUp, TIME_LIMIT_MS)
