// The script of every page. A page is complete without it. The script requests only entries of the page tree that a large
// site leaves out, and the Markdown of the page, to copy it. It finds elements by their classes and never by ids, because
// content can choose ids.

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

/** The words of the script, in the language of the page. */
const words = {
  copied: 'Copied',
  showAll: 'Show all lines',
  showFewer: 'Show fewer lines',
  enlarge: 'Enlarge image',
  image: 'Image',
  video: 'Video',
  close: 'Close',
  search: 'Search',
  searchSite: 'Search this site',
  recentSearches: 'Recent searches',
  clearSearches: 'Clear',
  ...JSON.parse(document.body.dataset.words ?? '{}'),
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

/** Changes the anchor of the address, so that it leads to what the reader opened. */
function showAddress(id) {
  try {
    history.replaceState(history.state, '', `#${encodeURIComponent(id)}`)
  } catch {
    // Browsers limit how often a page may do this.
  }
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

  /** The entries at an address. They are markup of the site, like the page. Without them, the link opens its page. */
  async function load(address, link) {
    try {
      const response = await fetch(address)
      if (response.ok) return document.createRange().createContextualFragment(await response.text())
    } catch {
      // The reader is offline, for example.
    }
    if (link.href) location.assign(link.href)
    return null
  }

  async function unfold(toggle) {
    const list = toggle.parentElement.nextElementSibling
    const open = toggle.getAttribute('aria-expanded') !== 'true'
    if (open && list.dataset.level && list.childElementCount === 0) {
      if (toggle.ariaBusy === 'true') return
      toggle.ariaBusy = 'true'
      const entries = await load(list.dataset.level, toggle.parentElement.querySelector('a'))
      toggle.ariaBusy = null
      if (!entries) return
      list.replaceChildren(entries)
    }
    toggle.setAttribute('aria-expanded', String(open))
    list.hidden = !open
  }

  /** Replaces the link to the rest of a level by the entries, and moves the focus to the one next to it. */
  async function extend(link) {
    const place = link.parentElement
    const later = place.matches('.later')
    if (place.ariaBusy === 'true') return
    place.ariaBusy = 'true'
    const entries = await load(link.dataset.level, link)
    place.ariaBusy = null
    if (!entries) return
    const known = later ? '.earlier' : '.later'
    for (const entry of entries.children) if (entry.matches(known)) entry.remove()
    const next = later ? entries.firstElementChild : entries.lastElementChild
    const gap = tree.scrollHeight - tree.scrollTop
    place.replaceWith(entries)
    if (!later) tree.scrollTop = tree.scrollHeight - gap
    next?.querySelector('a, button')?.focus({ preventScroll: !later })
  }

  tree.addEventListener('click', (event) => {
    const toggle = event.target.closest('.toggle')
    const link = event.target.closest('a')
    if (toggle) {
      void unfold(toggle)
    } else if (link?.dataset.level && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault()
      void extend(link)
    } else if (link && tree.matches(':popover-open')) {
      tree.hidePopover()
    }
  })

  const current = tree.querySelector(':scope > ul [aria-current]')
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
      tab.addEventListener('click', () => {
        choose(group, index)
        showAddress(group.panels[index].id)
      })
      tab.addEventListener('keydown', (event) => {
        const last = group.list.length - 1
        const to = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key]
        if (to === undefined) return
        event.preventDefault()
        choose(group, to)
        showAddress(group.panels[to].id)
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
    announcer.textContent = words.copied
    setTimeout(() => {
      button.classList.remove('copied')
      announcer.textContent = ''
    }, 1600)
  })

  for (const block of all('.folds')) {
    const button = element('button', { type: 'button', className: 'unfold' }, words.showAll)
    button.setAttribute('aria-expanded', 'false')
    button.addEventListener('click', () => {
      const open = block.classList.toggle('unfolded')
      button.setAttribute('aria-expanded', String(open))
      button.textContent = open ? words.showFewer : words.showAll
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
    close.setAttribute('aria-label', words.close)
    const made = element('dialog', { className: 'zoom' }, close)
    made.setAttribute('aria-label', words.image)
    made.addEventListener('click', () => made.close())
    document.body.append(made)
    return made
  }

  function offer(image) {
    const enlarges = image.naturalWidth > image.clientWidth * 1.15 && image.naturalWidth > 320
    if (!enlarges || image.closest('a, button')) return
    const button = element('button', { type: 'button', className: 'enlarge' })
    button.setAttribute('aria-label', image.alt ? `${words.enlarge}: ${image.alt}` : words.enlarge)
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
      const frame = element('iframe', { src: source.href, title: words.video, allow: 'autoplay; fullscreen; encrypted-media', referrerPolicy: 'strict-origin-when-cross-origin' })
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
    // The titles of the tabs are above their panels.
    ;(target.matches('.tab-panel') ? target.parentElement : target).scrollIntoView()
  }

  document.addEventListener('click', ({ target }) => {
    const fold = target.closest('.expandable > summary')?.parentElement
    if (fold?.id && !fold.open) showAddress(fold.id)
  })
  addEventListener('hashchange', go)
  go()
}

// Menus: a click elsewhere, another menu or the Escape key closes a menu.

function menus() {
  const open = () => all('.dropdown[open]')
  document.addEventListener('click', (event) => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of open()) {
      menu.open = false
      menu.querySelector('summary').focus()
    }
  })
}

// Announcement: a reader who dismissed it does not see it again, until there is another one.

function announcement() {
  document.querySelector('.dismiss')?.addEventListener('click', () => {
    memory.set('lectern-dismissed', root.dataset.announcement)
    root.classList.add('dismissed')
  })
}

// Search: the box is loaded when a reader opens it for the first time, with the link in the header, a button, or a key.

function search() {
  const link = document.querySelector('.search-open')
  if (!link) return
  const open = (query) =>
    import('./search.js').then(
      ({ openSearch }) => openSearch({ address: link.href, words, memory, element, report }, query),
      () => location.assign(query ? `${link.href}?q=${encodeURIComponent(query)}` : link.href),
    )
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const opener = event.target.closest?.('.search-open, button[data-action="search"]')
    if (!opener) return
    event.preventDefault()
    void open(opener.dataset.query)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping
    if (!isCommand && !isSlash) return
    event.preventDefault()
    void open()
  })
}

// Page actions: buttons copy the Markdown of the page, and the address of the MCP server.

function pageActions() {
  function copies(selector, textOf, otherwise) {
    const button = document.querySelector(selector)
    button?.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(await textOf(button.dataset))
      } catch {
        otherwise(button)
        return
      }
      announcer.textContent = words.copied
      const label = button.textContent
      button.textContent = words.copied
      setTimeout(() => {
        announcer.textContent = ''
        button.textContent = label
      }, 1600)
    })
  }

  async function markdown({ source }) {
    const response = await fetch(source)
    if (!response.ok) throw new Error(String(response.status))
    return response.text()
  }

  // Without the network or the clipboard, the reader can copy the text by hand.
  copies('.copy-markdown', markdown, (button) => location.assign(button.dataset.source))
  copies('.copy-address', ({ address }) => address, (button) => {
    button.textContent = button.dataset.address
    getSelection().selectAllChildren(button)
  })
}

// Events: views of pages, searches and ratings, without cookies or storage. A reader who asks not to be tracked is not
// counted.

function send(event) {
  const address = document.body.dataset.events
  if (address) navigator.sendBeacon(address, JSON.stringify({ path: location.pathname, ...event }))
}

function report(event) {
  const isPrivate = navigator.globalPrivacyControl === true || navigator.doNotTrack === '1'
  if (!isPrivate) send(event)
}

function events() {
  const view = () => report({ type: 'page_view', referrer: document.referrer })
  if (document.prerendering) document.addEventListener('prerenderingchange', view, { once: true })
  else view()

  const group = document.querySelector('.feedback')
  group?.addEventListener('click', (event) => {
    const button = event.target.closest('[data-rating]')
    if (!button) return
    const { rating } = button.dataset
    send({ type: 'page_post_feedback', rating })
    const thanks = element('span', { tabIndex: -1, textContent: group.dataset.thanks })
    const text = element('textarea', { maxLength: 512, rows: 3 })
    const label = element('label', {}, group.dataset.comment, text)
    const done = element('button', { type: 'button', className: 'button' }, group.dataset.send)
    done.addEventListener('click', () => {
      const comment = text.value.trim()
      if (comment === '') return text.focus()
      send({ type: 'page_post_feedback_comment', rating, comment })
      group.replaceChildren(thanks)
      thanks.focus()
    })
    group.replaceChildren(thanks, label, done)
    thanks.focus()
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
menus()
announcement()
search()
pageActions()
events()
pageTree()
outline()
const reveal = tabs()
code()
zoom()
covers()
films()
anchors(reveal)
