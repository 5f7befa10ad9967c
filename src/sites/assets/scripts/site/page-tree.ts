import { closestTo, opensElsewhere } from '../kit/find.ts'

/**
 * The page tree: branches fold, the current page scrolls into view, and on small screens a click on a page closes the
 * tree.
 */
export function startPageTree(): void {
  const tree = document.querySelector<HTMLElement>('.sidebar')
  if (!tree) return

  tree.addEventListener('click', (event) => {
    const toggle = closestTo(event, '.toggle')
    const link = closestTo<HTMLAnchorElement>(event, 'a')
    if (toggle) {
      void unfold(toggle)
    } else if (link?.dataset.level && !opensElsewhere(event)) {
      event.preventDefault()
      void extend(tree, link, link.dataset.level)
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

/** The entries at an address. They are markup of the site, like the page. Without them, the link opens its page. */
async function load(address: string, link: HTMLAnchorElement | null | undefined) {
  try {
    const response = await fetch(address)
    if (response.ok) return document.createRange().createContextualFragment(await response.text())
  } catch {
    // The reader is offline, for example.
  }
  if (link?.href) location.assign(link.href)
  return undefined
}

/** Loads entries once, however often the reader clicks. */
async function loadOnce(busy: Element, address: string, link: HTMLAnchorElement | null | undefined) {
  if (busy.ariaBusy === 'true') return undefined
  busy.ariaBusy = 'true'
  const entries = await load(address, link)
  busy.ariaBusy = null
  return entries
}

async function unfold(toggle: HTMLElement) {
  const list = toggle.parentElement?.nextElementSibling
  if (!(list instanceof HTMLElement)) return
  const open = toggle.getAttribute('aria-expanded') !== 'true'
  if (open && list.dataset.level && list.childElementCount === 0) {
    const entries = await loadOnce(toggle, list.dataset.level, toggle.parentElement?.querySelector('a'))
    if (!entries) return
    list.replaceChildren(entries)
  }
  toggle.setAttribute('aria-expanded', String(open))
  list.hidden = !open
}

/** Replaces the link to the rest of a level by the entries, and moves the focus to the one next to it. */
async function extend(tree: HTMLElement, link: HTMLAnchorElement, level: string) {
  const place = link.parentElement
  if (!place) return
  const isLater = place.matches('.later')
  const entries = await loadOnce(place, level, link)
  if (!entries) return
  const known = isLater ? '.earlier' : '.later'
  for (const entry of Array.from(entries.children)) if (entry.matches(known)) entry.remove()
  const next = isLater ? entries.firstElementChild : entries.lastElementChild
  const gap = tree.scrollHeight - tree.scrollTop
  place.replaceWith(entries)
  if (!isLater) tree.scrollTop = tree.scrollHeight - gap
  next?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: !isLater })
}
