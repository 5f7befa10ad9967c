// The script of every page. A page is complete without it. The script makes no requests. It finds elements by their
// classes and never by ids, because content can choose ids.

const root = document.documentElement
const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** Local storage, which the reader's browser may deny. */
const memory = {
  get(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  },
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** The target of an address with an anchor. The ids of raw HTML have a prefix. */
function targetOf(hash) {
  let id = hash.slice(1)
  try {
    id = decodeURIComponent(id)
  } catch {
    // A lone percent sign is part of the name.
  }
  return id === '' ? null : (document.getElementById(id) ?? document.getElementById(`user-content-${id}`))
}

const drawing = (name) => element('span', { className: `ui ui-${name}` })

// Theme: light or dark, as the reader chooses; until then as the device.

function theme() {
  const button = document.querySelector('.tool.theme')
  if (!button) return

  const device = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : device.matches)
  const show = () => button.setAttribute('aria-pressed', String(isDark()))

  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    root.dataset.theme = next
    memory.set('lectern-theme', next)
    show()
  })
  device.addEventListener('change', show)
  show()
}

// Page tree: branches fold, the current page scrolls into view, and on small screens a click on a page closes the tree.

function pageTree() {
  const tree = document.querySelector('.sidebar')
  if (!tree) return

  tree.addEventListener('click', (event) => {
    const toggle = event.target.closest('.toggle')
    if (toggle) {
      const open = toggle.getAttribute('aria-expanded') !== 'true'
      toggle.setAttribute('aria-expanded', String(open))
      toggle.parentElement.nextElementSibling.hidden = !open
    } else if (event.target.closest('a') && tree.matches(':popover-open')) {
      tree.hidePopover()
    }
  })

  const current = tree.querySelector('[aria-current]')
  const reveal = () => {
    if (!current) return
    const gap = current.getBoundingClientRect().top - tree.getBoundingClientRect().top
    if (gap < 0 || gap > tree.clientHeight * 0.8) tree.scrollTop += gap - tree.clientHeight / 3
  }
  tree.addEventListener('toggle', reveal)
  reveal()
}

// Outline: marks the section at the top of the window.

function outline() {
  const links = all('.outline a')
  if (links.length === 0) return

  const nav = links[0].closest('.outline')
  const headings = links.map((link) => targetOf(link.hash))
  let marked
  let pending = false

  function mark() {
    pending = false
    const line = innerHeight * 0.28
    let index = 0
    headings.forEach((heading, at) => {
      if (heading && heading.getBoundingClientRect().top <= line) index = at
    })
    if (scrollY > 0 && innerHeight + scrollY >= document.body.scrollHeight - 2) index = headings.length - 1
    if (links[index] === marked) return
    marked?.removeAttribute('aria-current')
    marked = links[index]
    marked.setAttribute('aria-current', 'true')
    const { top, bottom } = marked.getBoundingClientRect()
    const frame = nav.getBoundingClientRect()
    if (top < frame.top + 40 || bottom > frame.bottom - 40) nav.scrollTop += top - frame.top - frame.height / 2
  }

  addEventListener(
    'scroll',
    () => {
      if (pending) return
      pending = true
      requestAnimationFrame(mark)
    },
    { passive: true },
  )
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover()
  })
  mark()
}

// Tabs: arrow keys move between them, and groups with the same titles show the same tab, on this page and on others.

function tabs() {
  const groups = all('.tabs').map((group) => ({
    list: all(':scope > .tab-list > [role=tab]', group),
    panels: all(':scope > .tab-panel', group),
  }))

  function select({ list, panels }, index) {
    list.forEach((tab, at) => {
      tab.setAttribute('aria-selected', String(at === index))
      tab.tabIndex = at === index ? 0 : -1
      panels[at].classList.toggle('selected', at === index)
    })
  }

  const titles = (group) => group.list.map((tab) => tab.textContent.trim())

  function choose(group, index) {
    const chosen = group.list[index]
    const title = chosen.textContent.trim()
    const before = chosen.getBoundingClientRect().top
    select(group, index)
    const kind = titles(group).toSorted().join('|')
    for (const other of groups) {
      if (other === group || titles(other).toSorted().join('|') !== kind) continue
      select(other, titles(other).indexOf(title))
    }
    memory.set(`lectern-tab:${kind}`, title)
    // Panels above may have changed their height; the chosen tab must stay where the reader clicked it.
    scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' })
  }

  for (const group of groups) {
    const remembered = titles(group).indexOf(memory.get(`lectern-tab:${titles(group).toSorted().join('|')}`))
    if (remembered > 0) select(group, remembered)

    group.list.forEach((tab, index) => {
      tab.addEventListener('click', () => choose(group, index))
      tab.addEventListener('keydown', (event) => {
        const last = group.list.length - 1
        const to = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key]
        if (to === undefined) return
        event.preventDefault()
        choose(group, to)
        group.list[to].focus()
      })
    })
  }

  return (target) => {
    for (let panel = target.closest('.tab-panel'); panel; panel = panel.parentElement.closest('.tab-panel')) {
      const group = groups.find(({ panels }) => panels.includes(panel))
      if (group) select(group, group.panels.indexOf(panel))
    }
  }
}

// Code: a button copies the code without line numbers, another unfolds long blocks.

const announcer = element('div', { className: 'unseen' })
announcer.setAttribute('role', 'status')

function code() {
  document.body.append(announcer)
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('.copy')
    if (!button) return
    const text = button.closest('.code').querySelector('pre').textContent
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Browsers offer the clipboard only on secure origins. The selection lets the reader copy with the keyboard.
      getSelection().selectAllChildren(button.closest('.code').querySelector('pre'))
      return
    }
    button.classList.add('copied')
    announcer.textContent = 'Copied'
    setTimeout(() => {
      button.classList.remove('copied')
      announcer.textContent = ''
    }, 1600)
  })

  for (const block of all('.folds')) {
    const button = element('button', { type: 'button', className: 'unfold' }, 'Show all lines')
    button.setAttribute('aria-expanded', 'false')
    button.addEventListener('click', () => {
      const open = block.classList.toggle('unfolded')
      button.setAttribute('aria-expanded', String(open))
      button.textContent = open ? 'Show fewer lines' : 'Show all lines'
    })
    block.append(button)
  }
}

// Images: a button shows an image in full size if the page shrinks it.

function zoom() {
  let dialog

  function open(image) {
    dialog ??= makeDialog()
    const full = element('img', { src: image.currentSrc || image.src, alt: image.alt })
    dialog.replaceChildren(dialog.firstChild, full)
    dialog.showModal()
  }

  function makeDialog() {
    const close = element('button', { type: 'button', className: 'tool' }, drawing('close'))
    close.setAttribute('aria-label', 'Close')
    const made = element('dialog', { className: 'zoom' }, close)
    made.setAttribute('aria-label', 'Image')
    made.addEventListener('click', () => made.close())
    document.body.append(made)
    return made
  }

  function offer(image) {
    const enlarges = image.naturalWidth > image.clientWidth * 1.15 && image.naturalWidth > 320
    if (!enlarges || image.closest('a, button')) return
    const button = element('button', { type: 'button', className: 'enlarge' })
    button.setAttribute('aria-label', image.alt ? `Enlarge image: ${image.alt}` : 'Enlarge image')
    image.replaceWith(button)
    button.append(image)
    button.addEventListener('click', () => open(image))
  }

  for (const image of all('.image img')) if (image.complete) offer(image)
  // `load` events do not bubble, but they can be captured: this also finds images that are added later, such as diagrams.
  document.addEventListener('load', ({ target }) => target.matches?.('.image img') && offer(target), true)
}

// Cards: a cover that cannot be loaded is removed, so that it leaves no empty box.

function covers() {
  const drop = (image) => image.matches?.('.card-cover') && image.remove()
  for (const image of all('.card-cover')) if (image.complete && image.naturalWidth === 0) drop(image)
  document.addEventListener('error', ({ target }) => drop(target), true)
}

// Videos: a click replaces the card by the player. The page makes no request to the player's host before.

function films() {
  for (const link of all('a[data-frame]')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const source = new URL(link.dataset.frame)
      source.searchParams.set('autoplay', '1')
      const frame = element('iframe', { src: source.href, title: 'Video', allow: 'autoplay; fullscreen; encrypted-media', referrerPolicy: 'strict-origin-when-cross-origin' })
      link.replaceWith(frame)
      frame.focus()
    })
  }
}

// Anchors: opens the tab or the section that hides the target of the address.

function anchors(reveal) {
  function go() {
    const target = targetOf(location.hash)
    if (!target) return
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true
    reveal(target)
    target.scrollIntoView()
  }

  addEventListener('hashchange', go)
  go()
}

// Variants: a click elsewhere or the Escape key closes the menu.

function variants() {
  const menu = document.querySelector('.variants')
  if (!menu) return
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}

// Print: unfolds all sections.
addEventListener('beforeprint', () => {
  for (const fold of all('details.expandable:not([open])')) {
    fold.open = true
    fold.dataset.folded = ''
  }
})
addEventListener('afterprint', () => {
  for (const fold of all('details[data-folded]')) {
    fold.open = false
    delete fold.dataset.folded
  }
})

theme()
variants()
pageTree()
outline()
const reveal = tabs()
code()
zoom()
covers()
films()
anchors(reveal)
