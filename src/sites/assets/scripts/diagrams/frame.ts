// Turns Mermaid sources into SVG for the page that embeds this frame. The frame has an opaque origin and no network
// (see FRAME_POLICY), so nothing that a hostile source might make Mermaid do reaches the site or its readers.
import type { DiagramAnswer, DiagramPicture, DiagramSource } from './messages.ts'

/** The part of Mermaid that the frame uses. Its script, which comes before this one, defines it. */
declare const mermaid: {
  initialize(options: Record<string, unknown>): void
  render(id: string, source: string): Promise<{ svg: string }>
}

const page = window.parent
const answer = (message: DiagramAnswer) => page.postMessage(message, '*')

async function draw({ id, source, dark }: DiagramSource) {
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: dark ? 'dark' : 'neutral',
      // SVG text instead of HTML labels: browsers draw it the same way inside an image.
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: 'system-ui, sans-serif',
      secure: [
        'secure',
        'securityLevel',
        'startOnLoad',
        'maxTextSize',
        'maxEdges',
        'suppressErrorRendering',
        'htmlLabels',
      ],
    })
    const { svg } = await mermaid.render(`diagram-${id}`, source)
    answer({ id, ...toPicture(svg) })
  } catch (error) {
    // Mermaid also throws objects that are no errors.
    answer({ id, fault: String((error as { message?: unknown } | undefined)?.message ?? error) })
  }
}

/** The SVG as a separate document, with the size that it was drawn for and the words that describe it. */
function toPicture(markup: string): DiagramPicture {
  const holder = document.createElement('div')
  holder.innerHTML = markup
  const svg = holder.querySelector('svg')
  if (!svg) throw new Error('There is no picture')
  const { width, height } = svg.viewBox.baseVal
  svg.removeAttribute('style')
  svg.setAttribute('width', String(width))
  svg.setAttribute('height', String(height))
  const words = ['title', 'desc'].map((name) => svg.querySelector(`:scope > ${name}`)?.textContent.trim())
  return {
    svg: new XMLSerializer().serializeToString(svg),
    width,
    height,
    kind: svg.getAttribute('aria-roledescription') ?? '',
    description: words.filter(Boolean).join('. '),
  }
}

let queue = Promise.resolve()
addEventListener('message', ({ source, data }: MessageEvent<DiagramSource>) => {
  if (source === page) queue = queue.then(() => draw(data))
})
answer({ ready: true })
