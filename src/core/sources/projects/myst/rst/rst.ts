/** Pages of reStructuredText, rewritten as MyST: its blocks by their indentation, its directives and its roles. */
import { needItem } from '../../../../data/lists.ts'
import { footnoteName, rstInline, type RstNames } from './inline.ts'
import {
  endOfIndentedRst,
  endOfRstParagraph,
  endOfSimpleTable,
  fencedRst,
  longestFence,
  isBlankRst,
  leastRstIndent,
  outdentedRst,
  prefixedRst,
  rstIndent,
  type RstLine,
} from './lines.ts'
import { RST_TARGET, rstNamesIn } from './names.ts'
import { gridTable, type RstTable, simpleTable } from './tables.ts'

/** A page as MyST, with the line of its source for each of its lines. */
export interface RewrittenRst {
  lines: string[]
  sources: number[]
}

/** The most blocks in one another; deeper ones are code. */
const DEEPEST_BLOCK = 12

/** The directives whose content is no text of the page. */
const LITERAL =
  /^(?:code|code-block|sourcecode|code-cell|parsed-literal|literalinclude|math|raw|csv-table|toctree|mermaid|graphviz|digraph|uml|plantuml|prompt|highlight|doctest|testcode|testsetup|testoutput|ipython|jupyter-execute|productionlist|meta|index)$/
/** The directives whose argument is the beginning of their text. */
const TEXTS =
  /^(?:note|tip|hint|important|warning|caution|attention|danger|error|seealso|todo|epigraph|pull-quote|highlights|compound)$/
/** The directives whose argument is an address, code or the name of a language. */
const WRITTEN =
  /^(?:image|figure|include|youtube|vimeo|iframe|video|only|ifconfig|module|currentmodule)$|:|^auto|^(?:function|class|method|attribute|data|exception|option|envvar|confval|describe)$/

const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/
const EXPLICIT = /^\.\.(?:[ \t]+|$)/
const DIRECTIVE = /^\.\.[ \t]+(?:\|[^|]{1,100}\|[ \t]+)?([A-Za-z][\w.+:-]{0,60}?)[ \t]?::(?:[ \t]+(.*))?$/
const FOOTNOTE = /^\.\.[ \t]+\[(#?[\w.-]{0,60}|\*)\](?:[ \t]+(.*))?$/
const FIELD = /^:(?![\s:])((?:[^:\\]|\\.|:(?=\S)){1,100}):(?:[ \t]+(.*))?$/
const BULLET = /^([*+\-•‣⁃][ \t]+)(?=\S)/
const NUMBERED = /^(\(?(?:\d{1,9}|#|[A-Za-z]|[ivxlcdm]{1,9})[.)][ \t]+)(?=\S)/

/**
 * Rewrites a page in time proportional to its length and to the depth of its blocks, which is bounded.
 * @param more definitions for all pages, such as `rst_epilog` of the settings
 */
export function mystOfRst(text: string, more = ''): RewrittenRst {
  const lines = text
    .split('\n')
    .map((one, at) => ({ text: one.replaceAll('\t', '        ').trimEnd(), line: at + 1 }))
  const output = new RstWriter(
    rstNamesIn([...lines, ...more.split('\n').map((one) => ({ text: one, line: 0 }))]),
  ).blocks(lines, 0)
  const start = output.findIndex((one) => one.text !== '')
  const shown = start === -1 ? [] : output.slice(start)
  return { lines: shown.map((one) => one.text), sources: shown.map(({ line }) => line) }
}

const isLabel = (line: RstLine | undefined) => /^\(.{1,300}\)=$/.test(line?.text ?? '')

const isItem = (line: RstLine | undefined) =>
  line !== undefined && (BULLET.test(line.text) || NUMBERED.test(line.text) || FIELD.test(line.text))

/** Writes the blocks of one page. */
class RstWriter {
  private readonly names: RstNames
  /** The adornments of headings, in the order of their levels. */
  private readonly levels: string[] = []
  /** Whether something else than fields has begun the page. */
  private isBegun = false

  constructor(names: RstNames) {
    this.names = names
  }

  /** Writes blocks that begin at the first column. */
  blocks(lines: readonly RstLine[], depth: number): RstLine[] {
    const output: RstLine[] = []
    let wasInList = false
    const add = (added: readonly RstLine[]) => {
      for (const one of added) output.push(one)
    }
    for (let at = 0; at < lines.length;) {
      const line = needItem(lines, at)
      if (line.text === '') {
        // A label belongs to what follows it.
        if (!isLabel(output.at(-1))) output.push(line)
        at += 1
        continue
      }
      if (depth === 0 && !FIELD.test(line.text)) this.isBegun = true
      const block = depth >= DEEPEST_BLOCK ? undefined : this.block(lines, at, depth)
      const { added, end } = block ?? this.paragraph(lines, at, depth)
      const isInList = isItem(line) && isItem(lines[end])
      if (
        !isBlankRst(output.at(-1)) &&
        !isLabel(output.at(-1)) &&
        added.length > 0 &&
        !(wasInList && isItem(line))
      )
        output.push({ text: '', line: line.line })
      add(added)
      if (added.length > 0 && !isLabel(added.at(-1)) && !isInList && !isBlankRst(lines[end]))
        output.push({ text: '', line: line.line })
      wasInList = isInList
      at = end
    }
    return output
  }

  /** The block at a line; undefined if it is a paragraph. */
  private block(
    lines: readonly RstLine[],
    at: number,
    depth: number,
  ): { added: RstLine[]; end: number } | undefined {
    const line = needItem(lines, at)
    const { text } = line
    const heading = depth === 0 ? this.heading(lines, at) : undefined
    if (heading) return heading
    if (ADORNMENT.test(text) && text.length >= 4 && isBlankRst(lines[at + 1]) && isBlankRst(lines[at - 1]))
      return { added: at === 0 ? [] : [{ ...line, text: '---' }], end: at + 1 }
    if (rstIndent(text) > 0) {
      const end = endOfIndentedRst(lines, at, 1)
      const inside = this.blocks(outdentedRst(lines.slice(at, end), rstIndent(text)), depth + 1)
      // Directives are not read in quotes, and most are indented without meaning one.
      const isQuote = !inside.some((one) => /^\s*(?:`{3,}|:{3,})/.test(one.text))
      return { added: isQuote ? prefixedRst(inside, '> ', '> ') : inside, end }
    }
    if (EXPLICIT.test(text)) return this.explicit(lines, at, depth)
    if (/^__ \S/.test(text)) return { added: [], end: at + 1 }
    if (text.startsWith('>>> ')) {
      const end = endOfRstParagraph(lines, at)
      return { added: fencedRst('python', lines.slice(at, end), line.line), end }
    }
    if (/^\+[-=]+[-=+]*\+$/.test(text)) return this.table(lines, at, endOfRstParagraph(lines, at), gridTable)
    if (/^={2,}(?:[ ]+={2,})+$/.test(text))
      return this.table(lines, at, endOfSimpleTable(lines, at), simpleTable)
    if (/^\|(?: |$)/.test(text)) return this.lineBlock(lines, at)
    const field = FIELD.exec(text)
    if (field) return this.field(lines, at, depth, field)
    const item = BULLET.exec(text)?.[1] ?? NUMBERED.exec(text)?.[1]
    if (item !== undefined) return this.item(lines, at, depth, item)
    const next = lines[at + 1]
    if (next && next.text !== '' && rstIndent(next.text) > 0) {
      const end = endOfIndentedRst(lines, at + 1, 1)
      const inside = this.blocks(outdentedRst(lines.slice(at + 1, end), rstIndent(next.text)), depth + 1)
      const term = text.replace(/ : .*$/, '').replace(/::$/, ':')
      return { added: [{ ...line, text: `**${this.inline(term)}**` }, { ...line, text: '' }, ...inside], end }
    }
    return undefined
  }

  private inline(text: string): string {
    return rstInline(text, this.names)
  }

  /** A title with a line of signs under it, and perhaps one over it. The level follows the order of the signs. */
  private heading(lines: readonly RstLine[], at: number): { added: RstLine[]; end: number } | undefined {
    const first = needItem(lines, at).text
    const hasOver = first.length > 1 && ADORNMENT.test(first)
    const title = hasOver ? lines[at + 1] : lines[at]
    const under = lines[at + (hasOver ? 2 : 1)]
    if (!title || !under || title.text === '' || !ADORNMENT.test(under.text)) return undefined
    const written = title.text.trim()
    if (hasOver ? first !== under.text : rstIndent(title.text) > 0) return undefined
    // A short line is one only under a short title.
    if (under.text.length < 4 && under.text.length < written.length) return undefined
    if (ADORNMENT.test(written) && written.length >= 4) return undefined
    const kind = under.text.charAt(0) + (hasOver ? 'over' : '')
    if (!this.levels.includes(kind)) this.levels.push(kind)
    const level = Math.min(this.levels.indexOf(kind) + 1, 6)
    const text = `${'#'.repeat(level)} ${this.inline(written)}`
    return { added: [{ text, line: title.line }], end: at + (hasOver ? 3 : 2) }
  }

  /** A directive, a target, a footnote or a comment: everything that begins with two dots. */
  private explicit(lines: readonly RstLine[], at: number, depth: number): { added: RstLine[]; end: number } {
    const line = needItem(lines, at)
    const end = endOfIndentedRst(lines, at + 1, 1)
    const inside = lines.slice(at + 1, end)
    const [, quoted, plain, address] = RST_TARGET.exec(line.text) ?? []
    const label = quoted ?? plain
    if (label !== undefined) {
      const isPlace = address === undefined && label !== '_'
      return { added: isPlace ? [{ ...line, text: `(${label.replace(/[()\\]/g, '')})=` }] : [], end: at + 1 }
    }
    const [, note, first = ''] = FOOTNOTE.exec(line.text) ?? []
    if (note !== undefined) {
      const whole = [{ ...line, text: first }, ...outdentedRst(inside, leastRstIndent(inside))]
      return { added: prefixedRst(this.blocks(whole, depth + 1), `[^${footnoteName(note)}]: `, '    '), end }
    }
    const [, name, argument = ''] = DIRECTIVE.exec(line.text) ?? []
    const isDefinition = /^\.\.[ \t]+\|/.test(line.text)
    if (name === undefined || isDefinition) return { added: [], end }
    return {
      added: this.directive(name.toLowerCase(), { ...line, text: argument.trim() }, inside, depth),
      end,
    }
  }

  private directive(name: string, argument: RstLine, given: readonly RstLine[], depth: number): RstLine[] {
    const inside = outdentedRst(given, leastRstIndent(given))
    let start = 0
    const isOption = (one: RstLine | undefined) => one !== undefined && /^:[\w-]{1,60}:(?: |$)/.test(one.text)
    const isText = TEXTS.test(name)
    // The argument goes on until the options, or an empty line.
    const more: RstLine[] = []
    const longest = isText ? 0 : inside.length
    while (start < longest && !isBlankRst(inside[start]) && !isOption(inside[start])) {
      more.push(needItem(inside, start))
      start += 1
    }
    const options: RstLine[] = []
    while (isOption(inside[start]) || (options.length > 0 && /^ +\S/.test(inside[start]?.text ?? ''))) {
      const option = needItem(inside, start)
      options.push(isOption(option) ? option : { ...option, text: `: ${option.text.trim()}` })
      start += 1
    }
    while (start < inside.length && isBlankRst(inside[start])) start += 1
    const rest = inside.slice(start)
    const isAlone = argument.text === '' && more.length > 0
    const isLiteral = LITERAL.test(name)
    const { head, body } =
      isLiteral || isText || isAlone
        ? {
            head: isText ? '' : argument.text,
            body: [...(isText && argument.text !== '' ? [argument] : []), ...more, ...rest],
          }
        : {
            head: [argument, ...more]
              .map((one) => one.text.trim())
              .join(' ')
              .trim(),
            body: rest,
          }
    const content = isLiteral
      ? body
      : name === 'glossary'
        ? body.map((one) => ({
            ...one,
            text: ' '.repeat(rstIndent(one.text)) + this.inline(one.text.trim()),
          }))
        : this.blocks(body, depth + 1)
    const sign = isLiteral ? '`' : ':'
    const fence = sign.repeat(longestFence(content, sign) + 1)
    const shown = isLiteral || WRITTEN.test(name) ? head : this.inline(head)
    const parser = name === 'include' && !options.some(({ text }) => /^:(?:code|literal|parser):/.test(text))
    const at = (text: string) => ({ text, line: argument.line })
    return [
      at(`${fence}{${name}} ${shown}`.trimEnd()),
      ...options,
      ...(parser ? [at(':parser: rst')] : []),
      ...(options.length > 0 || parser || isOption(content[0]) ? [at('')] : []),
      ...content,
      at(fence),
    ]
  }

  private item(
    lines: readonly RstLine[],
    at: number,
    depth: number,
    marker: string,
  ): { added: RstLine[]; end: number } {
    const line = needItem(lines, at)
    const end = endOfIndentedRst(lines, at + 1, 1)
    const width = marker.length
    const inside = [
      { ...line, text: line.text.slice(width) },
      ...lines
        .slice(at + 1, end)
        .map((one) => ({ ...one, text: one.text.slice(Math.min(width, rstIndent(one.text))) })),
    ]
    const number = /^\(?(\d{1,9})/.exec(marker)?.[1]
    const written = BULLET.test(line.text) ? '* ' : `${number ?? '1'}. `
    const added = prefixedRst(this.blocks(inside, depth + 1), written, ' '.repeat(written.length))
    // The items of a list are not divided, if the next one follows at once.
    return { added, end }
  }

  /** A field, such as `:Author: Ada`. Those at the top of a page are about the page. */
  private field(
    lines: readonly RstLine[],
    at: number,
    depth: number,
    [, name = '', value = '']: RegExpExecArray,
  ): { added: RstLine[]; end: number } {
    const line = needItem(lines, at)
    const end = endOfIndentedRst(lines, at + 1, 1)
    const isAbout = depth === 0 && !this.isBegun
    if (isAbout && value.trim() === '') return { added: [], end }
    const inside = lines.slice(at + 1, end)
    const body = this.blocks(
      [{ ...line, text: value }, ...outdentedRst(inside, leastRstIndent(inside))],
      depth + 1,
    )
    return { added: prefixedRst(body, `* **${this.inline(name)}:** `, '  '), end }
  }

  private lineBlock(lines: readonly RstLine[], at: number): { added: RstLine[]; end: number } {
    const end = endOfRstParagraph(lines, at)
    const added = lines.slice(at, end).map((line, place) => {
      const text = this.inline(line.text.replace(/^\|? ?/, '').trim())
      return { ...line, text: text === '' ? '\\' : place < end - at - 1 ? `${text}\\` : text }
    })
    return { added, end }
  }

  private table(
    lines: readonly RstLine[],
    at: number,
    end: number,
    read: (lines: readonly string[]) => RstTable | undefined,
  ): { added: RstLine[]; end: number } {
    const { line } = needItem(lines, at)
    const source = lines.slice(at, end)
    const table = read(source.map(({ text }) => text))
    if (!table || table.rows.length === 0)
      return {
        added: [{ text: ':::{grid-table}', line }, ...fencedRst('', source, line), { text: ':::', line }],
        end,
      }
    const columns = table.rows.reduce((most, row) => Math.max(most, row.length), 0)
    const [head = [], ...rows] = table.headers > 0 ? table.rows : [[], ...table.rows]
    const row = (cells: readonly string[]) =>
      `| ${Array.from({ length: columns }, (_, place) => this.inline(cells[place] ?? '').replaceAll('|', String.raw`\|`)).join(' | ')} |`
    const written = [row(head), `|${' --- |'.repeat(columns)}`, ...rows.map(row)]
    return { added: written.map((text) => ({ text, line })), end }
  }

  /** A paragraph. Two colons at its end make the indented lines behind it code. */
  private paragraph(lines: readonly RstLine[], at: number, depth: number): { added: RstLine[]; end: number } {
    const { line } = needItem(lines, at)
    const end = endOfRstParagraph(lines, at)
    const paragraph = lines.slice(at, end)
    const whole = paragraph.map(({ text }) => text.trim()).join('\n')
    const isBeforeCode = whole.endsWith('::')
    const shown = isBeforeCode ? whole.replace(/(?:^|\s)::$|:$/, '') : whole
    const texts = shown === '' ? [] : this.inline(shown).split('\n')
    const added = texts.map((text, place) => ({ text, line: paragraph[place]?.line ?? line }))
    let next = end
    const last = isBeforeCode ? lines.length : end
    while (next < last && isBlankRst(lines[next])) next += 1
    const quoted =
      isBeforeCode &&
      depth < DEEPEST_BLOCK &&
      !isBlankRst(lines[next]) &&
      rstIndent(lines[next]?.text ?? '') > 0
    if (!quoted) return { added, end }
    const codeEnd = endOfIndentedRst(lines, next, 1)
    const code = lines.slice(next, codeEnd)
    return {
      added: [...added, { text: '', line }, ...fencedRst('', outdentedRst(code, leastRstIndent(code)), line)],
      end: codeEnd,
    }
  }
}
