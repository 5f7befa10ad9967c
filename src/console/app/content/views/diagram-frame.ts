/**
 * Draws Mermaid diagrams as published pages do: a frame with an opaque origin and without network makes an SVG of each
 * source. Nothing of a source runs in the console, which shows the SVG as an image.
 */
import { element } from '../../ui/element.ts'
import { t } from '../../words/words.ts'

/** A diagram that was drawn. */
export interface Drawing {
  svg: string
  width: number
  height: number
  /** The name that Mermaid gives to this kind of diagram; may be empty. */
  kind: string
  /** The title and description that its writer gave it; may be empty. */
  description: string
}

/** Mermaid has no limit of time. */
const TIME_LIMIT_MS = 15_000
/** The frame is closed when nothing was drawn for so long. */
const IDLE_MS = 30_000
/** In UTF-16 units. */
const LONGEST_SVG = 2_000_000

let frame: HTMLIFrameElement | undefined
let opening: Promise<void> | undefined
let closing: ReturnType<typeof setTimeout> | undefined
let drawn = 0
/** How often a diagram took too long. Those that waited for it are not drawn either. */
let failures = 0
let queue: Promise<unknown> = Promise.resolve()

/** Draws a diagram. @throws an error with the reason, if the source is wrong or takes too long */
export function drawDiagram(source: string, isDark: boolean): Promise<Drawing> {
  const before = failures
  const drawing = queue.then(() => {
    if (failures !== before) throw tooSlow()
    return drawNext(source, isDark)
  })
  queue = drawing.catch(() => undefined)
  return drawing
}

const tooSlow = () => new Error(t('editor.drawing-takes-too-long'))

async function drawNext(source: string, isDark: boolean): Promise<Drawing> {
  clearTimeout(closing)
  drawn += 1
  const id = drawn
  try {
    opening ??= openFrame()
    await opening
    const answer = messageOf((data) => data.id === id)
    frame?.contentWindow?.postMessage({ id, source, dark: isDark }, '*')
    return drawingOf(await answer)
  } finally {
    closing = setTimeout(closeFrame, IDLE_MS)
  }
}

async function openFrame(): Promise<void> {
  const address = document.querySelector<HTMLMetaElement>('meta[name="diagram-frame"]')?.content ?? ''
  frame = element('iframe', {
    sandbox: 'allow-scripts',
    'aria-hidden': 'true',
    tabindex: '-1',
    class: 'diagram-frame',
    title: t('common.diagram'),
  })
  const isReady = messageOf((data) => data.ready === true)
  frame.src = address
  document.body.append(frame)
  await isReady
}

function closeFrame(): void {
  frame?.remove()
  frame = undefined
  opening = undefined
}

/** The next message of the frame that fits. The frame is closed if it takes too long. */
function messageOf(fits: (data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
  const listen = ({ source, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame?.contentWindow || typeof data !== 'object' || data === null)
      return
    if (fits(data as Record<string, unknown>)) resolve(data as Record<string, unknown>)
  }
  const timer = setTimeout(() => {
    failures += 1
    closeFrame()
    reject(tooSlow())
  }, TIME_LIMIT_MS)
  addEventListener('message', listen)
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('message', listen)
  })
}

/** Returns the drawing in the answer of the frame. A hostile source may have made the frame answer anything. */
function drawingOf({ svg, width, height, kind, description, fault }: Record<string, unknown>): Drawing {
  const isSize = (value: unknown): value is number =>
    typeof value === 'number' && value > 0 && value < 1_000_000
  if (typeof svg !== 'string' || svg.length > LONGEST_SVG || !isSize(width) || !isSize(height)) {
    const [reason = ''] = typeof fault === 'string' ? fault.slice(0, 500).split('\n', 1) : []
    throw new Error(reason.replace(/[.:]?$/, '.'))
  }
  const words = (value: unknown) => (typeof value === 'string' ? value.slice(0, 2000) : '')
  return { svg, width, height, kind: words(kind), description: words(description) }
}
