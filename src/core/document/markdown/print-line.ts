import { line as joinRuns, sameMark, sameMarks } from '../build.ts'
import type { Line, Run } from '../build.ts'
import { emojiCharacters } from '../emoji.ts'
import type { Block, Inline, InlineOf, InlineType, Mark } from '../model.ts'
import { printAddress } from './addresses.ts'
import { attribute, emojiBetween, escapeHtml, escapeText, escapeTitle, escapeUrl, firstOfText } from './escape.ts'

/** Where a line stands: in Markdown, in a pipe table's cell, in HTML, or in `<pre>`. */
export type Place = 'markdown' | 'cell' | 'html' | 'pre'

/** What printing one document gathers: the bodies of its annotations, printed as footnotes after its blocks. */
export interface Printing {
  footnotes: { label: string; blocks: Block[] }[]
  /** The label of the next footnote, from how many there are. */
  label(count: number): string
}

/** Prints a line without what its place does at its ends. */
export function printRuns(nodes: Line, place: Place, printing: Printing): string {
  const runs = nodes.flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node]))
  return print(merged(runs), [], { place, printing, before: '', after: '' })
}

interface Around {
  place: Place
  printing: Printing
  /** The characters beside what is printed, as the parser will see them; '' at an end of the line. */
  before: string
  after: string
}

function merged(runs: Run[]): Run[] {
  return joinRuns(runs)
    .flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node]))
    .filter((run) => !('marks' in run) || run.text !== '')
}

/** Prints runs within marks that are already open: the longest shared mark first, so that marks nest. */
function print(runs: Run[], open: Mark[], around: Around): string {
  let output = ''
  for (let index = 0; index < runs.length;) {
    const run = runs[index] as Run
    const [mark, length] = longestMark(runs, index, open)
    const end = index + length
    const beside = {
      ...around,
      before: output.at(-1) ?? around.before,
      after: firstChar(runs[end], open) ?? around.after,
    }
    if (mark) output += wrap(mark, runs.slice(index, end), [...open, mark], beside)
    else
      output +=
        'marks' in run
          ? printText(run.text, beside)
          : printInline(run, open, runs[index - 1], runs[end], beside)
    index = end
  }
  return output
}

const ORDER: Mark['type'][] = [
  'color',
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
]

function longestMark(runs: Run[], from: number, open: Mark[]): [Mark | undefined, number] {
  const run = runs[from]
  const marks = run ? marksOf(run).filter((mark) => !open.some((other) => sameMark(mark, other))) : []
  let longest: [Mark | undefined, number] = [undefined, 1]
  for (const mark of marks.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))) {
    const reach = mark.type === 'code' ? 1 : reachOf(mark, runs, from)
    if (!longest[0] || reach > longest[1]) longest = [mark, reach]
  }
  return longest
}

/** How many runs share a mark. What carries no marks goes along if the mark goes on behind it. */
function reachOf(mark: Mark, runs: Run[], from: number): number {
  let reach = 1
  for (let index = from + 1; index < runs.length; index += 1) {
    const run = runs[index] as Run
    if (marksOf(run).some((other) => sameMark(other, mark))) reach = index + 1 - from
    else if ('marks' in run || !isBare(run)) break
  }
  return reach
}

/** True for an inline that has no text of its own to carry a mark. */
function isBare(run: Inline): boolean {
  return run.type !== 'inline-html' && leavesOf(run).length === 0
}

/** The marks of a run; those of a link are what all its text has. */
function marksOf(run: Run): Mark[] {
  if ('marks' in run) return run.marks
  const [first, ...others] = leavesOf(run)
  return (first?.marks ?? []).filter(
    (mark) =>
      mark.type !== 'code' && others.every((leaf) => leaf.marks.some((other) => sameMark(other, mark))),
  )
}

function leavesOf(run: Inline): { text: string; marks: Mark[] }[] {
  return (run.nodes ?? [])
    .flatMap((node) => (node.object === 'text' ? node.leaves : leavesOf(node)))
    .filter((leaf) => leaf.text !== '')
}

const SIGNS: Partial<Record<Mark['type'], string>> = { bold: '**', italic: '_', strikethrough: '~~' }
const ELEMENTS: Record<Exclude<Mark['type'], 'color'>, string> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
}

function wrap(mark: Mark, runs: Run[], open: Mark[], around: Around): string {
  const markdown = around.place === 'markdown' || around.place === 'cell'
  const [run] = runs
  if (mark.type === 'code' && markdown && run && 'marks' in run && isCodeSpan(run.text))
    return codeSpan(run.text)

  const inner = print(runs, open, { ...around, before: '>', after: '<' })
  const sign = markdown ? SIGNS[mark.type] : undefined
  if (sign !== undefined && flanks(sign, inner, around)) return `${sign}${inner}${sign}`
  if (mark.type !== 'color') return `<${ELEMENTS[mark.type]}>${inner}</${ELEMENTS[mark.type]}>`

  const { text, background } = mark.data
  const style = [text && `color:${text};`, background && `background-color:${background};`]
    .filter(Boolean)
    .join('')
  return style === '' ? inner : `<mark${attribute('style', style)}>${inner}</mark>`
}

/**
 * True if the signs open and close here, by the rules for flanking (CommonMark 6.2), where they depend on what a
 * parser takes for punctuation to the safe side.
 */
function flanks(sign: string, inner: string, { before, after }: Around): boolean {
  const [first, last] = [inner[0] ?? ' ', inner.at(-1) ?? ' ']
  const signed = /[\p{P}\p{S}\p{Cn}\p{Co}\p{Cs}]/u
  const free = (char: string) => char === '' || /[ \n!-/:-@[-`{-~]/.test(char)
  if (/\s/u.test(first) || /\s/u.test(last)) return false
  if (signed.test(first) && !free(before)) return false
  if (signed.test(last) && !free(after)) return false
  if (before === sign[0] || after === sign[0] || first === sign[0] || last === sign[0]) return false
  return sign !== '_' || (free(before) && free(after))
}

/** Text that a code span between backquotes can hold as it is. */
function isCodeSpan(text: string): boolean {
  return text !== '' && !/[\r\n|]|^\s|\s$/u.test(text)
}

function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? []
  let fence = '`'
  while (runs.includes(fence)) fence += '`'
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

function printText(text: string, { place, after }: Around): string {
  if (place === 'pre') return escapeHtml(text).replaceAll('&#xA;', '\n')
  if (place === 'html') return text.split('\n').map(escapeHtml).join('<br>')

  const parts = text.split('\n').map((part, index, all) => escapeText(part, index + 1 < all.length ? '<' : after))
  if (place === 'cell') return parts.join('<br>').replaceAll('|', '\\|')
  return parts.reduce((done, part, index) => {
    // A backslash breaks a line only between text; at the edges of anything it would be a backslash.
    const between = parts[index - 1] !== '' && part !== ''
    return `${done}${between ? '\n' : '<br>'}${part}`
  })
}

/** The first character of what follows, as Markdown text shows it; a sign stands for all that is printed with signs. */
function firstChar(run: Run | undefined, open: Mark[]): string | undefined {
  if (!run) return undefined
  if ('marks' in run) return isWithin(run.marks, open) ? firstOfText(run.text) : '<'
  if (run.type !== 'annotation') return FIRST[run.type] ?? '<'
  const [leaf] = leavesOf(run)
  return leaf && isWithin(leaf.marks, open) ? firstOfText(leaf.text) : '<'
}

const FIRST: Partial<Record<InlineType, string>> = { emoji: ':', link: '[', mention: '[', 'inline-math': '$' }

function isWithin(marks: Mark[], open: Mark[]): boolean {
  return marks.every((mark) => open.some((other) => sameMark(mark, other)))
}

type PrintInline<T extends InlineType> = (inline: InlineOf<T>, around: InlineAround) => string

interface InlineAround extends Around {
  open: Mark[]
  previous?: Run
  next?: Run
  html: boolean
}

function printInline(
  run: Inline,
  open: Mark[],
  previous: Run | undefined,
  next: Run | undefined,
  around: Around,
): string {
  const printIt = INLINES[run.type] as (inline: Inline, around: InlineAround) => string
  const html = around.place === 'html' || around.place === 'pre'
  return printIt(run, { ...around, open, previous, next, html })
}

const INLINES: { [T in InlineType]: PrintInline<T> } = {
  link({ data, nodes }, around) {
    const inner = printNodes(nodes, around)
    const url = printAddress(data.ref)
    return around.html ? `<a${attribute('href', url)}>${inner}</a>` : `[${inner}](${target(url, around)})`
  },
  mention({ data }, around) {
    const url = printAddress(data.ref)
    const label = url.split('/').findLast((part) => part !== '') ?? url
    if (around.html || /[\r\n]/.test(label))
      return `<a data-mention${attribute('href', url)}>${plain(label, around)}</a>`
    return `[${plain(label, around)}](${target(url, around)} "mention")`
  },
  emoji({ data }, around) {
    const [before, after] = [lastOf(around.previous), firstOf(around.next)]
    const name = around.place === 'pre' ? '' : emojiBetween(data.code, before, after)
    if (name !== '') return name
    return `<span data-gb-custom-inline data-tag="emoji"${attribute('data-code', data.code)}>${emojiCharacters(data.code)}</span>`
  },
  icon({ data }) {
    const style = data.color === undefined ? undefined : `color:${data.color};`
    return `<i${attribute('class', `fa-${data.icon}`)}${attribute('style', style)}>:${escapeHtml(data.icon)}:</i>`
  },
  'inline-image': printImage,
  'inline-math'({ data }, around) {
    const formula = data.formula.replace(/\s*[\r\n]\s*/g, ' ')
    const bare = /^[^\s$|](?:[^$|]*[^\s$|\\])?$/u.test(formula) && formula !== '\\' && !/[^ \S]/u.test(formula)
    const apart = around.before !== '$' && around.after !== '$'
    return bare && apart && !around.html
      ? `$$${formula}$$`
      : `<span class="math">${plain(formula, around)}</span>`
  },
  expression: ({ data }, around) => `<code class="expression">${plain(data.expression, around)}</code>`,
  annotation: printAnnotation,
  button({ data }, around) {
    const { ref, action } = data
    const query = action && 'query' in action ? action.query : undefined
    const attributes = [
      attribute('class', `button ${data.kind}`),
      attribute('data-icon', data.icon),
      attribute('data-action', action?.action),
      attribute('data-query', query),
      attribute('data-slug', action?.action === 'select' ? action.slug : undefined),
    ].join('')
    const label = plain(data.label, around)
    if (action && !ref) return `<button type="button"${attributes}>${label}</button>`
    return `<a${attribute('href', ref && printAddress(ref))}${attributes}>${label}</a>`
  },
  'inline-html': ({ data }, { place }) =>
    place === 'markdown' ? data.html : data.html.replace(/\s*[\r\n]\s*/g, ' '),
}

function printNodes(nodes: Line, around: InlineAround): string {
  const runs = merged(nodes.flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node])))
  return print(runs, around.open, { ...around, before: '[', after: ']' })
}

/** Text in an inline that is no text of the line: on one line. */
function plain(text: string, { html }: InlineAround): string {
  const flat = text.replace(/\s*[\r\n]\s*/g, ' ')
  return html ? escapeHtml(flat) : escapeText(flat, '<').replaceAll('|', '\\|')
}

function target(url: string, { place }: Around): string {
  const escaped = escapeUrl(url)
  return place === 'cell' ? escaped.replaceAll('|', '\\|') : escaped
}

function printImage({ data }: InlineOf<'inline-image'>, around: InlineAround): string {
  const { alt = '', caption = '' } = data
  const url = printAddress(data.ref)
  const simple =
    data.size === undefined && data.refDark === undefined && !/[\r\n]|^\s|\s$/u.test(`${alt}${caption}`)
  if (simple && !around.html && !/[\r\n]|^\s|\s$/u.test(alt) && !/^\s|\s$/u.test(caption)) {
    const title = caption === '' ? '' : ` ${escapeTitle(caption)}`
    const cell = around.place === 'cell' ? title.replaceAll('|', '\\|') : title
    return `![${plain(alt, around)}](${target(url, around)}${cell})`
  }
  const titled = attribute('title', caption === '' ? undefined : caption)
  const image = `<img${attribute('src', url)}${attribute('alt', alt)}${titled}${attribute('data-size', data.size)}>`
  if (!data.refDark) return image
  const dark = attribute('srcset', printAddress(data.refDark))
  return `<picture><source${dark} media="(prefers-color-scheme: dark)">${image}</picture>`
}

/** A word annotates itself by the sign behind it; other text is marked as an element. */
function printAnnotation({ nodes, fragments }: InlineOf<'annotation'>, around: InlineAround): string {
  const { printing, previous } = around
  const label = printing.label(printing.footnotes.length)
  const blocks = fragments?.find((fragment) => fragment.type === 'annotation-body')?.nodes ?? []
  printing.footnotes.push({ label, blocks })

  const inner = printNodes(nodes, around)
  const runs = merged(nodes.flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node])))
  const [word, ...others] = runs
  const alone = !previous || !('marks' in previous) || /\s$/.test(previous.text)
  const apart =
    alone || (word && 'marks' in word && 'marks' in previous && !sameMarks(previous.marks, word.marks))
  const single =
    word === undefined ? alone : others.length === 0 && 'marks' in word && /^\S+$/.test(word.text) && apart
  if (single && !around.html && around.after !== ':') return `${inner}[^${label}]`
  return `<a data-footnote-ref href="#user-content-fn-${label}">${inner}</a>`
}

function lastOf(run: Run | undefined): string {
  return run && 'marks' in run ? (run.text.at(-1) ?? '') : ''
}

function firstOf(run: Run | undefined): string {
  if (!run) return ''
  if ('marks' in run) return run.text[0] ?? ''
  return run.type === 'annotation' ? (leavesOf(run)[0]?.text[0] ?? '') : ''
}
