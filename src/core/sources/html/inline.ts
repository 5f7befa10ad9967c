import { needItem } from '../../data/lists.ts'
import { inline, line as joinRuns, voidInline, withMark } from '../../document/build.ts'
import type { InlineRun, Line } from '../../document/build.ts'
import type { Mark } from '../../document/model.ts'
import { paragraph } from '../../document/build.ts'
import { latexOfMathml } from './formulas/mathml.ts'
import { markupClassesOf, findFirst, isDropped, phraseIn, textIn } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'
import type { MarkupContext } from './markup-context.ts'

const MARKS: Record<string, Exclude<Mark['type'], 'color'>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  cite: 'italic',
  dfn: 'italic',
  var: 'italic',
  code: 'code',
  samp: 'code',
  tt: 'code',
  kbd: 'keyboard',
  s: 'strikethrough',
  del: 'strikethrough',
  strike: 'strikethrough',
  sup: 'superscript',
  sub: 'subscript',
}

interface LineState {
  context: MarkupContext
  runs: InlineRun[]
  /** Whether white space that follows is collapsed: at the start of the line, and after a space or a line break. */
  isSpaced: boolean
}

/** Inline content as the runs of a line, with white space collapsed as a browser does. */
export function runsOf(nodes: readonly MarkupNode[], context: MarkupContext): InlineRun[] {
  const state: LineState = { context, runs: [], isSpaced: true }
  for (const node of nodes) add(node, [], state)
  return withoutLastSpace(state.runs)
}

/** The runs as the content of a paragraph. */
export function lineOfRuns(runs: InlineRun[]): Line {
  return joinRuns(runs)
}

function add(node: MarkupNode, marks: Mark[], state: LineState): void {
  if (typeof node === 'string') return addText(node, marks, state)
  const { name, attributes, children } = node
  const special = state.context.inline?.(node, state.context)
  if (special) return addRuns(special, state)
  if (isDropped(node)) return
  if (name === 'br') return addBreak(state)
  if (name === 'img') return addImage(node, state)
  if (name === 'a' && attributes.href !== undefined) return addLink(node, marks, state)
  if (name === 'math' || markupClassesOf(node).some((one) => one === 'katex' || one === 'math')) {
    const formula = formulaOf(node)
    if (formula !== undefined) return addRuns([voidInline('inline-math', { formula })], state)
  }
  if (name === 'sup' || name === 'span') {
    const note = children.length === 1 ? noteOf(needItem(children, 0), state.context) : undefined
    if (note) return addNote(note, state)
  }
  const type = Object.hasOwn(MARKS, name) ? MARKS[name] : styleMark(attributes.style)
  const open = type ? withMark(marks, { object: 'mark', type }) : name === 'mark' ? marked(marks) : marks
  if (node.holdsBlocks) addText(' ', marks, state)
  for (const child of children) add(child, open, state)
  if (node.holdsBlocks) addText(' ', marks, state)
}

/** Some tools write marks as styles only. */
function styleMark(style: string | undefined): 'bold' | 'italic' | 'strikethrough' | undefined {
  if (style === undefined) return undefined
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style)) return 'bold'
  if (/font-style:\s*italic/i.test(style)) return 'italic'
  return /text-decoration[a-z-]*:\s*line-through/i.test(style) ? 'strikethrough' : undefined
}

function marked(marks: Mark[]): Mark[] {
  return withMark(marks, { object: 'mark', type: 'color', data: { background: 'yellow' } })
}

function addText(text: string, marks: Mark[], state: LineState): void {
  const collapsed = text.replace(/[ \t\n\r\f]+/g, ' ')
  const rest = state.isSpaced && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
  if (rest === '') return
  state.isSpaced = rest.endsWith(' ')
  if (marks.length === 0) return void state.runs.push({ text: rest, marks })

  // Marks do not begin or end with a space.
  const core = rest.trim()
  const from = core === '' ? rest.length : rest.indexOf(core)
  if (from > 0) state.runs.push({ text: rest.slice(0, from), marks: [] })
  if (core !== '') state.runs.push({ text: core, marks })
  const after = rest.slice(from + core.length)
  if (after !== '') state.runs.push({ text: after, marks: [] })
}

function addRuns(runs: readonly InlineRun[], state: LineState): void {
  for (const run of runs) state.runs.push(run)
  if (runs.length > 0) state.isSpaced = false
}

function addBreak(state: LineState): void {
  withoutLastSpace(state.runs)
  if (state.runs.length === 0) return
  state.runs.push({ text: '\n', marks: [] })
  state.isSpaced = true
}

function addImage({ attributes }: MarkupElement, state: LineState): void {
  const { alt = '' } = attributes
  if (/\b(?:emoji|emoticon)\b/i.test(attributes.class ?? '')) {
    const sign = attributes['data-emoji-fallback'] ?? alt
    return addText(sign, [], state)
  }
  const address = state.context.image(imageAddress(attributes))
  if (address === undefined) return addText(alt, [], state)
  const image = { ref: { kind: 'url' as const, url: address }, ...(alt === '' ? {} : { alt }) }
  addRuns([voidInline('inline-image', image)], state)
}

/** The address of an image, which some sites load only when it is visible. */
export function imageAddress(attributes: Record<string, string>): string {
  const { src = '' } = attributes
  const late = attributes['data-src'] ?? attributes['data-lazy-src']
  return late !== undefined && (src === '' || src.startsWith('data:')) ? late : src
}

/** A link within a heading to itself, which shows a sign such as `#` or `¶`. */
function isSelfLink(element: MarkupElement): boolean {
  const { href = '' } = element.attributes
  if (!href.includes('#')) return false
  return /^[#¶§🔗\s\u200b-\u200d\ufeff]*$/u.test(textIn(element.children)) && !hasImage(element)
}

const hasImage = (element: MarkupElement) => findFirst(element, ({ name }) => name === 'img') !== undefined

function addLink(element: MarkupElement, marks: Mark[], state: LineState): void {
  if (isSelfLink(element)) return
  const note = noteOf(element, state.context)
  if (note) return addNote(note, state)

  const { href = '' } = element.attributes
  const within: LineState = { context: state.context, runs: [], isSpaced: state.isSpaced }
  for (const child of element.children) add(child, marks, within)
  const address = state.context.link(href)
  const isSpacedAfter = within.isSpaced && within.runs.length > 0
  const runs = withoutLastSpace(within.runs)
  const leads = takeFirstSpace(runs)
  if (runs.length === 0) return
  if (leads) state.runs.push({ text: ' ', marks: [] })
  if (address === undefined || runs.some((run) => !('text' in run) && run.type === 'link')) {
    addRuns(runs, state)
  } else if (runs.some((run) => !('text' in run) && run.type === 'annotation')) {
    addRuns(runs, state)
  } else {
    const ref = { kind: 'url' as const, url: address }
    addRuns([inline('link', { ref }, joinRuns(runs))], state)
  }
  if (isSpacedAfter && !state.isSpaced) addText(' ', [], state)
}

/** The footnote that a link refers to. */
function noteOf(node: MarkupNode, { footnotes }: MarkupContext): MarkupElement | undefined {
  if (typeof node === 'string' || !footnotes || footnotes.size === 0) return undefined
  const { href = '' } = node.attributes
  if (node.name !== 'a' || !href.startsWith('#')) return undefined
  return footnotes.get(href.slice(1))
}

/** A footnote explains the word before its reference. */
function addNote(note: MarkupElement, state: LineState): void {
  const context: MarkupContext = { ...state.context, footnotes: new Map() }
  const content = runsOf(note.children, context).filter(
    (run) => 'text' in run || run.type !== 'link' || !isBackLink(run.data.ref),
  )
  const [first] = content
  if (first && 'text' in first) content[0] = { ...first, text: first.text.trimStart() }
  const nodes = [paragraph(joinRuns(withoutLastSpace(content)))]
  const body = [{ object: 'fragment' as const, type: 'annotation-body', nodes }]
  const word = takeLastWord(state.runs)
  state.runs.push(inline('annotation', {}, joinRuns(word), body))
  state.isSpaced = false
}

const isBackLink = (ref: { kind: string }) =>
  'url' in ref &&
  typeof ref.url === 'string' &&
  /^#(?:fn|footnote|ftnt|endnote)-?ref|^#_ftnref/i.test(ref.url)

function takeLastWord(runs: InlineRun[]): InlineRun[] {
  const last = runs.at(-1)
  if (!last || !('text' in last)) return []
  let start = last.text.length
  while (start > 0 && !/\s/.test(last.text[start - 1]!)) start -= 1
  const word = last.text.slice(start)
  if (word === '') return []
  runs.pop()
  if (start > 0) runs.push({ ...last, text: last.text.slice(0, start) })
  return [{ ...last, text: word }]
}

/** The source of a formula, which KaTeX and MathJax keep beside what they show. */
export function formulaOf(element: MarkupElement): string | undefined {
  const source = findFirst(
    element,
    ({ name, attributes }) => name === 'annotation' && attributes.encoding === 'application/x-tex',
  )
  if (source) return phraseIn(source.children) || undefined
  if (element.name === 'math') return latexOfMathml(element) || undefined
  const written = phraseIn(element.children)
  const delimited = /^(?:\\\((.+)\\\)|\\\[(.+)\\\])$/.exec(written)
  return delimited?.[1] ?? delimited?.[2]
}

function takeFirstSpace(runs: InlineRun[]): boolean {
  const [first] = runs
  if (!first || !('text' in first) || !first.text.startsWith(' ')) return false
  const text = first.text.slice(1)
  if (text === '') runs.shift()
  else runs[0] = { ...first, text }
  return true
}

/** Removes the white space at the end, in place. */
function withoutLastSpace(runs: InlineRun[]): InlineRun[] {
  for (let last = runs.at(-1); last && 'text' in last; last = runs.at(-1)) {
    const text = trimEnd(last.text)
    if (text === last.text) break
    runs.pop()
    if (text !== '') runs.push({ ...last, text })
  }
  return runs
}

/** Without the white space that collapses; a no-break space stays. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\n')) end -= 1
  return text.slice(0, end)
}
