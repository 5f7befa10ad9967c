/** Space where Markdown has it: outside of bold and italic text, and not beside a line break. */
import { sameMark } from '../../build.ts'
import type { InlineRun } from '../../build.ts'
import type { Inline, Mark } from '../../model.ts'

/** The runs of a line in which no space looks other than it is printed. The space at the ends of a line stays. */
export function withNaturalSpaces(runs: readonly InlineRun[], isWhole: boolean): InlineRun[] {
  const parts = withoutSpaceAtBreaks(runs).flatMap(splitSpace)
  return parts.map((run, index) => {
    if (!('marks' in run) || run.text.trim() !== '' || isCode(run)) return run
    const [before, after] = [nextRun(parts, index, -1), nextRun(parts, index, 1)]
    const isKept = (mark: Mark) =>
      (mark.type !== 'bold' && mark.type !== 'italic') ||
      [before, after].every((beside) => (beside ? hasMark(beside, mark) : !isWhole))
    return run.marks.every(isKept) ? run : { ...run, marks: run.marks.filter(isKept) }
  })
}

function isCode({ marks }: { marks: Mark[] }): boolean {
  return marks.some(({ type }) => type === 'code' || type === 'keyboard')
}

/** The next run in a direction that is not white space. */
function nextRun(runs: readonly InlineRun[], from: number, step: 1 | -1): InlineRun | undefined {
  const run = runs[from + step]
  // Two runs of space follow one another only at the border of two runs.
  return run && 'marks' in run && run.text.trim() === '' ? runs[from + 2 * step] : run
}

function hasMark(run: InlineRun, mark: Mark): boolean {
  return marksOf(run).some((other) => sameMark(other, mark))
}

/** A run of bold or italic text, with the space at its ends apart. */
function splitSpace(run: InlineRun): InlineRun[] {
  if (!('marks' in run) || isCode(run) || !run.marks.some(({ type }) => type === 'bold' || type === 'italic'))
    return [run]
  const inner = run.text.trim()
  const start = run.text.length - run.text.trimStart().length
  const texts = [run.text.slice(0, start), inner, run.text.slice(start + inner.length)]
  return texts.filter((text) => text !== '').map((text) => ({ ...run, text }))
}

/** The runs without the space before and behind a line break, which Markdown drops. */
function withoutSpaceAtBreaks(runs: readonly InlineRun[]): InlineRun[] {
  const textOfRun = (run: InlineRun | undefined) => (run && 'marks' in run && !isCode(run) ? run.text : '')
  return runs.flatMap((run, index): InlineRun[] => {
    if (!('marks' in run) || isCode(run) || run.text === '') return [run]
    const [before, after] = [runs[index - 1], runs[index + 1]]
    let text = run.text.includes('\n')
      ? run.text
          .split('\n')
          .map((part, at, all) => trimPart(part, at > 0, at + 1 < all.length))
          .join('\n')
      : run.text
    if (textOfRun(before).endsWith('\n')) text = trimPart(text, true, false)
    if (textOfRun(after).startsWith('\n')) text = trimPart(text, false, true)
    return text === '' ? [] : [{ ...run, text }]
  })
}

function trimPart(part: string, atStart: boolean, atEnd: boolean): string {
  let [start, end] = [0, part.length]
  if (atStart) while (start < end && isSpace(part[start])) start += 1
  if (atEnd) while (end > start && isSpace(part[end - 1])) end -= 1
  return part.slice(start, end)
}

function isSpace(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t'
}

/** The marks of a run. A link has the marks that all its text has. */
export function marksOf(run: InlineRun): Mark[] {
  if ('marks' in run) return run.marks
  const [first, ...others] = leavesOf(run)
  return (first?.marks ?? []).filter(
    (mark) =>
      mark.type !== 'code' && others.every((leaf) => leaf.marks.some((other) => sameMark(other, mark))),
  )
}

/** The text in an inline, at any depth. */
export function leavesOf(run: Inline): { text: string; marks: Mark[] }[] {
  return (run.nodes ?? [])
    .flatMap((node) => (node.object === 'text' ? node.leaves : leavesOf(node)))
    .filter((leaf) => leaf.text !== '')
}
