import { block, defined, line } from '../../build.ts'
import type { InlineRun } from '../../build.ts'
import { markedTag, pairRuns } from '../conditions/condition-tags.ts'
import type { Block, BlockOf, Mark } from '../../model.ts'
import { isExpression } from '../html-source.ts'
import { classesOf } from './read-inline-element.ts'
import { readRuns } from './read-line.ts'
import type { PhraseElement } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/**
 * `<pre class="language-x"><code>`: code with marks or annotations in it. A line whose line break is bold too is
 * highlighted. Undefined if it contains markup that the model has no inline for.
 */
export function readPre(element: PhraseElement, reading: ReadingContext): Block | undefined {
  const [code, ...others] = element.children.filter(
    (child) => child.type !== 'characters' || child.source.trim() !== '',
  )
  const inner = code?.type === 'element' && code.name === 'code' && others.length === 0 ? code : undefined
  // Only HTML has the value of an expression in `<pre>`.
  if (inner && isExpression(inner)) return undefined
  const runs = pairRuns(readRuns((inner ?? element).children, reading, [], 0, true), reading)
  if (runs.some((run) => !('marks' in run) && run.type === 'inline-html' && !markedTag(run))) return undefined

  const classes = [...classesOf(element), ...(inner ? classesOf(inner) : [])]
  const syntax = classes.find((name) => /^lang(?:uage)?-./.test(name))?.replace(/^lang(?:uage)?-/, '')
  const { attributes } = element
  const flag = (name: string) => (attributes.get(name) === 'true' ? true : undefined)
  const overflow = attributes.get('data-overflow')
  const title = attributes.get('data-title')
  const data: BlockOf<'code'>['data'] = {
    syntax: syntax === undefined ? undefined : reading.masked.raw(syntax),
    title: title === undefined || title === '' ? undefined : reading.masked.raw(title),
    overflow: overflow === 'scroll' || overflow === 'wrap' ? overflow : undefined,
    lineNumbers: flag('data-line-numbers') ?? flag('data-linenumbers'),
    fullWidth: flag('data-full-width'),
    expandable: flag('data-expandable'),
  }
  return block('code', defined(data), readCodeLines(runs))
}

function readCodeLines(runs: InlineRun[]): Block[] {
  const lines: Block[] = []
  let current: InlineRun[] = []
  const end = (highlighted: boolean) => {
    const all = highlighted && current.every((run) => !('marks' in run) || isBold(run))
    const content = all ? current.map((run) => ('marks' in run ? plainer(run) : run)) : current
    lines.push(block('code-line', all ? { highlighted: true } : {}, line(content)))
    current = []
  }

  for (const run of runs) {
    if (!('marks' in run)) {
      current.push(run)
      continue
    }
    const [first = '', ...rest] = run.text.split(/\r\n|\r|\n/)
    current.push({ ...run, text: first })
    for (const text of rest) {
      end(isBold(run))
      current.push({ ...run, text })
    }
  }
  // The line break before the closing tag ends the last line.
  if (lines.length === 0 || current.some((run) => !('marks' in run) || run.text !== '')) end(false)
  return lines
}

type TextRun = Extract<InlineRun, { marks: Mark[] }>

function isBold(run: TextRun): boolean {
  return run.text === '' || run.marks.some((mark) => mark.type === 'bold')
}

function plainer(run: TextRun): TextRun {
  return { ...run, marks: run.marks.filter((mark) => mark.type !== 'bold') }
}
