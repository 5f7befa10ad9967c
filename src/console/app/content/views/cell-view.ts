/** The elements of cells that do not hold text: controls for simple values, and a button that asks for the others. */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import type { CellValue, ContentRef } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { refName } from '../schema/atoms.ts'
import { columnAt, columnOf } from '../schema/columns.ts'
import { element } from '../../ui/element.ts'
import { addressOf, fileOf, nameOfUser, type PageContext, titleOf } from './page-context.ts'
import type { Ask } from './questions.ts'
import type { Column } from '../schema/schema-table.ts'

interface CellPlace {
  view: EditorView
  getPos: () => number | undefined
  context: PageContext
  ask: Ask
}

/** The view of a cell. */
export function cellView(node: Node, place: CellPlace): NodeView {
  const dom = element('td', { class: 'table-value', contenteditable: 'false' })
  let shown = node
  const show = () => {
    const pos = place.getPos()
    const column = pos === undefined ? undefined : columnOf(columnAt(place.view.state.doc, pos))
    const value = shown.attrs.value as CellValue
    if (!column || column.type !== shown.attrs.kind) return
    const set = (now: CellValue) => setValue(place, now)
    dom.replaceChildren(
      ...(place.view.editable
        ? [control(column, value, set) ?? askButton(column, value, place)]
        : valueElements(column, value, place.context)),
    )
  }
  // The document has the cell only after its view is made.
  queueMicrotask(show)
  return {
    dom,
    update(next) {
      if (next.type !== shown.type) return false
      shown = next
      queueMicrotask(show)
      return true
    },
    stopEvent: ({ type }) => !type.startsWith('drag') && type !== 'drop',
    ignoreMutation: () => true,
  }
}

function setValue({ view, getPos }: CellPlace, value: CellValue): void {
  const pos = getPos()
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos !== undefined && node)
    view.dispatch(view.state.tr.setNodeMarkup(pos, null, { ...node.attrs, value }))
}

/** The control of a simple value; undefined for others. */
function control(column: Column, value: CellValue, set: (value: CellValue) => void): HTMLElement | undefined {
  const label = { 'aria-label': t('common.value') }
  switch (column.type) {
    case 'checkbox': {
      const box = element('input', { type: 'checkbox', ...label })
      box.checked = value === true
      box.addEventListener('change', () => set(box.checked))
      return box
    }
    case 'number': {
      const input = element('input', { type: 'number', step: 'any', ...label })
      input.value = typeof value === 'number' ? String(value) : ''
      input.addEventListener('change', () =>
        set(Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : null),
      )
      return input
    }
    case 'rating': {
      const most = Math.max(1, Math.min(10, Math.round(column.max)))
      const choice = element('select', label, element('option', { value: '' }, '–'))
      for (let i = 1; i <= most; i++) choice.append(element('option', { value: String(i) }, stars(i, most)))
      choice.value = typeof value === 'number' ? String(value) : ''
      choice.addEventListener('change', () => set(choice.value === '' ? null : Number(choice.value)))
      return choice
    }
    case 'select': {
      if (column.multiple) return undefined
      const choice = element('select', label, element('option', { value: '' }, '–'))
      for (const one of column.options) choice.append(element('option', { value: one.value }, one.label))
      choice.value = Array.isArray(value) ? (value[0] ?? '') : ''
      choice.addEventListener('change', () => set(choice.value === '' ? null : [choice.value]))
      return choice
    }
    default:
      return undefined
  }
}

const stars = (count: number, most: number) => '★'.repeat(count) + '☆'.repeat(Math.max(0, most - count))

/** A button with the value that opens a dialog. */
function askButton(column: Column, value: CellValue, { view, getPos, context, ask }: CellPlace): HTMLElement {
  const shown = valueElements(column, value, context)
  const what = element('span', { class: 'unseen' }, t('editor.change-the-value'))
  const button = element('button', { type: 'button', class: 'cell-button' })
  for (const one of [...(shown.length > 0 ? shown : ['+']), ' ', what]) button.append(one)
  button.addEventListener('click', (event) => {
    event.preventDefault()
    const pos = getPos()
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos)
    if (pos !== undefined && node) ask({ kind: 'cell', node, pos })
  })
  return button
}

/** A value as elements. */
function valueElements(column: Column, value: CellValue, context: PageContext): globalThis.Node[] {
  if (value === null) return []
  const texts = Array.isArray(value) ? value : []
  switch (column.type) {
    case 'checkbox': {
      const sign = element('span', {
        role: 'img',
        'aria-label': value === true ? t('common.yes') : t('common.no'),
      })
      sign.textContent = value === true ? '☑' : '☐'
      return [sign]
    }
    case 'rating':
      return [element('span', {}, stars(Number(value), column.max))]
    case 'select':
      return texts.map((one) => {
        const option = column.options.find((known) => known.value === one)
        return element('span', { class: `option wash-${option?.color ?? ''}` }, option?.label ?? one)
      })
    case 'users':
      return texts.map((id) => {
        const name = element('span', { class: 'mention' }, '…')
        nameOfUser(id).then(
          (found) => name.replaceChildren(found),
          () => name.replaceChildren(t('editor.somebody')),
        )
        return name
      })
    case 'files':
      return texts.map((id) => fileElement(id, context))
    case 'content-ref': {
      const ref = value as ContentRef
      const address = context.isEdited ? undefined : addressOf(ref, context)
      return [
        element(
          address ? 'a' : 'span',
          address ? { href: address } : {},
          titleOf(ref, context) ?? refName(ref),
        ),
      ]
    }
    case 'image': {
      const image = value as ContentRef | { ref: ContentRef; alt?: string }
      const ref = 'ref' in image ? image.ref : image
      const shown = element('img', { alt: 'ref' in image ? (image.alt ?? '') : '' })
      if (ref.kind === 'url' && /^https?:/i.test(ref.url)) shown.src = ref.url
      if (ref.kind === 'file')
        fileOf(context, ref.file).then(
          ({ downloadURL }) => (shown.src = downloadURL),
          () => shown.classList.add('missing'),
        )
      return [shown]
    }
    default:
      return [document.createTextNode(typeof value === 'number' ? String(value) : '')]
  }
}

function fileElement(id: string, context: PageContext): HTMLElement {
  const shown = element('span', { class: 'cell-file' }, '…')
  fileOf(context, id).then(
    ({ name, downloadURL }) =>
      shown.replaceChildren(
        context.isEdited ? name : element('a', { href: downloadURL, download: '' }, name),
      ),
    () => shown.replaceChildren(t('editor.file-missing')),
  )
  return shown
}
