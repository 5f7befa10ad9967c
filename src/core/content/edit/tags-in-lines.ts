/** Conditions that begin in one block of a page and end in another: a line has one of their tags, or neither. */
import { needItem } from '../../data/lists.ts'
import type { SourceMap } from '../../document/markdown/reading.ts'
import type { Block, Inline, InlineOf } from '../../document/model.ts'
import { blockParts, inlinesIn } from './block-parts.ts'

/** A block to print, and as it is read back. */
interface Sayable {
  printed: Block
  read: Block
}

/**
 * Returns a block without the conditions that an edit has emptied and that Markdown cannot express in this block. Only the
 * block that has the opening tag can have an empty condition. The function needs the block that was sent, that of the page,
 * and the Markdown of the latter.
 */
export function withoutEmptied({
  tagsInLine,
}: SourceMap): (block: Block, raw: Block, source: string) => Sayable {
  const spread = new Set([...tagsInLine.keys()].map(({ data }) => data.expression))
  return (block, raw, source) => {
    const same = { printed: block, read: block }
    if (spread.size === 0) return same
    const before = [...conditionsIn(raw)]
    const ends = source.match(END)?.length ?? 0
    // An earlier edit can have emptied a condition whose end is still in the block.
    const former =
      ends > before.length
        ? spread
        : new Set(before.filter((one) => tagsInLine.has(one)).map(({ data }) => data.expression))
    const after = [...conditionsIn(block)]
    const emptied = new Set(after.filter((one) => isEmpty(one) && former.has(one.data.expression)))
    if (emptied.size === 0) return same
    const left = after.filter((one) => !emptied.has(one))
    if (areAlike(before, left)) {
      const printed = without(block, emptied)
      return { printed, read: printed }
    }
    if (!areAlike(before, after)) return same
    const unread = after.filter(
      (one, nth) => emptied.has(one) && tagsInLine.get(needItem(before, nth))?.opens === false,
    )
    return { printed: block, read: without(block, new Set(unread)) }
  }
}

const END = /\{%-?\s*endif\b/g

function without(block: Block, inlines: ReadonlySet<unknown>): Block {
  const json = JSON.stringify(block, (_name, value: unknown) =>
    Array.isArray(value) ? value.filter((node) => !inlines.has(node)) : value,
  )
  return JSON.parse(json) as Block
}

type Condition = InlineOf<'inline-if'>

const isCondition = (node: Inline): node is Condition => node.type === 'inline-if'

const areAlike = (some: readonly Condition[], others: readonly Condition[]): boolean =>
  some.length === others.length &&
  some.every(({ data }, nth) => data.expression === others[nth]?.data.expression)

const isEmpty = ({ nodes }: Condition): boolean =>
  nodes.every((node) => node.object === 'text' && node.leaves.every(({ text }) => text === ''))

/** The conditions in the lines of a block. */
function* conditionsIn(block: Block): Generator<Condition> {
  yield* [...inlinesIn(block)].filter(isCondition)
  for (const part of blockParts(block)) yield* conditionsIn(part)
}

/**
 * The tags to print of conditions that begin or end in another block: those that each line has in the source. A block with
 * other conditions than it had is printed with all their tags.
 * @param versions a block as the source has it, and versions of it
 */
export function tagsInLines(versions: readonly Block[], map: SourceMap): SourceMap['tagsInLine'] | undefined {
  if (map.tagsInLine.size === 0) return undefined
  const conditions = versions.map((block) => [...conditionsIn(block)])
  const [known = []] = conditions
  if (!conditions.every((some) => areAlike(known, some))) return undefined
  const tags: SourceMap['tagsInLine'] = new Map()
  for (const [nth, condition] of known.entries()) {
    const inLine = map.tagsInLine.get(condition)
    if (inLine) for (const some of conditions) tags.set(needItem(some, nth), inLine)
  }
  return tags
}
