/** The inlines of a block and the formatting of its text, compared with an earlier version. Pure. */
import { diffEffort, type TextRange } from '../../../core/content/edit/block-diff.ts'
import type { WordChange } from '../../../core/content/edit/word-merge.ts'
import { diffSequences } from '../../../core/content/line-merge.ts'
import { paragraph } from '../../../core/document/build.ts'
import type { Block, Inline, Mark, Text } from '../../../core/document/model.ts'
import { normalText } from '../../../core/document/normal-form.ts'

/** An inline, and where its text is in the text of its block. */
export interface PlacedInline extends TextRange {
  inline: Inline
  text: string
}

/** An inline that only one version has, or that differs. */
export interface InlineChange {
  was?: PlacedInline
  is?: PlacedInline
}

/** A text that both versions have, with different formatting. */
export interface Restyled {
  before: TextRange
  after: TextRange
  text: string
  was: readonly Mark[]
  is: readonly Mark[]
}

interface Run extends TextRange {
  marks: readonly Mark[]
}

interface Line {
  inlines: PlacedInline[]
  runs: Run[]
  text: string
}

/** Returns the content of the text of a block, with offsets as `leafText` counts them. */
function comparedLine(block: Block): Line {
  const line: Line = { inlines: [], runs: [], text: '' }
  const walk = (node: Block | Inline | Text) => {
    const start = line.text.length
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves) {
        line.runs.push({ start: line.text.length, end: line.text.length + text.length, marks })
        line.text += text
      }
      return
    }
    const placed = { inline: node as Inline, start, end: start, text: '' }
    if (node.object === 'inline') line.inlines.push(placed)
    else for (const { nodes } of node.fragments ?? []) nodes.forEach(walk)
    for (const inner of node.nodes ?? []) walk(inner)
    placed.end = line.text.length
    placed.text = line.text.slice(start)
    if (node.object === 'block' && line.text.length > start && !line.text.endsWith('\n')) line.text += '\n'
  }
  walk(block)
  return line
}

/** The inlines that differ, in the order of the later version. One that is gone comes where it was. */
export function inlineChanges(before: Block, after: Block): InlineChange[] {
  const [from, to] = [comparedLine(before).inlines, comparedLine(after).inlines]
  const changes: InlineChange[] = []
  let [inFrom, inTo] = [0, 0]
  const pairUpTo = (end: number) => {
    for (; inFrom < end; inFrom++, inTo++) {
      const [was, is] = [from[inFrom]!, to[inTo]!]
      if (!saysTheSame(was.inline, is.inline)) changes.push({ was, is })
    }
  }
  for (const { aStart, aEnd, bStart, bEnd } of diffSequences(
    from.map(inlineName),
    to.map(inlineName),
    diffEffort(),
  )) {
    pairUpTo(aStart)
    const gone = from.slice(aStart, aEnd)
    for (const is of to.slice(bStart, bEnd)) {
      const at = gone.findIndex(({ inline }) => inline.type === is.inline.type)
      const [was] = at < 0 ? [] : gone.splice(at, 1)
      if (!was) changes.push({ is })
      else if (!saysTheSame(was.inline, is.inline)) changes.push({ was, is })
    }
    for (const was of gone) changes.push({ was })
    ;[inFrom, inTo] = [aEnd, bEnd]
  }
  pairUpTo(from.length)
  return changes
}

/** Returns the key that pairs inlines: the text of an inline, or else its data. */
const inlineName = ({ inline, text }: PlacedInline): string =>
  `${inline.type} ${inline.nodes ? text : JSON.stringify(inline.data)}`

const saysTheSame = (was: Inline, is: Inline): boolean => alone(was) === alone(is)

/** Returns the content of an inline besides its text. */
const alone = (inline: Inline): string =>
  normalText(paragraph([{ ...inline, ...(inline.nodes ? { nodes: [] } : {}) } as Inline]))

/** The texts that both versions have, but not with the same formatting. */
export function restyledTexts(before: Block, after: Block, words: readonly WordChange[]): Restyled[] {
  const [was, is] = [comparedLine(before), comparedLine(after)]
  const found: Restyled[] = []
  let [from, to] = [0, 0]
  const compare = (end: number) => {
    while (from < end) {
      const [old, now] = [runAt(was.runs, from), runAt(is.runs, to)]
      // A line break belongs to no run.
      const count = old && now ? Math.min(end - from, old.end - from, now.end - to) : 1
      if (old && now && styleOf(old.marks) !== styleOf(now.marks))
        add(found, {
          before: { start: from, end: from + count },
          after: { start: to, end: to + count },
          text: is.text.slice(to, to + count),
          was: old.marks,
          is: now.marks,
        })
      from += count
      to += count
    }
  }
  for (const word of words) {
    compare(word.before[0])
    ;[from, to] = [word.before[1], word.after[1]]
  }
  compare(was.text.length)
  return found.filter(({ text }) => text.trim() !== '')
}

const runAt = (runs: readonly Run[], at: number): Run | undefined =>
  runs.find(({ start, end }) => start <= at && at < end)

const styleOf = (marks: readonly Mark[]): string =>
  marks
    .map((mark) => JSON.stringify(mark))
    .toSorted()
    .join('')

/** Adds a text, or makes the last one longer if the same happened to it. */
function add(found: Restyled[], one: Restyled): void {
  const last = found.at(-1)
  const isNext =
    last?.after.end === one.after.start &&
    last.before.end === one.before.start &&
    styleOf(last.was) === styleOf(one.was) &&
    styleOf(last.is) === styleOf(one.is)
  if (!isNext) return void found.push(one)
  last.before.end = one.before.end
  last.after.end = one.after.end
  last.text += one.text
}
