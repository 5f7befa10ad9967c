// Draws the Mermaid diagrams of a page. A sandboxed frame makes an SVG of each source, and the page shows that SVG as
// an image: browsers run no script in images and load nothing from them. Without this script the sources stay readable.

const FRAME = new URL('./diagram-frame.html', import.meta.url).href
const TIME_LIMIT_MS = 15_000

/** The words of this script, in the language of the page. */
const words = {
  showSource: 'Show source',
  hideSource: 'Hide source',
  diagram: 'Diagram',
  diagramText: '“Show source” gives its text',
  diagramFault: 'The browser could not draw this diagram:',
  diagramSlow: 'Drawing it takes too long.',
  ...JSON.parse(document.body.dataset.words ?? '{}'),
}

const root = document.documentElement
const device = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : device.matches)

const diagrams = [...document.querySelectorAll('.diagram')].map((figure) => ({
  figure,
  code: figure.querySelector('.code'),
  source: figure.querySelector('pre').textContent,
}))

const frame = document.createElement('iframe')
let clock

function start() {
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.className = 'diagram-frame'
  frame.title = words.diagram
  frame.src = FRAME
  document.body.append(frame)
  // Mermaid has no limit of time: a diagram that takes too long keeps its source.
  clock = setTimeout(giveUp, TIME_LIMIT_MS)
}

function drawAll() {
  diagrams.forEach(({ source, fault }, id) => {
    if (!fault) frame.contentWindow.postMessage({ id, source, dark: isDark() }, '*')
  })
}

function giveUp() {
  frame.remove()
  for (const diagram of diagrams) if (!diagram.image) showFault(diagram, words.diagramSlow)
}

function element(tag, className, text = '') {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function showFault(diagram, reason) {
  if (diagram.fault) return
  diagram.fault = true
  const note = element('p', 'diagram-note', `${words.diagramFault} ${reason}`)
  diagram.figure.prepend(note)
}

function showPicture(diagram, { svg, width, height, kind, description }) {
  if (!diagram.image) {
    const picture = element('div', 'diagram-picture image')
    diagram.image = document.createElement('img')
    picture.append(diagram.image)
    diagram.figure.prepend(picture, toggleOf(diagram))
  }
  const { image } = diagram
  image.alt = description || `${words.diagram}${kind ? ` (${kind})` : ''}; ${words.diagramText}`
  image.width = Math.ceil(width)
  image.height = Math.ceil(height)
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function toggleOf({ code }) {
  const button = element('button', 'diagram-toggle', words.showSource)
  button.type = 'button'
  button.setAttribute('aria-expanded', 'false')
  code.hidden = true
  button.addEventListener('click', () => {
    code.hidden = !code.hidden
    button.setAttribute('aria-expanded', String(!code.hidden))
    button.textContent = code.hidden ? words.showSource : words.hideSource
  })
  return button
}

addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return
  if (data.ready) return drawAll()
  const diagram = diagrams[data.id]
  if (!diagram) return
  if (typeof data.svg === 'string') showPicture(diagram, data)
  else showFault(diagram, String(data.fault).split('\n', 1)[0].replace(/[.:]?$/, '.'))
  if (diagrams.every(({ image, fault }) => image || fault)) clearTimeout(clock)
})
device.addEventListener('change', drawAll)
new MutationObserver(drawAll).observe(root, { attributeFilter: ['data-theme'] })
start()
