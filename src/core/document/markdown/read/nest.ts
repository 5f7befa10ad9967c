import { block, fragment, paragraph, voidBlock } from '../../build.ts'
import type { Line } from '../../build.ts'
import type { Block } from '../../model.ts'
import { blockMark } from '../conditions/condition-tags.ts'
import { hiddenByOwn } from '../conditions/own-conditions.ts'
import { isOperation, isPart, readOperation } from './read-swagger.ts'
import type { Part } from './read-swagger.ts'
import { readAlone, readAround } from './read-tags.ts'
import type { Item, PlacedBlock } from '../reading.ts'
import { standsAlone, standsAround } from '../tags.ts'
import type { Tag } from '../tags.ts'

/** Tags that contain only tags of one kind. The contained tags are allowed nowhere else. */
const GROUPS: Record<string, string> = { tabs: 'tab', stepper: 'step', columns: 'column', updates: 'update' }
const MEMBERS = new Set(Object.values(GROUPS))

/** Tags that are nested deeper than this are text. */
const DEEPEST = 32

interface Nesting {
  items: Item[]
  /** For an opening item that has one, the index of its closing item. */
  closers: Map<number, number>
}

/** Puts the items between an opening and a closing tag into one block. A tag without a partner is text. */
export function nest(items: Item[], depth = 0): PlacedBlock[] {
  if (items.every((item) => item.type === 'block')) return items
  return build(0, items.length, { items, closers: match(items) }, depth)
}

/**
 * Pairs each closing item with the nearest opening item of its name. Opening items between the two that never close are
 * single tags or text. A `<div>` can have any meaning, so it pairs only within the surrounding pair. A condition may end
 * in another container, so `placeConditions` pairs its tags.
 */
function match(items: Item[]): Map<number, number> {
  const closers = new Map<number, number>()
  const open: { name: string; index: number }[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)

  for (const [index, item] of items.entries()) {
    if (isDiv(item)) continue
    if (item.type === 'open' && item.name !== 'if' && (!('tag' in item.opener) || standsAround(item.name))) {
      open.push({ name: item.name, index })
      count(item.name, 1)
    }
    if (item.type !== 'close' || !counts.get(item.name)) continue
    for (let opener = open.pop(); opener; opener = open.pop()) {
      count(opener.name, -1)
      if (opener.name !== item.name) continue
      closers.set(opener.index, index)
      break
    }
  }
  matchDivs(items, closers)
  return closers
}

function matchDivs(items: Item[], closers: Map<number, number>): void {
  if (!items.some(isDiv)) return
  const closing = new Set(closers.values())
  const open: number[][] = [[]]
  for (const [index, item] of items.entries()) {
    if (closers.has(index)) open.push([])
    else if (closing.has(index)) open.pop()
    else if (isDiv(item) && item.type === 'open') open.at(-1)?.push(index)
    else if (isDiv(item)) {
      const opener = open.at(-1)?.pop()
      if (opener !== undefined) closers.set(opener, index)
    }
  }
}

function isDiv(item: Item): boolean {
  return (item.type === 'open' || item.type === 'close') && item.name === 'html:div'
}

function build(from: number, to: number, nesting: Nesting, depth: number, group?: string): PlacedBlock[] {
  const placed: PlacedBlock[] = []
  for (let index = from; index < to; index += 1) {
    const closer = nesting.closers.get(index)
    if (closer === undefined || depth > DEEPEST) {
      placed.push(single(nesting.items[index] as Item))
      continue
    }
    for (const one of around(index, closer, nesting, depth, group)) placed.push(one)
    index = closer
  }
  return placed
}

function around(
  opening: number,
  closing: number,
  nesting: Nesting,
  depth: number,
  group?: string,
): PlacedBlock[] {
  const { items } = nesting
  const open = items[opening] as Item & { type: 'open' }
  const close = items[closing] as Item & { type: 'close' }
  const member = GROUPS[open.name]
  const inPlace = MEMBERS.has(open.name) ? member === undefined && group === open.name : true
  const isGroup = member !== undefined && inPlace && holdsOnly(member, opening, closing, nesting)
  const span = { start: open.start, end: close.end }
  const parts =
    'tag' in open.opener && isOperation(open.opener.tag)
      ? readParts(opening, closing, nesting, depth)
      : undefined
  if (parts && 'tag' in open.opener) {
    const { tag } = open.opener
    return [{ block: hiddenByOwn(readOperation(tag, parts), [tag, ...tagsOf(parts)]), ...span }]
  }

  const summary = 'element' in open.opener ? summaryAt(opening + 1, items) : undefined
  const inner = build(opening + (summary ? 2 : 1), closing, nesting, depth + 1, isGroup ? member : undefined)

  if (inPlace && (member === undefined || isGroup)) {
    const blocks = inner.map((one) => one.block)
    const result =
      'tag' in open.opener ? readAround(open.opener.tag, blocks) : readElement(open.opener, blocks, summary)
    // A member cannot be hidden alone: its group is.
    const isMember = MEMBERS.has(open.name) && !isGroup
    const own = 'tag' in open.opener && !isMember ? [open.opener.tag] : []
    const tags = isGroup ? [...own, ...membersOf(opening, closing, nesting)] : own
    if (result) return [{ block: hiddenByOwn(result, tags), ...span }]
  }
  return [single(open), ...(summary ? [single(summary)] : []), ...inner, single(close)]
}

/**
 * The parts between two items. Returns undefined if anything else is between them, or if they are nested too deeply.
 */
function readParts(opening: number, closing: number, nesting: Nesting, depth: number): Part[] | undefined {
  const parts: Part[] = []
  for (let index = opening + 1; index < closing; index += 1) {
    const part = readPart(index, nesting, depth)
    if (!part) return undefined
    parts.push(part)
    index = nesting.closers.get(index) ?? index
  }
  return parts
}

function readPart(opening: number, nesting: Nesting, depth: number): Part | undefined {
  const item = nesting.items[opening]
  const closing = nesting.closers.get(opening)
  if (
    item?.type !== 'open' ||
    !('tag' in item.opener) ||
    !isPart(item.name) ||
    closing === undefined ||
    depth > DEEPEST
  )
    return undefined

  const part: Part = { tag: item.opener.tag, parts: [], blocks: [] }
  for (let index = opening + 1; index < closing; index += 1) {
    const inner = readPart(index, nesting, depth + 1)
    const end = nesting.closers.get(index) ?? index
    if (inner) part.parts.push(inner)
    else for (const one of build(index, end + 1, nesting, depth + 1)) part.blocks.push(one.block)
    index = end
  }
  return part
}

function holdsOnly(name: string, opening: number, closing: number, { items, closers }: Nesting): boolean {
  let found = false
  for (let index = opening + 1; index < closing; index += 1) {
    const item = items[index]
    const closer = closers.get(index)
    if (item?.type !== 'open' || item.name !== name || closer === undefined) return false
    found = true
    index = closer
  }
  return found
}

/** The tags of the members of a group. */
function membersOf(opening: number, closing: number, { items, closers }: Nesting): Tag[] {
  const tags: Tag[] = []
  for (let index = opening + 1; index < closing; index = (closers.get(index) ?? index) + 1) {
    const item = items[index]
    if (item?.type === 'open' && 'tag' in item.opener) tags.push(item.opener.tag)
  }
  return tags
}

function tagsOf(parts: readonly Part[]): Tag[] {
  return parts.flatMap(({ tag, parts: inner }) => [tag, ...tagsOf(inner)])
}

function summaryAt(index: number, items: Item[]): (Item & { type: 'summary' }) | undefined {
  const item = items[index]
  return item?.type === 'summary' ? item : undefined
}

/** The block of one item: a block, a tag without content, or the source as text. */
function single(item: Item): PlacedBlock {
  const span = { start: item.start, end: item.end }
  if (item.type === 'block') return { block: item.block, ...span }
  if (item.type === 'summary') return { block: item.html, ...span }

  const tag = item.type === 'close' ? item.tag : 'tag' in item.opener ? item.opener.tag : undefined
  if (!tag) return { block: voidBlock('html', { html: item.source }), ...span }
  if (tag.name === 'if') return { block: blockMark(tag), ...span }
  const alone = item.type === 'open' && standsAlone(tag.name) ? readAlone(tag) : undefined
  return { block: alone ? hiddenByOwn(alone, [tag]) : paragraph(tag.source), ...span }
}

function readElement(
  opener: { element: 'details' | 'div'; attributes: Map<string, string> },
  blocks: Block[],
  summary: (Item & { type: 'summary' }) | undefined,
): Block | undefined {
  if (opener.element === 'details') return expandable(opener.attributes.has('open'), summary?.line, blocks)
  if (summary || !framesImages(opener.attributes)) return undefined
  return joinImages(opener.attributes, blocks)
}

/** An expandable block with its title and its hidden blocks. */
export function expandable(open: boolean, title: Line | undefined, blocks: Block[]): Block {
  return voidBlock('expandable', open ? { defaultExpanded: true } : {}, [
    fragment('expandable-title', [paragraph(title ?? '')], 'expandable-title'),
    fragment('expandable-body', blocks.length > 0 ? blocks : [paragraph()], 'expandable-body'),
  ])
}

const FRAME = new Set(['data-with-frame', 'data-full-width', 'align'])

/** True for a `<div>` with only attributes that control the display of the images in it. */
export function framesImages(attributes: Map<string, string>): boolean {
  return [...attributes.keys()].every((name) => FRAME.has(name))
}

/** One images block from those in a `<div>`; undefined if it holds anything else. */
export function joinImages(attributes: Map<string, string>, blocks: Block[]): Block | undefined {
  if (
    blocks.length === 0 ||
    !blocks.every((one) => one.type === 'images' && Object.keys(one.data).length === 0)
  )
    return undefined
  const align = attributes.get('align')
  return block(
    'images',
    {
      ...(align === 'left' || align === 'center' || align === 'right' ? { align } : {}),
      ...(attributes.get('data-full-width') === 'true' ? { fullWidth: true } : {}),
      ...(attributes.get('data-with-frame') === 'true' ? { withFrame: true } : {}),
    },
    blocks.flatMap((one) => (one.type === 'images' ? one.nodes : [])),
  )
}
