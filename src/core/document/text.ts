import { emojiCharacters } from './emoji.ts'
import { htmlText } from './markdown/html-source.ts'
import type { Block, BlockOf, BlockType, Fragment, Inline, InlineOf, InlineType, Text } from './model.ts'
import { unconditional } from './shown/unconditional.ts'

/** The text of a block with everything in it. */
export function blockText(block: Block): string {
  return typedText(block)
}

/** The text of a line: of its leaves, emoji, formulas and labels. */
export function lineText(nodes: readonly (Text | Inline | Block)[]): string {
  return nodes.map(nodeText).join('')
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
  annotation: ({ nodes, fragments = [] }) => {
    // As with `inline-if`, and the line may be a title or the description of the page.
    const body = joined(unconditional(fragments.flatMap(({ nodes: inner }) => inner)).map(typedText))
    return body === '' ? lineText(nodes) : `${lineText(nodes)} (${body})`
  },
  button: ({ data }) => data.label,
  // An anchor or a search result would show it to readers who do not meet the condition.
  'inline-if': () => '',
  'inline-html': () => '',
}

function typedText(block: Block): string {
  const text = BLOCKS[block.type] as (block: Block) => string
  return text(block)
}

function nodeText(node: Text | Inline | Block): string {
  if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
  if (node.object === 'block') return typedText(node)
  const text = INLINES[node.type] as (inline: Inline) => string
  return text(node)
}

function inside(block: { nodes: readonly Block[] }): string {
  return block.nodes.length === 1 && block.nodes[0] ? typedText(block.nodes[0]) : lines(block.nodes)
}

/** Code keeps its empty lines; between other blocks an empty line has no meaning. */
function lines(nodes: readonly Block[]): string {
  const texts = nodes.map(typedText)
  return nodes[0]?.type === 'code-line' ? texts.join('\n') : joined(texts)
}

function fragmentText(fragments: readonly Fragment[] | undefined): string {
  return joined((fragments ?? []).flatMap((fragment) => fragment.nodes.map(typedText)))
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
