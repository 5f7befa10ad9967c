/**
 * Puts what is between the tags of a condition into a condition, wherever the tags are: the rest of the line or container
 * in which a condition begins, what follows these, and what comes before the closing tag in its own line or container.
 */
import { block as newBlock, filled, inline, line, voidBlock } from '../../build.ts'
import type { InlineRun, Line } from '../../build.ts'
import type { Block, BlockOf, Inline, InlineOf, Span } from '../../model.ts'
import { collectTags, isDefinition } from './collect-tags.ts'
import type { CollectedTags } from './collect-tags.ts'
import { conditionList } from './condition-lists.ts'
import type { OpenCondition, ConditionList, OpenConditions } from './condition-lists.ts'
import { rangesOfCutLinks } from './cut-links.ts'
import { forgetNotes, heldTags, markedTag } from './condition-tags.ts'
import { conditionsToSee, definitionConditions, referenceRuns, tagsInNotes } from './definition-conditions.ts'
import type { DefinitionConditions } from './definition-conditions.ts'
import { hideRanges, underConditions, withoutEnds } from './hide-ranges.ts'
import { pairConditions } from './pair-conditions.ts'
import type { ConditionPairs, PairFaults } from './pair-conditions.ts'
import { rangesOfOwn } from './own-conditions.ts'
import { endsInTexts, openersInTexts, openersInValues } from './value-openers.ts'
import type { PlacedBlock, ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'

/** Conditions that are nested deeper hide whole blocks of the page. */
const DEEPEST = 32
/** Of more conditions that go on behind their list, the last ones hide whole blocks of the page. */
const MOST_CARRIED = 8

const NO_FAULTS: PairFaults = { unclosed: [], unopened: [], ignored: [], misbegun: [], placeOf: () => 0 }

interface Placing extends OpenConditions {
  reading: ReadingContext
  found: CollectedTags
  pairs: ConditionPairs
  around: DefinitionConditions
  /** The opening tags that hide whole blocks of the page. */
  whole: Tag[]
  /** The conditions that must hide the innermost node that can be hidden, because they would hide some of its data. */
  exposed: OpenCondition[]
  /** The blocks of footnotes, which references share. */
  bodies: Map<readonly Block[], Block[]>
  /** The blocks that keep closing tags of the page around nothing. */
  ends: Set<Block>
}

/**
 * Places the conditions of a page.
 * @param placed the blocks, with marks in the place of the tags of conditions
 * @param title the tags in the title, which is above the blocks
 * @returns the blocks, what each condition hides in the source, and the tags that have no partner
 */
export function placeConditions(
  placed: PlacedBlock[],
  title: readonly Tag[],
  reading: ReadingContext,
): { placed: PlacedBlock[]; conditions: Span[]; faults: PairFaults } {
  if (!reading.isConditional) return { placed, conditions: [], faults: NO_FAULTS }
  const { covered, others } = rangesOfOwn(placed, reading)
  const found = collectTags(placed.map(({ block }) => block))
  const met = new Set([...title, ...found.met, ...found.defined.difference(tagsInNotes(reading))])
  const inTexts = () => openersInTexts(reading)
  const pairs = pairConditions(reading, met, openersInValues(reading), inTexts, endsInTexts(reading))
  const placing: Placing = {
    stack: [],
    version: 0,
    reading,
    found,
    pairs,
    around: definitionConditions(reading, pairs, others),
    whole: [...pairs.lost],
    exposed: [],
    bodies: new Map(),
    ends: new Set(),
  }
  for (const tag of title) passTag(tag, placing)
  const list = conditionList<PlacedBlock>(placing, wrapBlocks)
  for (const item of placed) placeBlock(item, list, placing, true)
  const result = endList(list, placing)
  // The annotations have these blocks from now on, so that the source map finds their labels.
  for (const [identifier, body] of reading.bodies)
    reading.bodies.set(identifier, placing.bodies.get(body) ?? body)
  const ranges = placing.whole.map((tag) => ({ ...pairs.rangeOf(tag), expression: tag.argument }))
  const kept = withoutEnds(result, placing.ends, ranges)
  const cut = rangesOfCutLinks(reading, pairs)
  const conditions = [...pairs.ranges(), ...cut, ...covered, ...others].toSorted((a, b) => a.start - b.start)
  return { placed: hideRanges(kept, [...ranges, ...cut, ...others]), conditions, faults: pairs }
}

function wrapBlocks(opener: Tag, inner: PlacedBlock[], start?: PlacedBlock, end?: PlacedBlock): PlacedBlock {
  const first = start ?? inner[0]!
  const last = end ?? inner.at(-1) ?? first
  return { block: ifBlock(opener.argument, inner), start: first.start, end: last.end }
}

function ifBlock(expression: string, inner: readonly PlacedBlock[]): BlockOf<'if'> {
  return newBlock('if', { expression }, filled(inner.map(({ block }) => block)))
}

function wrapRuns(opener: Tag, inner: InlineRun[]): InlineOf<'inline-if'> {
  return inline('inline-if', { expression: opener.argument }, line(inner))
}

/** Opens or closes a condition at a tag that no list holds: in data, in a title, or between members of a group. */
function passTag(tag: Tag, placing: Placing): void {
  if (tag.closes) takeCondition(tag, placing)
  else if (hasRoom(tag, placing)) {
    placing.stack.push({ opener: tag, home: undefined, isCovered: false })
    placing.version += 1
    limitCarried(placing)
  }
}

function hasRoom(opener: Tag, { stack, whole }: Placing): boolean {
  if (stack.length < DEEPEST) return true
  whole.push(opener)
  return false
}

/** Removes the condition that a tag closes from those that are open. */
function takeCondition(closer: Tag, placing: Placing): OpenCondition | undefined {
  const opener = placing.pairs.opener.get(closer)
  const branches = opener && placing.pairs.branches.get(opener)
  if (branches) placing.stack = placing.stack.filter((condition) => !branches.includes(condition.opener))
  const index = placing.stack.findLastIndex((condition) => condition.opener === opener)
  if (branches || index !== -1) placing.version += 1
  return index === -1 ? undefined : placing.stack.splice(index, 1)[0]
}

/** @returns whether the place of the tag needs nothing else */
function placeTag<T>(tag: Tag, node: T, list: ConditionList<T>, placing: Placing): boolean {
  if (!tag.closes) {
    if (!hasRoom(tag, placing)) return false
    list.open(tag, node)
    return true
  }
  const condition = takeCondition(tag, placing)
  return condition !== undefined && list.close(condition, node)
}

function endList<T>(list: ConditionList<T>, placing: Placing): T[] {
  for (const condition of placing.stack) if (condition.home === list) condition.home = undefined
  limitCarried(placing)
  return list.end()
}

function limitCarried(placing: Placing): void {
  let carried = 0
  const isKept = ({ opener, home }: OpenCondition) => {
    if (home !== undefined || (carried += 1) <= MOST_CARRIED) return true
    placing.whole.push(opener)
    return false
  }
  const kept = placing.stack.filter(isKept)
  if (kept.length === placing.stack.length) return
  placing.stack = kept
  placing.version += 1
}

function placeBlock(
  item: PlacedBlock,
  list: ConditionList<PlacedBlock>,
  placing: Placing,
  isTop: boolean,
): void {
  const { block } = item
  const { found, pairs } = placing
  const tag = markedTag(block)
  if (tag) {
    if (!placeTag(tag, item, list, placing) && isTop) placeRest(tag, item, list, placing)
    return
  }
  if (!found.isNoted(block)) {
    list.surround()
    list.add(item)
    return
  }
  const first = found.firstClosed(block, pairs)
  const isAround = ({ opener }: OpenCondition) => pairs.order.get(opener)! < first
  list.surround(isAround)
  const needed = neededToSee(block, placing)
  const exposed = covering(placing, isAround, () => {
    if (isDefinition(block)) passTags(block, placing)
    else placeInside(block, placing)
  })
  if (!needed) return
  let placed = item
  for (const expression of [...needed].toReversed())
    placed = { ...placed, block: ifBlock(expression, [placed]) }
  for (const { opener } of exposed.toReversed()) placed = wrapBlocks(opener, [placed])
  list.add(placed)
}

/**
 * A tag of the page around nothing. Its range becomes part of the block before it. One that belongs to no condition is kept,
 * but not within another condition, which it would end when the page is printed.
 */
function placeRest(
  tag: Tag,
  item: PlacedBlock,
  list: ConditionList<PlacedBlock>,
  { pairs: { opener }, stack, ends }: Placing,
): void {
  const isAlone = tag.closes && !opener.has(tag)
  if (isAlone && stack.length > 0) return
  if (!isAlone && list.extend((last) => ({ ...last, end: item.end }))) return
  if (!tag.closes) return
  const block = voidBlock('html', { html: '', markdown: tag.source })
  ends.add(block)
  list.add({ ...item, block })
}

function passTags(block: Block, placing: Placing): void {
  for (const tag of heldTags(block)) passTag(tag, placing)
  forgetNotes(block)
}

/**
 * Places what is inside of a node, which conditions hide as a whole.
 * @returns the other conditions that must hide it as a whole
 */
function covering(
  placing: Placing,
  isAround: (condition: OpenCondition) => boolean,
  place: () => void,
): OpenCondition[] {
  const covered = placing.stack.filter((condition) => !condition.isCovered && isAround(condition))
  for (const condition of covered) condition.isCovered = true
  const { exposed: outer } = placing
  placing.exposed = []
  place()
  const { exposed } = placing
  placing.exposed = outer
  for (const condition of [...covered, ...exposed]) condition.isCovered = false
  placing.version += 1
  return exposed
}

/** Hides the node around the current place, because it has data that cannot be hidden in part. */
function expose({ stack, exposed }: Placing): void {
  for (const condition of stack) {
    if (condition.isCovered) continue
    condition.isCovered = true
    exposed.push(condition)
  }
}

/** Settings that say nothing of the content of a node. */
const PLAIN = new Set(['style', 'align', 'verticalAlignment', 'width', 'format', 'kind', 'size'])

function showsData({ data }: Block | Inline): boolean {
  return Object.entries(data).some(
    ([name, value]) => typeof value !== 'boolean' && typeof value !== 'number' && !PLAIN.has(name),
  )
}

function placeInside(node: Block | Inline, placing: Placing): void {
  const held = heldTags(node)
  if (held.length > 0 || showsData(node)) expose(placing)
  for (const tag of held) {
    passTag(tag, placing)
    expose(placing)
  }
  forgetNotes(node)
  if (node.type === 'table') return placeCells(node, placing)
  if (node.object === 'inline') {
    if (node.nodes) node.nodes = placeLine(node.nodes, placing)
  } else if (node.nodes) placeNodes(node, placing)
  for (const fragment of node.fragments ?? []) {
    if (fragment.type === 'annotation-body') fragment.nodes = placeBody(fragment.nodes, placing)
    else if (fragment.fragment === 'expandable-title' || node.type === 'image')
      fragment.nodes = filled(placeMembers(fragment.nodes, placing))
    else fragment.nodes = filled(placeBlocks(fragment.nodes, placing))
  }
  // The address of a link or image can come after its text.
  if (node.object === 'inline' || node.type === 'image') expose(placing)
}

/** Blocks that hold only blocks of one kind. */
const GROUPS = new Set<string>(
  'tabs stepper columns updates images prompt code list-unordered list-ordered list-tasks'.split(' '),
)

function placeNodes(block: Block, placing: Placing): void {
  const nodes = block.nodes as (Block | Line[number])[]
  if (nodes.some(({ object }) => object !== 'block')) block.nodes = placeLine(nodes as Line, placing)
  else if (GROUPS.has(block.type)) block.nodes = placeMembers(nodes as Block[], placing)
  else block.nodes = filled(placeBlocks(nodes as Block[], placing))
}

function placeBlocks(blocks: readonly Block[], placing: Placing): Block[] {
  const list = conditionList<PlacedBlock>(placing, wrapBlocks)
  for (const block of blocks) placeBlock({ block, start: 0, end: 0 }, list, placing, false)
  return endList(list, placing).map(({ block }) => block)
}

/** Blocks that cannot be within a condition, so that what they hold is. */
function placeMembers(blocks: readonly Block[], placing: Placing): Block[] {
  return blocks.filter((block) => {
    const tag = markedTag(block)
    if (tag) {
      passTag(tag, placing)
      return false
    }
    if (placing.found.isNoted(block) || isHiding(placing)) placeInside(block, placing)
    return true
  })
}

function isHiding({ stack }: Placing): boolean {
  return stack.some(({ isCovered }) => !isCovered)
}

function placeCells({ data, fragments }: BlockOf<'table'>, placing: Placing): void {
  const cells = new Map(fragments?.map((fragment) => [fragment.fragment, fragment]))
  for (const { values } of Object.values(data.records)) {
    for (const [column, value] of Object.entries(values)) {
      const cell = data.definition[column]?.type === 'text' ? cells.get(value as string) : undefined
      if (!cell) expose(placing)
      else cell.nodes = filled(placeMembers(cell.nodes, placing))
    }
  }
}

function neededToSee(node: Block | Inline, { reading, around, stack }: Placing) {
  return conditionsToSee(node, reading, around, (expression) =>
    stack.some(({ opener }) => opener.argument === expression),
  )
}

/** The blocks of a footnote. Conditions around the reference say nothing of those around its definition. */
function placeBody(blocks: Block[], placing: Placing): Block[] {
  const known = placing.bodies.get(blocks)
  if (known) return known
  const { stack, whole } = placing
  const before = whole.length
  placing.stack = []
  const inner = filled(placeBlocks(blocks, placing))
  // What would hide whole blocks of the page hides the whole footnote.
  const placed = underConditions(inner, new Set(whole.slice(before).map(({ argument }) => argument)))
  placing.stack = stack
  placing.version += 1
  placing.bodies.set(blocks, placed)
  return placed
}

function placeLine(nodes: Line, placing: Placing): Line {
  const isPlain = nodes.every((node) => node.object === 'text' || !placing.found.isNoted(node))
  if (isPlain && !isHiding(placing)) return nodes
  const list = conditionList<InlineRun>(placing, (opener, inner, start, end) => {
    const run = wrapRuns(opener, inner)
    if (!start || !end)
      placing.reading.map?.tagsInLine.set(run, { opens: Boolean(start), closes: Boolean(end) })
    return run
  })
  for (const node of nodes) {
    if (node.object === 'inline') placeRun(node, list, placing)
    else {
      for (const leaf of node.leaves) {
        if (leaf.text === '') continue
        list.surround()
        list.add(leaf)
      }
    }
  }
  return line(endList(list, placing))
}

function placeRun(run: Inline, list: ConditionList<InlineRun>, placing: Placing): void {
  const tag = markedTag(run)
  if (tag) {
    placeTag(tag, run, list, placing)
    return
  }
  list.surround()
  if (!placing.found.isNoted(run)) return list.add(run)
  const needed = neededToSee(run, placing)
  const exposed = covering(
    placing,
    () => true,
    () => placeInside(run, placing),
  )
  for (const one of referenceRuns(run, needed)) {
    let placed: InlineRun = one
    for (const { opener } of exposed.toReversed()) placed = wrapRuns(opener, [placed])
    list.add(placed)
  }
}
