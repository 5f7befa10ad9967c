// Turns Mermaid sources into SVG for the page that embeds this frame. The frame has an opaque origin and no network
// (see FRAME_POLICY), so nothing that a hostile source might make Mermaid do reaches the site or its readers.
import type { DiagramAnswer, DiagramColors, DiagramPicture, DiagramSource } from './messages.ts'
import { namesTheme } from './named-theme.ts'

/** The part of Mermaid that the frame uses. Its script, which comes before this one, defines it. */
declare const mermaid: {
  initialize(options: Record<string, unknown>): void
  render(id: string, source: string): Promise<{ svg: string }>
}

const page = window.parent
const answer = (message: DiagramAnswer) => page.postMessage(message, '*')

async function draw({ id, source, dark, colors }: DiagramSource) {
  // The variables would change the colours of a theme that the writer of the diagram chose.
  const own = namesTheme(source) ? undefined : colors
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: own ? 'base' : dark ? 'dark' : 'neutral',
      ...(own ? { themeVariables: themeVariables(own, dark) } : {}),
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

/** The variables of Mermaid's base theme in the colours of the page. Mermaid makes the others of these. */
function themeVariables(colors: DiagramColors, darkMode: boolean): Record<string, string | boolean> {
  const { paper, raised, sunken, ink, accent, warning, danger } = colors
  const [line, soft, wash] = [colors['line-strong'], colors['ink-soft'], colors['accent-wash']]
  const washes = [
    wash,
    colors['info-wash'],
    colors['success-wash'],
    colors['warning-wash'],
    colors['danger-wash'],
  ]
  const pies = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`pie${i + 1}`, [...washes, sunken][i % 6] ?? wash]),
  )
  return {
    darkMode,
    background: paper,
    primaryColor: wash,
    primaryTextColor: ink,
    primaryBorderColor: accent,
    secondaryColor: sunken,
    secondaryTextColor: ink,
    secondaryBorderColor: line,
    tertiaryColor: raised,
    tertiaryTextColor: ink,
    tertiaryBorderColor: line,
    lineColor: soft,
    textColor: ink,
    titleColor: ink,
    edgeLabelBackground: paper,
    clusterBkg: raised,
    clusterBorder: line,
    noteBkgColor: colors['warning-wash'],
    noteBorderColor: warning,
    noteTextColor: ink,
    activationBkgColor: sunken,
    activationBorderColor: line,
    labelBoxBkgColor: raised,
    labelBoxBorderColor: line,
    sectionBkgColor: raised,
    altSectionBkgColor: paper,
    sectionBkgColor2: sunken,
    taskBkgColor: wash,
    taskBorderColor: accent,
    taskTextColor: ink,
    taskTextDarkColor: ink,
    taskTextLightColor: ink,
    taskTextOutsideColor: ink,
    activeTaskBkgColor: colors['info-wash'],
    activeTaskBorderColor: accent,
    doneTaskBkgColor: sunken,
    doneTaskBorderColor: line,
    critBkgColor: colors['danger-wash'],
    critBorderColor: danger,
    todayLineColor: danger,
    gridColor: line,
    ...pies,
    pieStrokeColor: soft,
    pieOuterStrokeColor: soft,
    pieOpacity: '1',
    useGradient: false,
    dropShadow: 'none',
    pieTitleTextColor: ink,
    pieSectionTextColor: ink,
    pieLegendTextColor: ink,
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
