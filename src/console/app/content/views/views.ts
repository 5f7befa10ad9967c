/** The elements of nodes that need more than the schema says: files, links to pages, and what has controls. */
import { DOMSerializer, type Mark, type Node } from 'prosemirror-model'
import type { EditorView, MarkViewConstructor, NodeView, NodeViewConstructor } from 'prosemirror-view'
import type { ContentRef, Fragment, Length } from '../../../../core/document/model.ts'
import { embedSite } from '../../../../core/web/embed-sites.ts'
import { go } from '../../api/api.ts'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'
import { refName } from '../schema/atoms.ts'
import {
  type Asking,
  atomView,
  codeView,
  columnView,
  describeButton,
  cssLength,
  groupView,
  headerView,
  settingsButton,
  settingsOf,
  tableView,
  textCellView,
} from './block-views.ts'
import { ignoresControls, setDataAt } from './controls.ts'
import { filmAt } from './parts/film.ts'
import { writtenExpandableView } from './parts/folds.ts'
import { writtenPanelView, writtenTabsView } from './parts/tab-strip.ts'
import { cellView } from './cell-view.ts'
import { docOf } from '../schema/convert.ts'
import { nodeName } from '../schema/node-names.ts'
import { element } from '../../ui/element.ts'
import { formulaView, inlineFormulaView } from './formula.ts'
import {
  addressOf,
  type ContentFile,
  fileOf,
  nameOfUser,
  type PageContext,
  reusableAddressOf,
  reusableOf,
  titleOf,
} from './page-context.ts'
import type { Ask } from './questions.ts'
import { schema } from '../schema/schema.ts'
import { ATOMS } from '../schema/schema-blocks.ts'

type Data = Record<string, unknown>

const dataOf = (node: Node): Data => node.attrs.data as Data
const words = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Shows a file, as soon as its address is known. */
async function withFile(
  context: PageContext,
  id: string,
  show: (file: ContentFile) => void,
  missing = (): void => undefined,
): Promise<void> {
  const file = await fileOf(context, id).catch(() => undefined)
  if (file) show(file)
  else missing()
}

/** Shows the image of a reference in an element, as soon as its address is known. */
function showImage(image: HTMLImageElement, ref: ContentRef | undefined, context: PageContext): void {
  if (ref?.kind === 'url' && /^https?:/i.test(ref.url)) image.src = ref.url
  if (ref?.kind !== 'file') return
  void withFile(
    context,
    ref.file,
    ({ downloadURL, name }) => {
      image.src = downloadURL
      image.alt ||= name
    },
    () => image.classList.add('missing'),
  )
}

function imageView(node: Node, context: PageContext, asking: Asking): NodeView {
  const { ref, alt, width } = dataOf(node) as { ref?: ContentRef; alt?: string; width?: Length }
  const image = element('img', { alt: alt ?? node.textContent, draggable: 'false' })
  if (width !== undefined) image.style.width = cssLength(width)
  showImage(image, ref, context)
  const caption = element('figcaption')
  const dom = element('figure', { class: 'image' }, image, caption)
  if (context.isEdited) {
    dom.append(settingsButton(asking, settingsOf(node)))
    if (!alt) caption.before(describeButton(asking))
  }
  const mark = (one: Node) => dom.classList.toggle('captioned', one.content.size > 0)
  mark(node)
  return {
    dom,
    contentDOM: caption,
    update(next) {
      if (!next.hasMarkup(node.type, node.attrs)) return false
      mark(next)
      return true
    },
    stopEvent: ({ target }) => target instanceof HTMLButtonElement,
    ignoreMutation: ignoresControls,
  }
}

function inlineImageView(node: Node, context: PageContext): NodeView {
  const { ref, alt, caption } = dataOf(node) as { ref?: ContentRef; alt?: string; caption?: string }
  const image = element('img', { alt: alt ?? caption ?? '', class: 'inline-image' })
  showImage(image, ref, context)
  return { dom: image, ignoreMutation: () => true }
}

/** The site of what a card leads to, if pages show its content in place. */
const cardSite = (ref: ContentRef | undefined) => (ref?.kind === 'url' ? embedSite(ref.url) : undefined)

/** Without a network, a card has no player. */
const ignoreFailure = () => undefined

/** The name of what a card leads to, with that of its site if pages show its content in place. */
function cardName(ref: ContentRef | undefined): string {
  const site = cardSite(ref)
  return site ? `${site}: ${refName(ref)}` : refName(ref)
}

/** A card that leads to a page, a file or an address. */
function cardView(node: Node, context: PageContext, asking: Asking): NodeView {
  const data = dataOf(node)
  const ref = (node.type.name === 'embed' ? { kind: 'url', url: words(data.url) } : data.ref) as
    | ContentRef
    | undefined
  const address = ref && addressOf(ref, context)
  const link = element(
    address ? 'a' : 'span',
    { class: 'box-title' },
    (ref && titleOf(ref, context)) ?? cardName(ref),
  )
  if (address) link.setAttribute('href', address)
  const dom = element('div', { class: `box ${node.type.name.replaceAll('_', '-')}` }, link)
  if (ref?.kind === 'file') {
    void withFile(
      context,
      ref.file,
      ({ name, downloadURL, contentType }) => {
        link.replaceWith(
          contentType.startsWith('image/') && node.type.name === 'drawing'
            ? element('img', { src: downloadURL, alt: name })
            : element('a', { class: 'box-title', href: downloadURL, download: '' }, name),
        )
      },
      () => link.append(` — ${t('editor.file-missing')}`),
    )
  }
  const note = captionOf(node, context)
  if (note) dom.append(note)
  if (node.type.name === 'embed' && cardSite(ref) !== undefined)
    void filmAt(words(data.url)).then((film) => film && link.after(film), ignoreFailure)
  if (context.isEdited) dom.append(settingsButton(asking, settingsOf(node)))
  return {
    dom,
    stopEvent: ({ target }) => target instanceof HTMLButtonElement,
    ignoreMutation: () => true,
  }
}

/** The caption of a card with its marks and links; undefined without one. */
function captionOf(node: Node, context: PageContext): HTMLElement | undefined {
  const fragments = (node.attrs.fragments ?? []) as Fragment[]
  const lines = fragments.flatMap(({ nodes }) => docOf(nodes).children)
  if (lines.every(({ content }) => content.size === 0)) return undefined
  const dom = element('span', { class: 'box-detail' })
  for (const { content, isTextblock, textContent } of lines)
    dom.append(isTextblock ? DOMSerializer.fromSchema(schema).serializeFragment(content) : textContent, ' ')
  for (const link of dom.querySelectorAll<HTMLAnchorElement>('a[data-ref]')) {
    const address = addressOf(JSON.parse(link.dataset.ref ?? '') as ContentRef, context)
    if (address === undefined) link.removeAttribute('href')
    else link.href = address
  }
  return dom
}

/** The content that is reused, as far as the page knows it. */
function reusableView(node: Node, context: PageContext, asking: Asking): NodeView {
  const ref = dataOf(node).ref as ContentRef
  const title = element('span', { class: 'box-title' }, t('block.reusable-content'))
  const detail = element('span', { class: 'box-detail' })
  const dom = element('div', { class: 'box reusable-content' }, title, detail)
  if (ref.kind === 'reusable-content' && context.content)
    reusableOf(context, ref.reusableContent).then(
      (found) => title.replaceChildren(found),
      () => detail.replaceChildren(t('editor.content-cannot-shown')),
    )
  const address = reusableAddressOf(ref, context)
  if (address !== undefined && context.isEdited) {
    const link = element('a', { href: `/app${address}` }, t('common.edit'))
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      go(address)
    })
    dom.append(link)
  }
  if (context.isEdited) dom.append(settingsButton(asking, settingsOf(node)))
  return {
    dom,
    stopEvent: ({ target }) => target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement,
    ignoreMutation: () => true,
  }
}

function mentionView(node: Node, context: PageContext): NodeView {
  const ref = dataOf(node).ref as ContentRef
  const address = addressOf(ref, context)
  const dom = element(address ? 'a' : 'span', { class: 'mention' }, titleOf(ref, context) ?? refName(ref))
  if (address) dom.setAttribute('href', address)
  if (ref.kind === 'user')
    nameOfUser(ref.user).then(
      (name) => dom.replaceChildren(`@${name}`),
      () => dom.replaceChildren(`@${t('editor.somebody')}`),
    )
  return { dom, ignoreMutation: () => true }
}

function itemView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const { checked } = dataOf(node) as { checked?: boolean }
  if (checked === undefined) {
    const dom = element('li')
    return {
      dom,
      contentDOM: dom,
      update: (next) => next.type === node.type && dataOf(next).checked === undefined,
    }
  }
  const box = element('input', { type: 'checkbox', 'aria-label': t('common.done') })
  box.checked = checked
  box.disabled = !view.editable
  box.addEventListener('change', () => setDataAt(view, getPos(), { checked: box.checked }))
  const content = element('div')
  const dom = element('li', { class: 'task' }, element('span', { contenteditable: 'false' }, box), content)
  return {
    dom,
    contentDOM: content,
    update(next) {
      const { checked: now } = dataOf(next)
      if (next.type !== node.type || typeof now !== 'boolean') return false
      box.checked = now
      return true
    },
    stopEvent: ({ target }) => target === box,
    ignoreMutation: ignoresControls,
  }
}

const STYLES: [style: string, label: PlainId][] = [
  ['info', 'common.information'],
  ['success', 'common.success'],
  ['warning', 'common.warning'],
  ['danger', 'common.danger'],
]

function hintView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const content = element('div')
  const dom = element('div', {}, content)
  const choice = element('select', { 'aria-label': t('common.kind-of-hint'), class: 'hint-style' })
  for (const [value, label] of STYLES) choice.append(element('option', { value }, t(label)))
  choice.addEventListener('change', () => setDataAt(view, getPos(), { style: choice.value }))
  if (view.editable) dom.prepend(element('div', { contenteditable: 'false', class: 'node-bar' }, choice))
  else dom.setAttribute('role', 'note')
  const show = (one: Node) => {
    const style = words(dataOf(one).style) || 'info'
    dom.className = `hint ${style}`
    if (!view.editable)
      dom.setAttribute('aria-label', t(STYLES.find(([name]) => name === style)?.[1] ?? 'block.hint'))
    choice.value = style
  }
  return controlledView(node, { dom, content, control: choice, show })
}

/** The view of a node with a control beside its content, which shows the data of the node. */
function controlledView(
  node: Node,
  parts: { dom: HTMLElement; content: HTMLElement; control: HTMLElement; show: (node: Node) => void },
): NodeView {
  const { dom, content, control, show } = parts
  show(node)
  return {
    dom,
    contentDOM: content,
    update(next) {
      if (next.type !== node.type) return false
      show(next)
      return true
    },
    stopEvent: ({ target }) => target === control,
    ignoreMutation: ignoresControls,
  }
}

/** A node whose data has a text above its content, such as the date of an update. */
function titledView(field: string, label: PlainId, className: string): NodeViewConstructor {
  return (node, view, getPos) => {
    const content = element('div')
    const dom = element('div', { class: className }, content)
    const input = element('input', { 'aria-label': t(label), class: 'node-title' })
    const title = element('p', { class: 'node-title' })
    input.addEventListener('change', () => setDataAt(view, getPos(), { [field]: input.value }))
    dom.prepend(view.editable ? element('div', { contenteditable: 'false' }, input) : title)
    const show = (one: Node) => {
      input.value = words(dataOf(one)[field])
      title.textContent = input.value
      for (const tag of (dataOf(one).tags as string[] | undefined) ?? [])
        title.append(' ', element('span', { class: 'tag' }, tag))
    }
    return controlledView(node, { dom, content, control: input, show })
  }
}

/** The elements of nodes on a page. @param ask asks about a node; absent on a page that is only read */
export function nodeViews(context: PageContext, ask?: Ask): Record<string, NodeViewConstructor> {
  const isEditable = ask !== undefined
  const asked: Ask = ask ?? (() => undefined)
  const place = { ...context, isEdited: isEditable }
  const card: NodeViewConstructor = (node, view, getPos) =>
    cardView(node, place, { view, getPos, ask: asked })
  const opened = (tag: 'details' | 'summary'): NodeViewConstructor => {
    return (node) => {
      const dom = element(tag, { class: tag === 'details' ? 'expandable' : 'expandable-title' })
      if (tag === 'details') dom.toggleAttribute('open', dataOf(node).defaultExpanded === true)
      return { dom, contentDOM: dom, ignoreMutation: ({ type }) => type === 'attributes' }
    }
  }
  return {
    ...Object.fromEntries(
      ATOMS.filter((type) => type !== 'divider').map((type) => [nodeName(type), atomView(asked)]),
    ),
    image: (node, view, getPos) => imageView(node, place, { view, getPos, ask: asked }),
    inline_image: (node) => inlineImageView(node, context),
    file: card,
    drawing: card,
    embed: card,
    content_ref: card,
    reusable_content: (node, view, getPos) => reusableView(node, place, { view, getPos, ask: asked }),
    mention: (node) => mentionView(node, context),
    math: formulaView(asked),
    inline_math: inlineFormulaView,
    list_item: (node, view, getPos) => itemView(node, view, getPos),
    hint: (node, view, getPos) => hintView(node, view, getPos),
    code_block: codeView(asked),
    table: tableView(asked),
    table_header: headerView(asked),
    table_cell: textCellView,
    table_value: (node, view, getPos) => cellView(node, { view, getPos, context: place, ask: asked }),
    tabs: writtenTabsView,
    stepper: groupView('ol', 'editor.add-a-step'),
    columns: groupView('div', 'editor.add-a-column'),
    updates: groupView('div', 'editor.add-an-update'),
    column: columnView,
    tabs_item: writtenPanelView,
    update: titledView('date', 'common.date', 'update'),
    if: titledView('expression', 'block.condition', 'if'),
    prompt: titledView('description', 'common.description-prompt', 'prompt'),
    ...(isEditable
      ? { expandable: writtenExpandableView }
      : { expandable: opened('details'), expandable_title: opened('summary') }),
  }
}

/** The elements of marks on a page: links lead to the pages of the console. */
export function markViews(context: PageContext): Record<string, MarkViewConstructor> {
  return {
    link: (mark: Mark) => {
      const ref = mark.attrs.ref as ContentRef
      const address = addressOf(ref, context)
      const dom = element('a', address ? { href: address, rel: 'noopener nofollow' } : { class: 'broken' })
      if (ref.kind === 'file')
        void withFile(context, ref.file, ({ downloadURL }) => dom.setAttribute('href', downloadURL))
      return { dom, contentDOM: dom }
    },
  }
}
