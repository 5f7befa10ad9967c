// What a page does beyond being read. Everything here improves a page that is complete without it.
// No framework, no network; elements are found by their classes, never by ids that content could choose.

const root = document.documentElement
const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** Storage that may be denied. */
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
      // Then the choice lasts as long as the page.
    }
  },
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const drawing = (name) => element('span', { className: `ui ui-${name}` })

// Theme: light or dark as chosen; choosing what the device has anyway goes back to following it.

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

// Page tree: branches fold, the current page is in sight, and on small screens a chosen page closes the drawer.

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

// Outline: the section being read is marked.

function outline() {
  const links = all('.outline a')
  if (links.length === 0) return

  const nav = links[0].closest('.outline')
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
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

// Tabs: arrow keys move, and groups with the same titles follow one another, here and on the next page.

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
    // What changed above must not move what the reader has just touched.
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

// Code: copied as it is, without line numbers; long blocks unfold.

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
      // Without a secure origin there is no clipboard: select it, so that the keyboard can copy.
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

// Images that are shown smaller than they are can be seen in full.

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

  for (const image of all('.image img')) {
    if (image.complete) offer(image)
    else image.addEventListener('load', () => offer(image), { once: true })
  }
}

// Films start where they stand; until then nothing is asked of their host.

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

// Addresses with an anchor open what hides it; anchors of raw HTML carry a prefix.

function anchors(reveal) {
  function go() {
    const id = decodeURIComponent(location.hash.slice(1))
    if (!id) return
    const target = document.getElementById(id) ?? document.getElementById(`user-content-${id}`)
    if (!target) return
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true
    reveal(target)
    target.scrollIntoView()
  }

  addEventListener('hashchange', go)
  go()
}

// A menu of variants closes when one looks elsewhere.

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

// On paper everything is open.
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
films()
anchors(reveal)
