/** Lists of pasted text, which most programs nest in a way of their own. */
import { elementOf, fill, innermostFirst, markAs, unwrap } from './marked.ts'

/** An item of a list, and how deep it stands. */
export interface LevelledItem {
  /** Where the list begins if the item is its first. */
  at: Element
  /** The content of the item. */
  inside: Iterable<Node>
  level: number
  tag: 'ol' | 'ul'
  /** The number of the item, if it has one. */
  start?: number | undefined
  /** True if the item follows the one before it without a text between. */
  follows: boolean
}

/** Makes lists of items that only say how deep they stand. */
export function nestItems(document: Document, items: Iterable<LevelledItem>): void {
  let open: { list: HTMLElement; level: number }[] = []
  for (const { at, inside, level, tag, start, follows } of items) {
    if (!follows) open = []
    while (open.length > 0 && open.at(-1)!.level > level) open.pop()
    const around = open.at(-1)
    const isSame = around?.level === level && around.list.localName === tag
    if (!isSame) {
      const list = document.createElement(tag)
      if (start !== undefined && start !== 1) list.setAttribute('start', String(start))
      if (around?.level === level) around.list.after(list)
      else if (around) around.list.lastElementChild!.append(list)
      else at.before(list)
      if (around?.level === level) open.pop()
      open.push({ list, level })
    }
    const item = document.createElement('li')
    open.at(-1)!.list.append(item)
    fill(item, inside)
  }
}

/** Puts lists in lists into the items that they belong to, and lists with one item each together. */
export function collectLists(root: HTMLElement): void {
  readLevels(root)
  for (const list of innermostFirst(root, 'ul, ol')) {
    for (const child of list.querySelectorAll(':scope > :not(li)')) {
      const before = child.previousElementSibling
      const item = before?.localName === 'li' ? before : root.ownerDocument.createElement('li')
      if (item !== before) child.before(item)
      item.append(child)
    }
    const start = Number(list.getAttribute('start') ?? 1)
    if (
      list.localName === 'ol' &&
      !list.hasAttribute('data-node') &&
      Number.isSafeInteger(start) &&
      start > 1
    )
      markAs(list, 'list_ordered', { data: { start } })
  }
}

/** Word on the web has a list for each item. */
function readLevels(root: HTMLElement): void {
  const lists = [...root.querySelectorAll('.ListContainerWrapper > ul, .ListContainerWrapper > ol')]
  for (const list of lists) unwrap(list.parentElement!)
  nestItems(
    root.ownerDocument,
    lists.flatMap((list) =>
      [...list.children].map((item, index): LevelledItem => ({
        at: list,
        inside: item.childNodes,
        level: Number(item.getAttribute('data-aria-level') ?? 1),
        tag: list.localName === 'ol' ? 'ol' : 'ul',
        follows: index > 0 || isList(elementOf(list.previousSibling)),
      })),
    ),
  )
  for (const list of lists) list.remove()

  function isList(element: Element | undefined): boolean {
    return element !== undefined && lists.includes(element)
  }
}
