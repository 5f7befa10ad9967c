/** How blocks and inlines look that are one thing. */
import type { DOMOutputSpec } from 'prosemirror-model'
import type { BlockType, ContentRef, InlineType } from '../../../../core/document/model.ts'

type Data = Record<string, unknown>

/** A text of the data; empty for other values. */
const words = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the target of a reference, as far as the reference itself names it. */
export function refName(value: unknown): string {
  const ref = value as ContentRef | undefined
  if (!ref) return ''
  if (ref.kind === 'url') return ref.url
  return Object.entries(ref)
    .filter(([name]) => name !== 'kind' && name !== 'space')
    .map(([, one]) => one)
    .join(' ')
}

/** Returns the text that an inline shows. */
export function summaryOf(type: InlineType, data: Data): string {
  switch (type) {
    case 'emoji':
      return emojiOf(words(data.code))
    case 'icon':
      return `◆`
    case 'inline-math':
      return words(data.formula)
    case 'expression':
      return `{{${words(data.expression)}}}`
    case 'button':
      return words(data.label)
    case 'mention':
      return `@${refName(data.ref)}`
    case 'inline-image':
      return words(data.alt) || '🖼'
    case 'inline-html':
      return words(data.html)
    default:
      return '…'
  }
}

/** The characters of an emoji, which the model names by their code points in base 16. */
export function emojiOf(code: string): string {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(code)) return code === '' ? '🙂' : `:${code}:`
  const points = code.split('-').map((one) => Number.parseInt(one, 16))
  return points.every((one) => one <= 0x10_ff_ff)
    ? points.map((one) => String.fromCodePoint(one)).join('')
    : code
}

/** A box that names what is there. */
function box(attributes: Data, kind: string, title: string, detail = ''): DOMOutputSpec {
  return [
    'div',
    { ...attributes, class: `box ${kind}` },
    ['span', { class: 'box-title' }, title],
    ...(detail === '' ? [] : [['span', { class: 'box-detail' }, detail] as DOMOutputSpec]),
  ] as unknown as DOMOutputSpec
}

/** Source that is shown as it is. */
function source(attributes: Data, title: string, text: string): DOMOutputSpec {
  return [
    'div',
    { ...attributes, class: 'box source' },
    ...(title === '' ? [] : [['span', { class: 'box-title' }, title] as DOMOutputSpec]),
    ['pre', { tabindex: '0' }, text],
  ] as unknown as DOMOutputSpec
}

/** A block as elements. @param attributes of the outermost */
export function shownAtom(type: BlockType | 'other', data: Data, attributes: Data): DOMOutputSpec {
  const operation = `${words(data.method).toUpperCase()} ${words(data.path)}`
  switch (type) {
    case 'divider':
      return ['div', { ...attributes, class: 'divider' }, ['hr']] as unknown as DOMOutputSpec
    case 'math':
      // The editor draws it. Elsewhere, such as in another program after copying, the formula is enough.
      return source(attributes, '', words(data.formula))
    case 'embed':
      return box(attributes, type, words(data.url))
    case 'file':
    case 'drawing':
    case 'content-ref':
    case 'reusable-content':
      return box(attributes, type, refName(data.ref))
    case 'integration':
      return source(attributes, `${words(data.integration)} ${words(data.block)}`, propsText(data.props))
    case 'swagger':
      return box(attributes, type, operation.trim() || 'API', words(data.summary))
    case 'openapi-operation':
      return box(attributes, type, operation, refName(data.ref))
    case 'openapi-webhook':
      return box(
        attributes,
        type,
        `${words(data.method).toUpperCase()} ${words(data.name)}`,
        refName(data.ref),
      )
    case 'openapi-schemas':
      return box(
        attributes,
        type,
        ((data.schemas as string[] | undefined) ?? []).join(', '),
        refName(data.ref),
      )
    case 'html':
      return source(attributes, 'HTML', words(data.html) || words(data.markdown))
    default:
      return box(attributes, 'other', words(data.type).replaceAll('-', ' '), textIn(data).slice(0, 500))
  }
}

function propsText(props: unknown): string {
  const { content } = (props ?? {}) as Data
  return typeof content === 'string' ? content : JSON.stringify(props ?? {}, null, 2)
}

/** The text in any part of a document. */
export function textIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join(' ')
  if (typeof value !== 'object' || value === null) return ''
  const { leaves, nodes, fragments } = value as Data
  if (Array.isArray(leaves)) return leaves.map((leaf) => words((leaf as Data).text)).join('')
  return [nodes, fragments].map(textIn).filter(Boolean).join(' ')
}
