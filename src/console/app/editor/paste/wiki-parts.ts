/** Parts of wikis that the document model has too: panels, expandable parts and lists of tasks. */
import { elementOf, innermostFirst, lineIn, markAs, marked, renameTo } from './marked.ts'

type HintStyle = 'info' | 'success' | 'warning' | 'danger'

/** The macros of Confluence: its note is yellow, and its warning is red. */
const MACROS: Record<string, HintStyle> = { tip: 'success', note: 'warning', warning: 'danger' }

/** The names that other programs give to their panels. */
const STYLES: [pattern: RegExp, style: HintStyle][] = [
  [/error|danger|caution/i, 'danger'],
  [/warn|important|attention/i, 'warning'],
  [/tip|success/i, 'success'],
]

const styleNamed = (name: string): HintStyle => STYLES.find(([pattern]) => pattern.test(name))?.[1] ?? 'info'

/** The signs by which Notion and others begin a panel. */
const SIGNS: [sign: string, style: HintStyle][] = [
  ['⚠', 'warning'],
  ['❗', 'danger'],
  ['🚨', 'danger'],
  ['✅', 'success'],
]

/** Titles that say no more than the kind of the panel. */
const KINDS = /^(?:caution|danger|important|info|note|tip|warning)$/i

/** Reads panels, expandable parts and tasks. */
export function readParts(root: HTMLElement): void {
  readPanels(root)
  readExpandables(root)
  readTasks(root)
}

function readPanels(root: HTMLElement): void {
  const document = root.ownerDocument
  for (const panel of innermostFirst(root, '.confluence-information-macro')) {
    const [, kind = ''] = /information-macro-(information|tip|note|warning)\b/.exec(panel.className) ?? []
    const style = MACROS[kind] ?? 'info'
    const title = lineIn(panel.querySelector(':scope > .title'))
    const body = panel.querySelector('.confluence-information-macro-body') ?? panel
    replace(panel, style, [...titleOf(title), ...body.childNodes])
  }
  for (const panel of innermostFirst(root, '[data-panel-type]')) {
    const body = panel.querySelector('.ak-editor-panel__content, [data-panel-content]') ?? panel
    replace(panel, styleNamed(panel.getAttribute('data-panel-type') ?? ''), [...body.childNodes])
  }
  for (const panel of innermostFirst(
    root,
    '.panel, aside, [role="note"], .admonition, .callout, .markdown-alert',
  )) {
    const content = panel.querySelector(':scope > .panelContent')
    const isPanel = content ?? panel.matches('aside, [role="note"], .admonition, .callout, .markdown-alert')
    if (!isPanel || panel.hasAttribute('data-node')) continue
    const heading = panel.querySelector(
      ':scope > .panelHeader, :scope > .markdown-alert-title, :scope > .admonition-title',
    )
    const header = lineIn(heading)
    heading?.remove()
    const first = panel.textContent?.trim().slice(0, 4) ?? ''
    const sign = SIGNS.find(([one]) => first.startsWith(one))
    const style = sign?.[1] ?? styleNamed(panel.className)
    dropEmoji(content ?? panel)
    replace(panel, style, [...titleOf(KINDS.test(header) ? '' : header), ...(content ?? panel).childNodes])
  }

  function titleOf(title: string): Node[] {
    if (title === '') return []
    const bold = document.createElement('strong')
    bold.append(title)
    const line = document.createElement('p')
    line.append(bold)
    return [line]
  }

  function replace(panel: Element, style: HintStyle, inside: Node[]): void {
    panel.replaceWith(marked(document, 'hint', { data: { style } }, inside))
  }
}

/** Removes the emoji at the beginning of a panel: the block shows an icon anyway. */
function dropEmoji(panel: Element): void {
  const walker = panel.ownerDocument.createTreeWalker(panel, 4 /* texts */)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if ((text.nodeValue ?? '').trim() === '') continue
    text.nodeValue = (text.nodeValue ?? '').replace(/^\s*\p{Extended_Pictographic}\uFE0F?\s*/u, '')
    return
  }
}

function readExpandables(root: HTMLElement): void {
  for (const details of innermostFirst(root, 'details')) {
    const summary = details.querySelector(':scope > summary')
    const inside = [...details.childNodes].filter((one) => one !== summary)
    replace(details, lineIn(summary), inside)
  }
  for (const macro of innermostFirst(root, '.expand-container')) {
    const content = macro.querySelector('.expand-content')
    if (content) replace(macro, lineIn(macro.querySelector('.expand-control-text')), [...content.childNodes])
  }
  for (const macro of innermostFirst(root, '[data-node-type="expand"], [data-node-type="nestedExpand"]'))
    replace(macro, macro.getAttribute('data-title') ?? '', [...macro.childNodes])

  function replace(part: Element, title: string, inside: Node[]): void {
    const { ownerDocument: document } = part
    const shape = (name: string) => ({ fragment: { fragment: name, type: name } })
    const body = inside.some((one) => (one.textContent ?? '').trim() !== '' || elementOf(one))
      ? inside
      : [document.createElement('p')]
    part.replaceWith(
      marked(document, 'expandable', { data: {} }, [
        marked(document, 'expandable_title', shape('expandable-title'), [title]),
        marked(document, 'expandable_body', shape('expandable-body'), body),
      ]),
    )
  }
}

function readTasks(root: HTMLElement): void {
  for (const list of innermostFirst(root, '[data-node-type="actionList"]')) {
    for (const item of list.querySelectorAll(':scope > [data-task-state]')) {
      const state = item.getAttribute('data-task-state')
      renameTo(item, 'li').setAttribute('aria-checked', String(state === 'DONE'))
    }
    renameTo(list, 'ul')
  }
  for (const list of innermostFirst(root, 'ul, ol')) {
    const items = [...list.children].filter(({ localName }) => localName === 'li')
    const states = items.map(takeState)
    if (items.length === 0 || states.some((state) => state === undefined)) continue
    markAs(list, 'list_tasks')
    for (const [i, item] of items.entries()) markAs(item, 'list_item', { data: { checked: states[i] } })
  }
}

/** Removes what says whether a task is done. @returns whether it is; undefined for an item that is no task */
function takeState(item: Element): boolean | undefined {
  if (item.parentElement?.classList.contains('inline-task-list')) return item.classList.contains('checked')
  const box = item.querySelector('input[type="checkbox"], .checkbox')
  if (box && box.closest('li') === item) {
    const isDone = box.hasAttribute('checked') || box.classList.contains('checkbox-on')
    box.remove()
    return isDone
  }
  const state = item.getAttribute('aria-checked')
  if (state === 'true' || state === 'false') {
    // Google Docs shows the box as an image.
    for (const image of item.querySelectorAll(':scope > img')) image.remove()
    return state === 'true'
  }
  const walker = item.ownerDocument.createTreeWalker(item, 4 /* texts */)
  let text = walker.nextNode()
  while (text && (text.nodeValue ?? '').trim() === '') text = walker.nextNode()
  const sign = /^\s*\[([ xX]?)\]\s+/.exec(text?.nodeValue ?? '')
  if (!text || !sign || text.parentElement?.closest('li') !== item) return undefined
  text.nodeValue = (text.nodeValue ?? '').slice(sign[0].length)
  return /x/i.test(sign[1] ?? '')
}
