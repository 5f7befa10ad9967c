import { emojiCharacters } from './emoji.ts'
import { htmlText } from './markdown/html-source.ts'
import type {
  Block,
  BlockOf,
  BlockType,
  Document,
  Fragment,
  Inline,
  InlineOf,
  InlineType,
  Text,
} from './model.ts'

/** A heading with what stands under it until the next one. The first section, without a title, is what comes before. */
export interface Section {
  /** The anchor of the heading, '' for the first section. */
  id: string
  title: string
  text: string
  /** 1 to 3 for a heading, 0 for the first section. */
  level: number
}

/** What a reader sees as text: one line per paragraph, cell, item or line of code. */
export function plainText(document: Document): string {
  return joined(document.nodes.map(blockText))
}

/** The document by headings, in order, wherever they stand (in tabs and steps too); sections of no text and no title are left out. */
export function sections(document: Document): Section[] {
  const found: Draft[] = [{ id: '', title: '', texts: [], level: 0 }]
  for (const block of document.nodes) collect(block, found)
  return found
    .map(({ id, title, texts, level }) => ({ id, title, text: joined(texts), level }))
    .filter((section) => section.title !== '' || section.text !== '')
}

/** A section with its lines apart. */
interface Draft extends Omit<Section, 'text'> {
  texts: string[]
}

/** The text of a block with everything in it. */
export function blockText(block: Block): string {
  return textOf(block)
}

/** The text of a line: of its leaves, emoji, formulas and labels. */
export function lineText(nodes: readonly (Text | Inline | Block)[]): string {
  return nodes.map(nodeText).join('')
}

const LEVELS: Partial<Record<BlockType, number>> = { 'heading-1': 1, 'heading-2': 2, 'heading-3': 3 }

function collect(block: Block, found: Draft[]): void {
  const level = LEVELS[block.type]
  if (level !== undefined) {
    found.push({ id: block.meta?.id ?? '', title: blockText(block).trim(), texts: [], level })
    return
  }
  if (!holdsHeading(block)) {
    append(blockText(block), found)
    return
  }
  if (block.type === 'tabs-item') append(block.data.title ?? '', found)
  for (const fragment of block.fragments ?? []) for (const inner of fragment.nodes) collect(inner, found)
  for (const inner of block.nodes ?? []) if (inner.object === 'block') collect(inner, found)
}

function append(text: string, found: Draft[]): void {
  found.at(-1)?.texts.push(text)
}

function holdsHeading(block: Block): boolean {
  const inner = [...(block.fragments ?? []).flatMap((one) => one.nodes), ...(block.nodes ?? [])]
  return inner.some(
    (node) => node.object === 'block' && (LEVELS[node.type] !== undefined || holdsHeading(node)),
  )
}

const BLOCKS: { [T in BlockType]: (block: BlockOf<T>) => string } = {
  paragraph: ({ nodes }) => lineText(nodes),
  'heading-1': ({ nodes }) => lineText(nodes),
  'heading-2': ({ nodes }) => lineText(nodes),
  'heading-3': ({ nodes }) => lineText(nodes),
  'list-unordered': inside,
  'list-ordered': inside,
  'list-tasks': inside,
  'list-item': inside,
  divider: () => '',
  blockquote: inside,
  hint: inside,
  code: (block) => joined([block.data.title ?? '', inside(block)]),
  'code-line': ({ nodes }) => lineText(nodes),
  math: ({ data }) => data.formula,
  images: inside,
  image: (block) => joined([block.data.alt ?? '', fragmentText(block.fragments)]),
  file: ({ fragments }) => fragmentText(fragments),
  drawing: () => '',
  embed: ({ fragments }) => fragmentText(fragments),
  'content-ref': () => '',
  'reusable-content': () => '',
  tabs: inside,
  'tabs-item': (block) => joined([block.data.title ?? '', inside(block)]),
  stepper: inside,
  'stepper-step': inside,
  columns: inside,
  column: inside,
  expandable: ({ fragments }) => fragmentText(fragments),
  table: tableText,
  if: inside,
  integration: ({ data }) => (typeof data.props.content === 'string' ? data.props.content : ''),
  swagger: ({ data, fragments }) =>
    joined([[data.method, data.path].filter(Boolean).join(' '), data.summary ?? '', fragmentText(fragments)]),
  'openapi-operation': ({ data }) => `${data.method} ${data.path}`,
  'openapi-schemas': ({ data }) => data.schemas.join(' '),
  'openapi-webhook': ({ data }) => `${data.method} ${data.name}`,
  updates: inside,
  update: (block) => joined([block.data.date, inside(block)]),
  prompt: (block) => joined([block.data.description, inside(block)]),
  html: ({ data }) => htmlText(data.html).trim(),
}

const INLINES: { [T in InlineType]: (inline: InlineOf<T>) => string } = {
  link: ({ nodes }) => lineText(nodes),
  mention: () => '',
  emoji: ({ data }) => emojiCharacters(data.code),
  icon: () => '',
  'inline-image': ({ data }) => [data.alt, data.caption].filter(Boolean).join(' '),
  'inline-math': ({ data }) => data.formula,
  expression: () => '',
  annotation: ({ nodes, fragments }) => {
    const body = fragmentText(fragments)
    return body === '' ? lineText(nodes) : `${lineText(nodes)} (${body})`
  },
  button: ({ data }) => data.label,
  // An anchor or a search result would tell it to those who may not see it.
  'inline-if': () => '',
  'inline-html': () => '',
}

function textOf(block: Block): string {
  const text = BLOCKS[block.type] as (block: Block) => string
  return text(block)
}

function nodeText(node: Text | Inline | Block): string {
  if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
  if (node.object === 'block') return textOf(node)
  const text = INLINES[node.type] as (inline: Inline) => string
  return text(node)
}

function inside(block: { nodes: readonly Block[] }): string {
  return block.nodes.length === 1 && block.nodes[0] ? textOf(block.nodes[0]) : lines(block.nodes)
}

/** Lines of code keep their empty ones; between other blocks they say nothing. */
function lines(nodes: readonly Block[]): string {
  const texts = nodes.map(textOf)
  return nodes[0]?.type === 'code-line' ? texts.join('\n') : joined(texts)
}

function fragmentText(fragments: readonly Fragment[] | undefined): string {
  return joined((fragments ?? []).flatMap((fragment) => fragment.nodes.map(textOf)))
}

function tableText({ data, fragments }: BlockOf<'table'>): string {
  const { view, definition, records } = data
  const hidden = view.type === 'cards' || view.hideHeader
  const titles = hidden ? [] : view.columns.map((column) => definition[column]?.title ?? '')
  const byName = new Map((fragments ?? []).map((fragment) => [fragment.fragment, fragment]))

  const rows = Object.values(records)
    .toSorted((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .flatMap(({ values }) =>
      Object.values(definition).map((column) => {
        const value = values[column.id]
        if (column.type === 'text') {
          const cell = typeof value === 'string' ? byName.get(value) : undefined
          return cell ? fragmentText([cell]) : ''
        }
        if (column.type === 'select' && Array.isArray(value))
          return value
            .map((one) => column.options.find((option) => option.value === one)?.label ?? one)
            .join(', ')
        return typeof value === 'number' ? String(value) : ''
      }),
    )
  return joined([...titles, ...rows])
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}
