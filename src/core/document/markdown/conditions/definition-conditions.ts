/** The conditions of the definitions of footnotes and link targets: a reader sees a definition if they see its place. */
import type { MdastNode } from 'satteri'

import { inline, line } from '../../build.ts'
import type { InlineRun } from '../../build.ts'
import type { Block, Inline, Span } from '../../model.ts'
import { conditionTags, definitionOf } from './condition-tags.ts'
import { overlaps } from '../find-in-order.ts'
import { NEVER } from '../lookalikes.ts'
import type { ConditionPairs } from './pair-conditions.ts'
import { spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'

/** More conditions around one definition make it useless, so that their number times that of definitions is bounded. */
const MOST_AROUND = 8

/** The expressions that a reader must meet to see a definition; undefined for too many. */
export type DefinitionConditions = ReadonlyMap<MdastNode, readonly string[] | undefined>

/** The tags in the definitions of footnotes that a reference shows: they have their places in what it shows. */
export function tagsInNotes(reading: ReadingContext): Set<Tag> {
  const found = new Set<Tag>()
  for (const identifier of reading.bodies.keys()) {
    const definition = reading.footnotes.get(identifier)
    if (!definition) continue
    const { start, end } = spanOf(definition)
    for (const tag of conditionTags(reading.masked.text.slice(start, end), reading)) found.add(tag)
  }
  return found
}

/**
 * The expressions of the conditions around or in each definition that has any.
 * @param ranges what is hidden from everybody as whole blocks of the page, in order
 */
export function definitionConditions(
  { definitions, footnotes }: ReadingContext,
  { opener, branches, order, lost, placeOf }: ConditionPairs,
  ranges: readonly Span[],
): DefinitionConditions {
  const around = new Map<MdastNode, readonly string[] | undefined>()
  const open = new Map<string, number>()
  const tags = [...order.keys()]
  const isLost = new Set(lost)
  const isHidden = overlaps(ranges)
  let next = 0
  const all: MdastNode[] = [...definitions.values(), ...footnotes.values()]
  for (const definition of all.toSorted((a, b) => spanOf(a).start - spanOf(b).start)) {
    const { start, end } = spanOf(definition)
    for (; next < tags.length && placeOf(tags[next]!) < start; next += 1) {
      const tag = tags[next]!
      const first = tag.closes ? opener.get(tag) : tag
      if (!first) continue
      for (const { argument } of tag.closes ? [first, ...(branches.get(first) ?? [])] : [first]) {
        const count = (open.get(argument) ?? 0) + (tag.closes ? -1 : 1)
        if (count === 0) open.delete(argument)
        else open.set(argument, count)
      }
    }
    const expressions = new Set(open.keys())
    // An address and a title are hidden as a whole. The blocks of a footnote have their own conditions, but for those that
    // hide whole blocks of the page: what a reference shows is not in that of the definition.
    for (let at = next; at < tags.length && placeOf(tags[at]!) < end; at += 1) {
      const tag = tags[at]!
      if (!tag.closes && (definition.type === 'definition' || isLost.has(tag))) expressions.add(tag.argument)
    }
    if (isHidden({ start, end })) expressions.add(NEVER)
    if (expressions.size > 0)
      around.set(definition, expressions.size > MOST_AROUND ? undefined : [...expressions])
  }
  return around
}

/**
 * The expressions that a reader of a reference must meet to see its definition: those around the definition that are not
 * around the reference. Undefined if there are too many.
 */
export function conditionsToSee(
  node: Block | Inline,
  { definitions, footnotes }: ReadingContext,
  around: DefinitionConditions,
  isAround: (expression: string) => boolean,
): readonly string[] | undefined {
  const identifier = definitionOf(node)
  if (identifier === undefined) return []
  const definition = node.type === 'annotation' ? footnotes.get(identifier) : definitions.get(identifier)
  if (!definition || !around.has(definition)) return []
  return around.get(definition)?.filter((expression) => !isAround(expression))
}

/** A reference for readers who may see its definition, and its text for the others. */
export function referenceRuns(run: Inline, needed: readonly string[] | undefined): InlineRun[] {
  if (needed?.length === 0) return [run]
  const text = (run.nodes ?? []).flatMap((node): InlineRun[] =>
    node.object === 'text' ? node.leaves : [node],
  )
  if (!needed) return text
  const hide = (hidden: InlineRun) =>
    needed.toReversed().reduce<InlineRun>((inner, expression) => {
      return inline('inline-if', { expression }, line([inner]))
    }, hidden)
  if (run.type === 'annotation') return [...text, hide({ ...run, nodes: line([]) })]
  if (run.type !== 'link') return [hide(run)]
  const others = needed.map((expression) => `!(${expression})`).join(' || ')
  return [hide(run), inline('inline-if', { expression: others }, line(text))]
}
