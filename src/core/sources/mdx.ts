/** Components of MDX that Docusaurus has: tabs, admonitions and partials. Others stay as they are written. */
import { needLast } from '../data/lists.ts'
import { blockOf } from './admonitions.ts'
import type { DialectLine } from './dialect.ts'
import type { IncludedFiles } from './snippets.ts'

/** A component that is open, with the lines in it. */
interface OpenComponent {
  name: string
  start: string[]
  end: string[]
  lines: DialectLine[]
  /** The titles of tabs by their values. */
  labels: ReadonlyMap<string, string>
}

const COMPONENT = /^<(\/?)(Tabs|TabItem|Admonition)(?=[\s>/]|$)/
/** Lines of an opening tag. */
const LONGEST_TAG = 20
/** Components in one line; what follows them stays as it is written. */
const MOST_IN_LINE = 100
/** Components in one another; deeper ones stay as they are written. */
const DEEPEST = 8

/** Turns the components of a page into blocks of Lectern, and removes what only programs need. */
export function mdxBlocks(source: readonly DialectLine[], files: IncludedFiles): DialectLine[] {
  const { lines, imports } = withoutModules(source)
  const root: OpenComponent = { name: '', start: [], end: [], lines: [], labels: new Map() }
  const open = [root]
  const close = () => {
    const { start, end, lines: inside } = needLast(open)
    open.pop()
    const parent = needLast(open).lines
    for (const text of start) parent.push({ text, isCode: false })
    for (const line of dedented(inside)) parent.push(line)
    for (const text of end) parent.push({ text, isCode: false })
  }
  let rest: DialectLine | undefined
  let inLine = 0
  for (let at = -1; rest !== undefined || at < lines.length - 1;) {
    inLine = rest === undefined ? 0 : inLine + 1
    if (rest === undefined) at += 1
    const line: DialectLine = rest ?? lines[at]!
    rest = undefined
    const text = line.text.trim()
    const isPlain = line.isCode || inLine > MOST_IN_LINE
    const match = isPlain ? null : COMPONENT.exec(text)
    if (!match) {
      const end = isPlain || open.length === 1 ? -1 : line.text.indexOf(`</${needLast(open).name}>`)
      const own = end === -1 ? line : plainLine(line.text.slice(0, end))
      if (end !== -1) rest = plainLine(line.text.slice(end))
      if (end === -1 || own.text.trim() !== '') needLast(open).lines.push(withPartial(own, imports, files))
      continue
    }
    const [, slash, name = ''] = match
    if (slash === '/') {
      if (open.some((one) => one.name === name)) while (needLast(open).name !== name) close()
      if (needLast(open).name === name) close()
      rest = restOf(text.slice(text.indexOf('>') + 1 || text.length))
      continue
    }
    const tag = open.length > DEEPEST ? undefined : openingTag(text, lines, at)
    if (tag === undefined) {
      needLast(open).lines.push(line)
      continue
    }
    at = tag.last
    open.push(componentOf(name, tag.attributes, open))
    if (tag.attributes.endsWith('/')) close()
    rest = restOf(tag.rest)
  }
  while (open.length > 1) close()
  return root.lines
}

const plainLine = (text: string): DialectLine => ({ text, isCode: false })
const restOf = (text: string) => (text.trim() === '' ? undefined : plainLine(text))

/** A line that is only a component from another file is the content of that file. */
function withPartial(
  line: DialectLine,
  imports: ReadonlyMap<string, string>,
  files: IncludedFiles,
): DialectLine {
  const name = line.isCode ? undefined : /^<([A-Z]\w{0,60})[^<>]{0,300}\/>$/.exec(line.text.trim())?.[1]
  const path = name === undefined ? undefined : imports.get(name)
  const found = path === undefined ? undefined : files.find(path)
  return found === undefined ? line : plainLine(`{% include "${files.address(found)}" %}`)
}

/** The attributes of an opening tag and the text after it; undefined if the tag does not end. */
function openingTag(first: string, lines: readonly DialectLine[], at: number) {
  let depth = 0
  let quote = ''
  let written = ''
  for (let last = at; last < Math.min(lines.length, at + LONGEST_TAG); last += 1) {
    const line = lines[last]
    if (last > at && line?.isCode) break
    const text = last === at ? first : (line?.text ?? '')
    for (let sign = 0; sign < text.length; sign += 1) {
      const character = text.charAt(sign)
      if (quote !== '') {
        if (character === quote) quote = ''
      } else if (character === '"' || character === "'" || character === '`') quote = character
      else if (character === '{') depth += 1
      else if (character === '}') depth -= 1
      else if (character === '>' && depth <= 0)
        return { attributes: written + text.slice(0, sign), last, rest: text.slice(sign + 1) }
    }
    written += `${text}\n`
  }
  return undefined
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(
    `\\s${name}=(?:"([^"]{0,300})"|'([^']{0,300})'|\\{\\s{0,9}["'\`]([^"'\`]{0,300})["'\`]\\s{0,9}\\})`,
  ).exec(attributes)
  return match?.slice(1).find((one) => one !== undefined)
}

function componentOf(name: string, attributes: string, open: readonly OpenComponent[]): OpenComponent {
  const lines: DialectLine[] = []
  if (name === 'Tabs')
    return { name, start: ['{% tabs %}'], end: ['{% endtabs %}'], lines, labels: labelsIn(attributes) }
  if (name === 'TabItem') {
    const value = attribute(attributes, 'value')
    const labels = open.findLast((one) => one.name === 'Tabs')?.labels
    const title = attribute(attributes, 'label') ?? labels?.get(value ?? '') ?? value ?? 'Tab'
    const start = [`{% tab title="${title.replace(/[\\"]/g, '')}" %}`]
    return { name, start, end: ['{% endtab %}'], lines, labels: new Map() }
  }
  const block = blockOf(attribute(attributes, 'type') ?? 'note', attribute(attributes, 'title') ?? '')
  return { name, start: block?.start ?? [], end: block?.end ?? [], lines, labels: new Map() }
}

/** `values={[{label: 'Linux', value: 'linux'}]}` on `<Tabs>`. */
function labelsIn(attributes: string): Map<string, string> {
  const labels = new Map<string, string>()
  for (const [item] of attributes.matchAll(/\{[^{}]{1,500}\}/g)) {
    const field = (name: string) =>
      new RegExp(`\\b${name}:\\s{0,9}(?:"([^"]{0,300})"|'([^']{0,300})')`).exec(item)?.slice(1).find(Boolean)
    const [label, value] = [field('label'), field('value')]
    if (label !== undefined && value !== undefined) labels.set(value, label)
  }
  return labels
}

/** The content of a component without the indentation that all of its lines have. */
function dedented(lines: readonly DialectLine[]): DialectLine[] {
  const indents = lines.flatMap(({ text }) =>
    text.trim() === '' ? [] : [text.length - text.trimStart().length],
  )
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity)
  if (least === 0 || least === Infinity) return [...lines]
  return lines.map(({ text, isCode }) => ({ text: text.slice(least), isCode }))
}

/** A page without its `import` and `export`, which end at an empty line, and without comments of JSX. */
function withoutModules(lines: readonly DialectLine[]) {
  const imports = new Map<string, string>()
  const kept: DialectLine[] = []
  let inModule = false
  for (const line of lines) {
    const { text, isCode } = line
    if (isCode || text.trim() === '') inModule = false
    else if ((kept.at(-1)?.text ?? '').trim() === '') {
      if (/^(?:import|export)\s.{0,500}(?:from\s|=|\{|\bfunction\b|['"])/.test(text)) inModule = true
    }
    if (inModule) {
      const [, name, path] =
        /^import\s{1,9}([A-Z]\w{0,60})\s{1,9}from\s{1,9}['"]([^'"]{1,500}\.mdx?)['"]/.exec(text) ?? []
      if (name !== undefined && path !== undefined) imports.set(name, path)
      continue
    }
    const isComment = !isCode && /^\{\/\*.{0,2000}\*\/\}$/.test(text.trim())
    if (!isComment) kept.push(line)
  }
  return { lines: kept, imports }
}
