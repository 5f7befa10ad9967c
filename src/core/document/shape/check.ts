/** Reads documents from clients by a table of the content of each block and inline. */
import type { Block, BlockType, Document, Inline, InlineData, InlineType, Mark } from '../model.ts'
import { isTurnOver, nextTurn } from '../../runtime/turns.ts'
import { isRecord } from '../../data/is-record.ts'
import { htmlAgainstConditions } from '../kept-conditions.ts'
import { conditionFault } from '../markdown/hiding-tags.ts'
import { plainValues } from './plain-values.ts'
import { check, ShapeFault, type Fields } from './shape.ts'
import { blockShapes, contents, inlineShapes, markData, wholeBlocks } from './shapes.ts'
import { type Reasoned, reasonFields } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/** The fault that keeps a value from being a document, and its path, such as `nodes.2.data.style`. */
export interface DocumentFault extends Reasoned {
  path: string
}

const HIDES_OTHERWISE = because('html-against-conditions')

/** Blocks, inlines and fragments in one another, beyond which Markdown could not hold them. */
const DEEPEST = 24

/** Objects and lists in one another. A document of `DEEPEST` levels has less than half of it. */
const DEEPEST_JSON = 300

/**
 * Reads a document from JSON. Fields that the model does not have are dropped. Keys and anchors are computed
 * anew when the document is read. Accepts the output of `format=document`. Never throws.
 * @param options.isPart whether it is a part of a page, whose other blocks may be within conditions
 */
export function readDocument(value: unknown, { isPart = false } = {}): Document | DocumentFault {
  try {
    const { object, nodes } = checkedRecord(value, '')
    if (object !== undefined && object !== 'document') throw new ShapeFault('object', because('not-document'))
    const blocks = blocksOf(nodes, 'nodes', null, 0)
    refuseConditions(blocks, 'nodes')
    const document: Document = { object: 'document', data: { schemaVersion: 1 }, nodes: blocks }
    const path = htmlAgainstConditions(document, isPart)
    if (path !== undefined) throw new ShapeFault(path, HIDES_OTHERWISE)
    return document
  } catch (error) {
    if (error instanceof ShapeFault) return { path: error.path, ...reasonFields(error) }
    throw error
  }
}

/**
 * The fault of JSON that is nested too deeply to be copied to a thread, which recursion does; undefined for others. Works
 * without recursion, and in turns.
 */
export async function depthFault(value: unknown): Promise<DocumentFault | undefined> {
  const open = [{ value, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > DEEPEST_JSON) return { path: '', ...because('nested-too-deep', { limit: DEEPEST }) }
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const inner of Object.values(next.value))
      if (typeof inner === 'object') open.push({ value: inner, depth: next.depth + 1 })
    if (isTurnOver()) await nextTurn()
  }
  return undefined
}

/** True for what `readDocument` could not read. */
export function isFault(read: Document | DocumentFault): read is DocumentFault {
  return 'message' in read
}

function blocksOf(value: unknown, path: string, around: BlockType | null, depth: number): Block[] {
  if (depth > DEEPEST) throw new ShapeFault(path, because('nested-too-deep', { limit: DEEPEST }))
  const blocks = listOf(value, path).map((one, i) => blockOf(one, `${path}.${i}`, around, depth))
  // A container is never empty.
  const members = around === null ? undefined : contents[around].members
  if (blocks.length > 0 || around === null) return blocks
  if (members !== undefined) throw new ShapeFault(path, because('group-empty', { type: members }))
  return [{ object: 'block', type: 'paragraph', data: {}, nodes: [emptyText()] }]
}

function blockOf(value: unknown, path: string, around: BlockType | null, depth: number): Block {
  const { object, type, data, nodes, fragments } = checkedRecord(value, path)
  if (object !== undefined && object !== 'block') throw new ShapeFault(`${path}.object`, because('not-block'))
  if (!isKey(blockShapes, type)) throw new ShapeFault(`${path}.type`, because('block-type-unknown'))
  refuseMisplaced(type, around, path)

  const at = `${path}.data`
  const whole = wholeBlocks[type]
  const kept = whole ? whole(data, at) : check(data ?? {}, blockShapes[type], at)
  const inside = contents[type]
  const block = { object: 'block', type, data: kept }
  if (inside.holds === 'text') return { ...block, nodes: lineOf(nodes, `${path}.nodes`, depth + 1) } as Block
  if (inside.holds === 'blocks')
    return { ...block, nodes: blocksOf(nodes, `${path}.nodes`, type, depth + 1) } as Block
  const held = fragmentsOf(fragments, `${path}.fragments`, depth + 1)
  return { ...block, isVoid: true, ...(held.length > 0 ? { fragments: held } : {}) } as Block
}

/** Refuses conditions in values, where nothing evaluates them. */
function refuseConditions(nodes: readonly Block[], path: string): void {
  for (const { data, name, path: at } of plainValues(nodes, path)) {
    const fault = conditionFault(data[name])
    if (fault !== undefined) throw new ShapeFault(at, fault)
  }
}

/** Members stand in their group and nowhere else; in a group stands nothing else. */
function refuseMisplaced(type: BlockType, around: BlockType | null, path: string): void {
  const wanted = around === null ? undefined : contents[around].members
  if (wanted !== undefined && wanted !== type)
    throw new ShapeFault(
      `${path}.type`,
      because('group-member-wrong', { type: wanted, group: String(around) }),
    )
  if (wanted === undefined && contents[type].member)
    throw new ShapeFault(`${path}.type`, because('group-member-outside', { type }))
}

function fragmentsOf(value: unknown, path: string, depth: number) {
  return listOf(value ?? [], path).map((one, i) => {
    const at = `${path}.${i}`
    const { object, fragment, type, nodes } = checkedRecord(one, at)
    if (object !== undefined && object !== 'fragment')
      throw new ShapeFault(`${at}.object`, because('not-fragment'))
    return {
      object: 'fragment' as const,
      ...check({ fragment, type }, { fragment: 'text?', type: 'text?' }, at),
      nodes: blocksOf(nodes ?? [], `${at}.nodes`, null, depth + 1),
    }
  })
}

function lineOf(value: unknown, path: string, depth: number) {
  if (depth > DEEPEST) throw new ShapeFault(path, because('nested-too-deep', { limit: DEEPEST }))
  const nodes = listOf(value ?? [], path).map((one, i) => {
    const at = `${path}.${i}`
    const record = checkedRecord(one, at)
    return record.object === 'text' ? checkedText(record, at) : inlineOf(record, at, depth)
  })
  return nodes.length > 0 ? nodes : [emptyText()]
}

const emptyText = () => ({
  object: 'text' as const,
  leaves: [{ object: 'leaf' as const, text: '', marks: [] as Mark[] }],
})

function checkedText({ leaves }: Fields, path: string) {
  const read = listOf(leaves, `${path}.leaves`).map((one, i) => {
    const at = `${path}.leaves.${i}`
    const { text, marks } = checkedRecord(one, at)
    if (typeof text !== 'string') throw new ShapeFault(`${at}.text`, because('not-text'))
    return { object: 'leaf' as const, text, marks: marksOf(marks ?? [], `${at}.marks`) }
  })
  return { object: 'text' as const, leaves: read.length > 0 ? read : emptyText().leaves }
}

function marksOf(value: unknown, path: string): Mark[] {
  return listOf(value, path).map((one, i) => {
    const at = `${path}.${i}`
    const { type, data } = checkedRecord(one, at)
    if (!isKey(markData, type)) throw new ShapeFault(`${at}.type`, because('mark-type-unknown'))
    if (type !== 'color') return { object: 'mark', type }
    return { object: 'mark', type, data: check(data ?? {}, markData.color, `${at}.data`) }
  })
}

function inlineOf({ object, type, data, nodes, fragments }: Fields, path: string, depth: number): Inline {
  if (object !== undefined && object !== 'inline')
    throw new ShapeFault(`${path}.object`, because('not-inline-or-text'))
  if (!isKey(inlineShapes, type)) throw new ShapeFault(`${path}.type`, because('inline-type-unknown'))
  const kept = check(data ?? {}, inlineShapes[type], `${path}.data`) as InlineData[InlineType]
  const inline = { object: 'inline', type, data: kept }
  if (type !== 'link' && type !== 'annotation' && type !== 'inline-if')
    return { ...inline, isVoid: true } as Inline
  const held = fragmentsOf(fragments, `${path}.fragments`, depth + 1)
  const inside = lineOf(nodes, `${path}.nodes`, depth + 1)
  return { ...inline, nodes: inside, ...(held.length > 0 ? { fragments: held } : {}) } as Inline
}

function isKey<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key)
}

function checkedRecord(value: unknown, path: string): Fields {
  if (!isRecord(value)) throw new ShapeFault(path, because('not-object'))
  return value
}

function listOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new ShapeFault(path, because('not-list'))
  return value
}
