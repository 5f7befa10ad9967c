/** Conditions in a table of contents. Nothing evaluates them there, so what is between their tags is imported for nobody. */
import { need } from '../../data/lists.ts'
import { textTags } from '../../document/markdown/hiding-tags.ts'
import { openConditions } from '../../document/markdown/open-tags.ts'
import { readsVariable } from '../../document/markdown/tag-words.ts'
import type { Tag } from '../../document/markdown/tags.ts'

/** A tag at its line, from 0, and its offset in the line. */
export interface TagPlace {
  tag: Tag
  at: number
  column: number
}

/** A condition, with the line in which it ends: the one behind the last line if it has no end. */
interface SummaryCondition extends TagPlace {
  last: number
}

export interface SummaryConditions {
  /** The conditions that go on in other lines, in order. */
  long: readonly SummaryCondition[]
  /** The tags that end no condition. */
  unopened: readonly TagPlace[]
  /** Whether a line is between the tags of a condition that begins in a line above it. */
  isWithin(at: number): boolean
  /** The conditions that begin in a line, in order. */
  beginningAt(at: number): readonly SummaryCondition[]
}

/**
 * Reads the conditions of a table of contents, in linear time. One without an end goes on up to the last line, but a line
 * of an entry can name a tag that reads no variable.
 * @param isEntry whether a line is that of an entry or a group
 */
export function summaryConditions(source: string, isEntry: (line: string) => boolean): SummaryConditions {
  const lines = source.split(/\r\n|\n|\r/)
  const closed = new Map<TagPlace, number>()
  const { openers, unopened } = pairTags(tagsIn(source, lines), closed)
  const conditions = openers.flatMap((opener): SummaryCondition[] => {
    const last = closed.get(opener) ?? lines.length
    const isNamed =
      last === lines.length && !readsVariable(opener.tag.source) && isEntry(lines[opener.at] ?? '')
    return isNamed ? [] : [{ ...opener, last }]
  })
  const beginning = Map.groupBy(conditions, ({ at }) => at)
  const long = conditions.filter(({ at, last }) => last > at)
  const within = linesWithin(long, lines.length)
  return {
    long,
    unopened,
    isWithin: (at) => within[at] ?? false,
    beginningAt: (at) => beginning.get(at) ?? [],
  }
}

/** Whether a tag of a text is neither escaped nor in code, by its offset. Offsets must be asked for in order. */
export function outsideOfCode(markdown: string): (at: number) => boolean {
  const codes = markdown.matchAll(/(?<!`)(`{1,4})(?!`)[^`]+\1(?!`)/g)
  let code = codes.next().value
  return (at) => {
    while (code && code.index + code[0].length <= at) code = codes.next().value
    return markdown[at - 1] !== '\\' && !(code && code.index < at)
  }
}

/** The tags of conditions that are outside of the code of their lines. */
function* tagsIn(source: string, lines: readonly string[]): Generator<TagPlace> {
  let [at, from] = [0, 0]
  let isTag = outsideOfCode(lines[0] ?? '')
  const isTagInLine = (offset: number) => {
    for (
      let next = nextLine(source, from, lines[at]);
      next <= offset;
      next = nextLine(source, from, lines[at])
    ) {
      from = next
      at += 1
      isTag = outsideOfCode(lines[at] ?? '')
    }
    return isTag(offset - from)
  }
  for (const [tag, offset] of textTags(source, isTagInLine)) yield { tag, at, column: offset - from }
}

/** Where the line behind one begins that begins at an offset. */
function nextLine(source: string, from: number, line = ''): number {
  const end = from + line.length
  return end + (source.startsWith('\r\n', end) ? 2 : 1)
}

function pairTags(tags: Iterable<TagPlace>, closed: Map<TagPlace, number>) {
  const places = new Map<Tag, TagPlace>()
  const [openers, unopened]: [TagPlace[], TagPlace[]] = [[], []]
  const open = openConditions()
  for (const place of tags) {
    const { tag, at } = place
    if (tag.closes) {
      const ended = open.close(tag)
      if (!ended) unopened.push(place)
      else for (const one of [ended.opener, ...ended.branches]) closed.set(need(places, one), at)
      continue
    }
    // An empty condition is true.
    if (tag.argument.trim() !== '') openers.push(place)
    places.set(tag, place)
    open.add(tag)
  }
  return { openers, unopened }
}

/** Whether each line is below the beginning of a condition, up to its end. The conditions are in order. */
function linesWithin(conditions: readonly SummaryCondition[], count: number): boolean[] {
  let [next, end] = [0, -1]
  return Array.from({ length: count }, (_, at) => {
    for (let one = conditions[next]; one && one.at < at; one = conditions[next]) {
      end = Math.max(end, one.last)
      next += 1
    }
    return at <= end
  })
}
