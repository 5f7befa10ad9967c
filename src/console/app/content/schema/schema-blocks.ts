/** The nodes of blocks, other than tables. */
import type { NodeSpec } from 'prosemirror-model'
import type { BlockType } from '../../../../core/document/model.ts'
import { shownAtom } from './atoms.ts'
import { copied, read, withData } from './copied.ts'
import { nodeName } from './node-names.ts'
import { areBlocks, areFragments, isData } from './accepted.ts'

/** Text blocks, by their elements. The title of the page is its `h1`. */
const TEXT_BLOCKS: Partial<Record<BlockType, { tag: string; from: string[] }>> = {
  paragraph: { tag: 'p', from: ['p'] },
  'heading-1': { tag: 'h2', from: ['h1', 'h2'] },
  'heading-2': { tag: 'h3', from: ['h3'] },
  'heading-3': { tag: 'h4', from: ['h4', 'h5', 'h6'] },
}

/**
 * Blocks around other blocks: the content of their nodes, and what is not at the top level. A part is neither split nor
 * joined with the next one by Enter and Backspace, as the items of a list are.
 */
const CONTAINERS: Partial<
  Record<BlockType, { content: string; member?: true; isPart?: true; tag?: string; from?: string }>
> = {
  'list-unordered': { content: 'list_item+', tag: 'ul', from: 'ul' },
  'list-ordered': { content: 'list_item+', tag: 'ol', from: 'ol' },
  'list-tasks': { content: 'list_item+', tag: 'ul' },
  'list-item': { content: 'block+', member: true, tag: 'li', from: 'li' },
  blockquote: { content: 'block+', tag: 'blockquote', from: 'blockquote' },
  hint: { content: 'block+' },
  images: { content: 'image+' },
  tabs: { content: 'tabs_item+' },
  'tabs-item': { content: 'block+', member: true, isPart: true },
  stepper: { content: 'stepper_step+', tag: 'ol' },
  'stepper-step': { content: 'block+', member: true, isPart: true, tag: 'li' },
  columns: { content: 'column+' },
  column: { content: 'block+', member: true, isPart: true },
  if: { content: 'block+' },
  updates: { content: 'update+' },
  update: { content: 'block+', member: true, isPart: true },
  prompt: { content: 'code_block' },
}

/** Blocks that are one thing: they are selected, moved and deleted as a whole. */
export const ATOMS = [
  'divider',
  'math',
  'file',
  'drawing',
  'embed',
  'content-ref',
  'reusable-content',
  'integration',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'html',
] as const satisfies BlockType[]

const className = (name: string) => name.replaceAll('_', '-')

function textBlock(type: BlockType, { tag, from }: { tag: string; from: string[] }): NodeSpec {
  const name = nodeName(type)
  return {
    group: 'block',
    content: 'inline*',
    attrs: withData,
    defining: type !== 'paragraph',
    whitespace: 'pre',
    parseDOM: [read(name), ...from.map((one) => ({ tag: one }))],
    toDOM: ({ attrs }) => {
      const { align } = attrs.data as { align?: string }
      return [tag, { ...copied(name, attrs), class: align ? `align-${align}` : '' }, 0]
    },
  }
}

function container(type: BlockType): NodeSpec {
  const { content, member, isPart = false, tag = 'div', from } = CONTAINERS[type]!
  const name = nodeName(type)
  return {
    ...(member ? {} : { group: 'block' }),
    content,
    attrs: withData,
    defining: true,
    isolating: isPart,
    parseDOM: [read(name), ...(from ? [{ tag: from }] : [])],
    toDOM: ({ attrs }) => {
      const { start, style } = attrs.data as { start?: number; style?: string }
      const more = start === undefined ? {} : { start: String(start) }
      return [tag, { ...copied(name, attrs), class: `${className(name)} ${style ?? ''}`, ...more }, 0]
    },
  }
}

function atom(type: BlockType): NodeSpec {
  const name = nodeName(type)
  return {
    group: 'block',
    atom: true,
    attrs: { ...withData, fragments: { default: null } },
    parseDOM: [read(name), ...(type === 'divider' ? [{ tag: 'hr' }] : [])],
    toDOM: ({ attrs }) => shownAtom(type, attrs.data as Record<string, unknown>, copied(name, attrs)),
    leafText: () => '',
  }
}

/** Whether a value is a fragment without its blocks, or null. */
const isShape = (value: unknown): boolean =>
  value === null || value === undefined || areFragments([{ ...value, nodes: [] }])

/** Blocks that are not made like others. */
const SPECIAL: Record<string, NodeSpec> = {
  code_block: {
    group: 'block',
    content: 'code_line+',
    attrs: withData,
    defining: true,
    parseDOM: [read('code_block')],
    toDOM: ({ attrs }) => [
      'pre',
      { ...copied('code_block', attrs), tabindex: '0' },
      ['code', { 'data-hole': '' }, 0],
    ],
  },
  code_line: {
    content: 'inline*',
    attrs: withData,
    whitespace: 'pre',
    code: true,
    parseDOM: [read('code_line')],
    toDOM: ({ attrs }) => {
      const { highlighted } = attrs.data as { highlighted?: boolean }
      return ['span', { ...copied('code_line', attrs), class: highlighted ? 'line highlighted' : 'line' }, 0]
    },
  },
  // Its content is the caption. `caption` is the fragment without its blocks, or null if the image has none.
  image: {
    content: 'inline*',
    attrs: { ...withData, caption: { default: null } },
    whitespace: 'pre',
    isolating: true,
    parseDOM: [read('image', ({ data, caption }) => isData('image', data) && isShape(caption))],
    toDOM: ({ attrs }) => [
      'figure',
      copied('image', attrs),
      ['img', { alt: '' }],
      ['figcaption', { 'data-hole': '' }, 0],
    ],
  },
  expandable: {
    group: 'block',
    content: 'expandable_title expandable_body',
    attrs: withData,
    isolating: true,
    parseDOM: [read('expandable')],
    toDOM: ({ attrs }) => ['div', { ...copied('expandable', attrs), class: 'expandable' }, 0],
  },
  expandable_title: {
    content: 'inline*',
    attrs: { fragment: { default: { fragment: 'expandable-title', type: 'expandable-title' } } },
    whitespace: 'pre',
    parseDOM: [read('expandable_title', ({ fragment }) => isShape(fragment))],
    toDOM: ({ attrs }) => ['div', { ...copied('expandable_title', attrs), class: 'expandable-title' }, 0],
  },
  expandable_body: {
    content: 'block+',
    attrs: { fragment: { default: { fragment: 'expandable-body', type: 'expandable-body' } } },
    parseDOM: [read('expandable_body', ({ fragment }) => isShape(fragment))],
    toDOM: ({ attrs }) => ['div', { ...copied('expandable_body', attrs), class: 'expandable-body' }, 0],
  },
  // A block that the schema has no node for, as it is.
  other: {
    group: 'block',
    atom: true,
    attrs: { block: {} },
    parseDOM: [read('other', ({ block }) => areBlocks([block]))],
    toDOM: ({ attrs }) => shownAtom('other', attrs.block as Record<string, unknown>, copied('other', attrs)),
    leafText: () => '',
  },
}

/** The nodes of blocks. */
export const BLOCK_NODES: Record<string, NodeSpec> = {
  ...Object.fromEntries(
    Object.entries(TEXT_BLOCKS).map(([type, spec]) => [
      nodeName(type as BlockType),
      textBlock(type as BlockType, spec),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(CONTAINERS).map((type) => [nodeName(type as BlockType), container(type as BlockType)]),
  ),
  ...Object.fromEntries(ATOMS.map((type) => [nodeName(type), atom(type)])),
  ...SPECIAL,
}
