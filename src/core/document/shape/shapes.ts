/** The tables by which `check.ts` reads documents: the data and content of each block, inline and mark. */
import type { BlockType, InlineType, Mark } from '../model.ts'
import { isRecord } from '../../data/is-record.ts'
import { check, expect, type Fields, needOneOf, readers, type Shape } from './shape.ts'
import { readTable } from './shape-table.ts'

const ALIGN = ['start', 'center', 'end'] as const
const heading: Shape = {
  id(value, path) {
    if (value === undefined) return undefined
    expect(typeof value === 'string' && /^[-a-z0-9.+_]+$/.test(value), path, 'not-anchor')
    return value
  },
  align: ALIGN,
}

/** By type, the data that a block has. */
export const blockShapes: Record<BlockType, Shape> = {
  paragraph: { align: ALIGN },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-unordered': {},
  'list-ordered': { start: 'number?' },
  'list-tasks': {},
  'list-item': { checked: 'flag?' },
  divider: {},
  blockquote: {},
  hint: {
    style: (value, path) => needOneOf(value ?? 'info', ['info', 'success', 'warning', 'danger'], path),
    icon: 'text?',
  },
  code: {
    syntax: 'text?',
    title: 'text?',
    overflow: ['scroll', 'wrap'],
    lineNumbers: 'flag?',
    fullWidth: 'flag?',
    expandable: 'flag?',
  },
  'code-line': { highlighted: 'flag?' },
  math: { formula: 'text' },
  images: { align: ['left', 'center', 'right'], fullWidth: 'flag?', withFrame: 'flag?' },
  image: { ref: 'ref', refDark: 'ref?', width: 'length?', height: 'length?', alt: 'text?' },
  file: { ref: 'ref' },
  drawing: { ref: 'ref?' },
  embed: { url: 'text', fullWidth: 'flag?' },
  'content-ref': { ref: 'ref' },
  'reusable-content': { ref: 'ref' },
  tabs: { fullWidth: 'flag?' },
  'tabs-item': { title: 'text?', icon: 'text?' },
  stepper: {},
  'stepper-step': { icon: 'text?' },
  columns: { fullWidth: 'flag?' },
  column: { width: 'length?', verticalAlignment: ['top', 'middle', 'bottom'] },
  expandable: { defaultExpanded: 'flag?' },
  table: {},
  if: { expression: 'text' },
  integration: { integration: 'text', block: 'text', props: 'props', url: 'text?', fullWidth: 'flag?' },
  swagger: {
    ref: 'ref?',
    path: 'text?',
    method: 'text?',
    baseUrl: 'text?',
    summary: 'text?',
    expanded: 'flag?',
    fullWidth: 'flag?',
  },
  'openapi-operation': { ref: 'ref', path: 'text', method: 'text' },
  'openapi-schemas': { ref: 'ref', schemas: 'texts', grouped: 'flag?' },
  'openapi-webhook': { ref: 'ref', name: 'text', method: 'text' },
  updates: { format: ['numeric', 'full', 'short'] },
  update: { date: 'text', tags: 'texts?' },
  prompt: {
    description: (value, path) => readers.text(value ?? '', path),
    icon: 'text?',
    openInAIProviders: 'flag?',
    defaultExpanded: ['hidden', 'partial', 'full'],
  },
  html: { html: 'text', markdown: 'text?' },
}

/** Blocks whose data is more than a list of fields. */
export const wholeBlocks: Partial<Record<BlockType, (data: unknown, path: string) => Fields>> = {
  table: readTable,
}

interface Contents {
  holds: 'text' | 'blocks' | 'nothing'
  /** The only type of block that it may hold. */
  members?: BlockType
  /** It is allowed only in a block whose `members` it is. */
  member?: boolean
}

const text: Contents = { holds: 'text' }
const blocks: Contents = { holds: 'blocks' }
const nothing: Contents = { holds: 'nothing' }
const group = (members: BlockType): Contents => ({ holds: 'blocks', members })
const member: Contents = { holds: 'blocks', member: true }

/** The content of a block by its type. Blocks without other content may have fragments. */
export const contents: Record<BlockType, Contents> = {
  paragraph: text,
  'heading-1': text,
  'heading-2': text,
  'heading-3': text,
  'list-unordered': group('list-item'),
  'list-ordered': group('list-item'),
  'list-tasks': group('list-item'),
  'list-item': member,
  divider: nothing,
  blockquote: blocks,
  hint: blocks,
  code: group('code-line'),
  'code-line': { holds: 'text', member: true },
  math: nothing,
  images: group('image'),
  image: { holds: 'nothing', member: true },
  file: nothing,
  drawing: nothing,
  embed: nothing,
  'content-ref': nothing,
  'reusable-content': nothing,
  tabs: group('tabs-item'),
  'tabs-item': member,
  stepper: group('stepper-step'),
  'stepper-step': member,
  columns: group('column'),
  column: member,
  expandable: nothing,
  table: nothing,
  if: blocks,
  integration: nothing,
  swagger: nothing,
  'openapi-operation': nothing,
  'openapi-schemas': nothing,
  'openapi-webhook': nothing,
  updates: group('update'),
  update: member,
  prompt: group('code'),
  html: nothing,
}

/** By type, the data that a mark has. */
export const markData: Record<Mark['type'], Shape> = {
  bold: {},
  italic: {},
  code: {},
  keyboard: {},
  strikethrough: {},
  superscript: {},
  subscript: {},
  color: { text: 'text?', background: 'text?' },
}

/** By type, the data that an inline has. */
export const inlineShapes: Record<InlineType, Shape> = {
  link: { ref: 'ref' },
  mention: { ref: 'ref' },
  emoji: {
    code(value, path) {
      expect(
        typeof value === 'string' && /^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(value),
        path,
        'not-code-point',
      )
      return value
    },
  },
  icon: { icon: 'text', color: 'text?' },
  'inline-image': {
    ref: 'ref',
    refDark: 'ref?',
    caption: 'text?',
    alt: 'text?',
    size: ['original', 'line'],
  },
  'inline-math': { formula: 'text' },
  expression: { expression: 'text' },
  annotation: {},
  'inline-if': { expression: 'text' },
  button: {
    label: 'text',
    kind: (value, path) => needOneOf(value ?? 'primary', ['primary', 'secondary'], path),
    icon: 'text?',
    ref: 'ref?',
    action: (value, path) => (value === undefined ? undefined : readAction(value, path)),
  },
  'inline-html': { html: 'text' },
}

const ACTIONS: Record<string, Shape> = {
  search: { query: 'text?' },
  ask: { query: 'text?' },
  select: { slug: 'text' },
}

function readAction(value: unknown, path: string): unknown {
  const action = isRecord(value) ? value.action : undefined
  needOneOf(action, Object.keys(ACTIONS), `${path}.action`)
  return { action, ...check(value, ACTIONS[action as string]!, path) }
}
