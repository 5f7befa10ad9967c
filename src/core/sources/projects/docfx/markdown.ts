/** The Markdown of DocFX: tabs, quotes with a kind, `:::` blocks, and code of other files. */
import { because } from '../../../languages/reasons.ts'
import { needItem, needLast } from '../../../data/lists.ts'
import { printTitle } from '../../../document/print.ts'
import { hintStyle } from '../../html/callouts.ts'
import { detailsLines } from '../../markdown/admonitions.ts'
import {
  bracketedAddress,
  dialectLines,
  type DialectLine,
  doubleDollars,
  mapOutsideCode,
} from '../../markdown/dialect.ts'
import { fencesIn, printFences } from '../../markdown/fences.ts'
import type { NotUnderstood } from '../../markdown/not-understood.ts'
import type { IncludedFiles } from '../../markdown/snippets.ts'
import { docFxInline, type DocFxLinks } from './inline.ts'
import { partOfSnippet, snippetLanguage, snippetLinesOf, type ShownCode } from './snippets.ts'

/** What the text of a page refers to. */
export interface DocFxPage {
  links: DocFxLinks
  files: IncludedFiles
  /** The kinds of alerts that the settings define, in upper case. */
  alerts: ReadonlySet<string>
  unknown: NotUnderstood
}

/** A line with its number in the file. */
interface NumberedLine extends DialectLine {
  line: number
}

/** The most blocks in one another; deeper ones lose their marks. */
const DEEPEST_BLOCK = 16
/** The most characters of code that one page takes from files. */
const MOST_CODE = 1_000_000

/**
 * The lines of a page as Lectern writes them. Takes linear time.
 * @param first the line of the file at which the text begins, from 1
 */
export function docFxLines(source: string, page: DocFxPage, first: number): DialectLine[] {
  const numbered = dialectLines(source).map((one, at) => ({ ...one, line: first + at }))
  const written = new DocFxBlocks(page).convert(tabbedLines(quotedLines(numbered, page)))
  return printFences(fencesIn(dialectLines(written.join('\n'))))
}

const TAB = /^ {0,3}#{1,6}[ \t]{1,9}\[(.{1,300})\]\(#tab\/([^()\s]{1,200})\)[ \t#]{0,20}$/
const RULE = /^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$/

/** Headings whose link is `#tab/id` begin tabs, and a rule ends the last of them. */
function tabbedLines(lines: readonly NumberedLine[]): NumberedLine[] {
  const output: NumberedLine[] = []
  let isOpen = false
  for (const one of lines) {
    const add = (text: string) => output.push({ text, isCode: false, line: one.line })
    const [, title, id = ''] = (!one.isCode && TAB.exec(one.text)) || []
    if (title !== undefined) {
      add(isOpen ? '{% endtab %}' : '{% tabs %}')
      isOpen = true
      add(`{% tab title="${tabTitle(title, id)}" %}`)
    } else if (isOpen && !one.isCode && RULE.test(one.text)) {
      add('{% endtab %}')
      add('{% endtabs %}')
      isOpen = false
    } else output.push(one)
  }
  const line = lines.at(-1)?.line ?? 1
  if (isOpen) for (const text of ['{% endtab %}', '{% endtabs %}']) output.push({ text, isCode: false, line })
  return output
}

/** A tab that depends on another names it behind its own id: `#tab/bash/linux`. */
function tabTitle(title: string, id: string): string {
  const [, condition] = id.split('/')
  const plain = title.replace(/[\\"*`]/g, '')
  return condition === undefined ? plain : `${plain} (${condition.replace(/["\\]/g, '')})`
}

const QUOTE = /^([ \t]{0,40})>[ \t]?(.*)$/

/** Quotes whose first line is a kind, such as `[!div class="nextstepaction"]` or `[!VIDEO …]`. */
function quotedLines(lines: readonly NumberedLine[], page: DocFxPage): NumberedLine[] {
  const output: NumberedLine[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const one = needItem(lines, at)
    const [, indent = '', rest = ''] = (!one.isCode && QUOTE.exec(one.text)) || []
    const [, kind, parameter = ''] =
      /^\[!([A-Za-z]{1,40})\b[ \t]{0,9}([^\]]{0,1000})\][ \t]{0,20}$/.exec(rest) ?? []
    if (kind === undefined || /^(?:note|tip|important|warning|caution|include)$/i.test(kind)) {
      output.push(one)
      continue
    }
    const inside: NumberedLine[] = []
    for (let next = lines[at + 1]; next && next.text.trimStart().startsWith('>'); next = lines[at + 1]) {
      inside.push({ ...next, text: indent + next.text.trimStart().replace(/^>[ \t]?/, '') })
      at += 1
    }
    for (const text of quoteAround(kind, parameter, inside, one.line, page)) output.push(text)
  }
  return output
}

function quoteAround(
  kind: string,
  parameter: string,
  inside: NumberedLine[],
  line: number,
  { alerts, unknown }: DocFxPage,
): NumberedLine[] {
  const indent = /^ */.exec(inside[0]?.text ?? '')?.[0] ?? ''
  const own = (text: string): NumberedLine => ({ text: indent + text, isCode: false, line })
  if (/^video$/i.test(kind))
    return [own(`{% embed url="${parameter.trim().replace(/["\s]/g, '')}" %}`), ...inside]
  if (/^div$/i.test(kind)) return [...inside, own('')]
  const style = hintStyle(kind)
  if (style === undefined && !alerts.has(kind.toUpperCase()))
    unknown.add(because('unknown-alert', { name: kind }), line)
  const title = style === undefined ? [own(`**${printTitle(kind)}**`), own('')] : []
  return [own(`{% hint style="${style ?? 'info'}" %}`), ...title, ...inside, own('{% endhint %}')]
}

const BLOCK = /^([ \t>]{0,40}):::[ \t]{0,9}([a-z-]{1,40})(?:[ \t]{1,9}([^]{0,3000}?))?(?::::)?[ \t]{0,20}$/
const ATTRIBUTE = /([\w-]{1,40})[ \t]{0,9}=[ \t]{0,9}"([^"]{0,2000})"/g
const CODE =
  /^([ \t>]{0,40})\[!code(?:-([\w+#.-]{0,40}))?\s{0,9}\[([^[\]]{0,300})\]\s{0,9}\(([^()]{1,1000})\)\s{0,9}\][ \t]{0,20}$/i
const INCLUDE =
  /^([ \t]{0,40})\[!include\s{0,9}\[[^[\]]{0,300}\]\s{0,9}\(([^()\s]{1,1000})\)\s{0,9}\][ \t]{0,20}$/i

/** What opens and closes the blocks that hold others. Of the others, only what is in them stays. */
const CONTAINERS: ReadonlyMap<string, [start: string, end: string]> = new Map([
  ['row', ['{% columns %}', '{% endcolumns %}']],
  ['column', ['{% column %}', '{% endcolumn %}']],
])

/** Containers whose condition is not kept. */
const CONDITIONAL = new Set(['zone', 'moniker'])

/** Converts the blocks of one page. */
class DocFxBlocks {
  private characters = MOST_CODE
  private readonly open: string[] = []
  private readonly output: string[] = []
  private readonly page: DocFxPage

  constructor(page: DocFxPage) {
    this.page = page
  }

  convert(lines: readonly NumberedLine[]): string[] {
    for (const one of lines) {
      if (one.isCode) this.output.push(one.text)
      else if (!this.block(one) && !this.code(one) && !this.include(one)) this.text(one)
    }
    while (this.open.length > 0) this.close(needLast(this.open), '')
    return this.output
  }

  private text({ text, line }: NumberedLine): void {
    const { links, unknown } = this.page
    this.output.push(mapOutsideCode(docFxInline(text, links, line, unknown), doubleDollars))
  }

  private include({ text }: NumberedLine): boolean {
    const [, indent = '', address] = INCLUDE.exec(text) ?? []
    const path = address === undefined ? undefined : this.page.files.find(address.replace(/^~[\\/]/, '/'))
    if (path === undefined) return false
    this.output.push(`${indent}{% include "${this.page.files.address(path)}" %}`)
    return true
  }

  private code({ text, line }: NumberedLine): boolean {
    const [, indent = '', language = '', title = '', written] = CODE.exec(text) ?? []
    if (written === undefined) return false
    const { path, part } = partOfSnippet(written.trim().replace(/\s{1,9}".{0,300}"$/, ''))
    this.snippet({ indent, language, title, path, part, line })
    return true
  }

  private block({ text, line }: NumberedLine): boolean {
    const [, indent = '', name, rest = ''] = BLOCK.exec(text) ?? []
    if (name === undefined) return false
    if (name.endsWith('-end')) {
      this.close(name.slice(0, -4), indent)
      return true
    }
    const given = new Map([...rest.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value]))
    if (name === 'image') this.image(given, indent)
    else if (name === 'code') {
      const path = given.get('source') ?? ''
      const part = { name: given.get('id'), range: given.get('range') }
      this.snippet({ indent, language: given.get('language') ?? '', title: '', path, part, line })
    } else if (name === 'video') this.output.push(`${indent}{% embed url="${given.get('source') ?? ''}" %}`)
    else this.container(name, given, indent, line)
    return true
  }

  private image(given: ReadonlyMap<string, string>, indent: string): void {
    const source = given.get('source') ?? ''
    const alt = printTitle(given.get('alt-text') ?? '')
    const { links, unknown } = this.page
    if (source !== '')
      this.output.push(indent + docFxInline(`![${alt}](${bracketedAddress(source)})`, links, 1, unknown))
    // The long description of a complex picture is what is in its block.
    if (given.get('type') === 'complex') {
      const { start, end } = detailsLines(given.get('alt-text') ?? 'Details')
      for (const one of ['', ...start]) this.output.push(indent + one)
      this.open.push(`image${end.map((one) => `\n${indent}${one}`).join('')}`)
    }
  }

  private container(name: string, given: ReadonlyMap<string, string>, indent: string, line: number): void {
    if (this.open.length >= DEEPEST_BLOCK) return
    const lines = CONTAINERS.get(name)
    if (lines) this.output.push(indent + lines[0])
    else if (CONDITIONAL.has(name)) {
      const condition = [...given].map(([key, value]) => `${key}="${value}"`).join(' ')
      this.page.unknown.add(because('unknown-text', { text: `:::${name} ${condition}:::` }), line)
    } else this.page.unknown.add(because('unknown-block', { name: `:::${name}` }), line)
    this.open.push(name)
  }

  private close(name: string, indent: string): void {
    const place = this.open.findLastIndex((one) => one === name || one.startsWith(`${name}\n`))
    if (place === -1) return
    for (const one of this.open.splice(place).toReversed()) {
      const [kind = '', ...end] = one.split('\n')
      const lines = CONTAINERS.get(kind)
      if (lines) this.output.push(indent + lines[1])
      for (const text of end) this.output.push(text)
    }
  }

  private snippet(snippet: {
    indent: string
    language: string
    title: string
    path: string
    part: ShownCode
    line: number
  }): void {
    const { indent, language, title, path, part, line } = snippet
    const { files, unknown } = this.page
    const found = files.find(path.replace(/^~[\\/]/, '/'))
    const whole = found === undefined ? undefined : files.text(found)
    const lines = whole === undefined ? undefined : snippetLinesOf(whole, part)
    const length = lines?.reduce((sum, one) => sum + one.length + 1, 0) ?? 0
    if (!lines || length > this.characters) {
      unknown.add(because('unknown-code', { name: path }), line)
      this.output.push(`${indent}\`${(title || path).replaceAll('`', '')}\``)
      return
    }
    this.characters -= length
    const sign = lines.some((one) => one.includes('```')) ? '~~~~~~' : '```'
    const name = /^(?:main|name|code|snippet)?$/i.test(title) ? '' : ` title="${title.replace(/[\\"]/g, '')}"`
    for (const one of [`${sign}${snippetLanguage(language, path)}${name}`, ...lines, sign])
      this.output.push(indent + one)
  }
}
