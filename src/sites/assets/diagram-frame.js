// Turns Mermaid sources into SVG for the page that embeds this frame. The frame has an opaque origin and no network
// (see FRAME_POLICY), so nothing that a hostile source might make Mermaid do reaches the site or its readers.
;(() => {
  const page = window.parent

  async function draw({ id, source, dark }) {
    try {
      window.mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        suppressErrorRendering: true,
        theme: dark ? 'dark' : 'neutral',
        // SVG text instead of HTML labels: browsers draw it the same way inside an image.
        htmlLabels: false,
        flowchart: { htmlLabels: false },
        fontFamily: 'system-ui, sans-serif',
        secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'htmlLabels'],
      })
      const { svg } = await window.mermaid.render(`diagram-${id}`, source)
      page.postMessage({ id, ...picture(svg) }, '*')
    } catch (error) {
      page.postMessage({ id, fault: String(error?.message ?? error) }, '*')
    }
  }

  /** The SVG as a document of its own, with the size that it was drawn for and the words that describe it. */
  function picture(markup) {
    const holder = document.createElement('div')
    holder.innerHTML = markup
    const svg = holder.querySelector('svg')
    const { width, height } = svg.viewBox.baseVal
    svg.removeAttribute('style')
    svg.setAttribute('width', width)
    svg.setAttribute('height', height)
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
  addEventListener('message', ({ source, data }) => {
    if (source === page) queue = queue.then(() => draw(data))
  })
  page.postMessage({ ready: true }, '*')
})()
