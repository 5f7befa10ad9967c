/** Prints the blocks of a page of MyST as Markdown. */
import { needItem } from '../../../data/lists.ts'
import { doubleDollars, mapOutsideCode } from '../../markdown/dialect.ts'
import { splitHeadingId } from '../../markdown/heading-ids.ts'
import type { NotUnderstood } from '../../markdown/not-understood.ts'
import { type MystDirective, type MystPart, type MystText, readMyst } from './blocks.ts'
import { LABEL_LINE, labelId } from './labels.ts'
import { type MystLinks, mystInline } from './roles.ts'

/** A file that a page includes. */
export interface IncludedText {
  text: string
  path: string
}

/** What a page refers to. */
export interface MystPageContext {
  links: MystLinks
  unknown: NotUnderstood
  /** A file by its address in the page; undefined if it does not exist or is too long. */
  file(address: string): IncludedText | undefined
  /** The lines of the entries of a table of contents in the page. */
  contents(directive: MystDirective): string[]
  /** Whether text between dollar signs is a formula. */
  hasDollars: boolean
}

/** Prints a directive as lines of Markdown. */
export type PrintDirective = (directive: MystDirective, printer: MystPrinter) => string[]

/** Prints directives of a kind that stand behind each other as one block. */
export interface DirectiveGroup {
  names: RegExp
  print(directives: readonly MystDirective[], printer: MystPrinter): string[]
}

/** How each directive is printed. */
export interface DirectiveRules {
  groups: readonly DirectiveGroup[]
  rule(name: string): PrintDirective
}

/** The most blocks in one another; deeper ones stay as they are written. */
const DEEPEST_BLOCK = 16

/** Prints one page. Takes time in proportion to its length and to the depth of its blocks, which is bounded. */
export class MystPrinter {
  readonly context: MystPageContext
  private depth = 0
  private readonly rules: DirectiveRules

  constructor(context: MystPageContext, rules: DirectiveRules) {
    this.context = context
    this.rules = rules
  }

  /** Prints lines of MyST. @param line of the file at which they begin, from 1 */
  print(lines: readonly string[], line: number): string[] {
    if (this.depth >= DEEPEST_BLOCK) return [...lines]
    this.depth += 1
    const output = new PrintedLines()
    const parts = readMyst(lines, line)
    for (let at = 0; at < parts.length; at += 1) {
      const part = needItem(parts, at)
      if (part.kind === 'text') output.text(this.text(part))
      else if (part.kind === 'code') output.text(part.lines)
      else {
        const group = this.rules.groups.find(({ names }) => names.test(part.name))
        const run = group ? directiveRun(parts, at, group) : { directives: [part], end: at }
        output.block(group ? group.print(run.directives, this) : this.rules.rule(part.name)(part, this), part)
        at = run.end
      }
    }
    this.depth -= 1
    return output.lines
  }

  /** The content of a directive. */
  content({ body, bodyLine }: MystDirective): string[] {
    return withoutBlankEnds(this.print(body, bodyLine))
  }

  /** The content of a directive whose argument is the beginning of its content. */
  whole(directive: MystDirective): string[] {
    const { argument, body, line } = directive
    if (argument === '') return this.content(directive)
    return withoutBlankEnds(this.print([argument, ...body], line))
  }

  /** Text within lines. */
  inline(text: string, line: number): string {
    const { links, unknown, hasDollars } = this.context
    const bare = text.includes('{') ? mapOutsideCode(text, withoutAttributes) : text
    const written = mystInline(bare, links, line, unknown)
    return hasDollars ? mapOutsideCode(written, doubleDollars) : written
  }

  private text({ lines, line: first }: MystText): string[] {
    const output: string[] = []
    let labels: string[] = []
    let paragraph: string[] = []
    let isInDefinition = false
    const flush = (end: number) => {
      if (paragraph.length === 0) return
      const from = first + end - paragraph.length
      for (const one of this.inline(paragraph.join('\n'), from).split('\n')) output.push(one)
      paragraph = []
    }
    for (const [at, source] of lines.entries()) {
      const label = LABEL_LINE.exec(source)?.[1] ?? BLOCK_ID.exec(source)?.[1]
      if (/^%|^\+\+\+/.test(source) || label !== undefined || BLOCK_ATTRIBUTES.test(source)) {
        flush(at)
        if (label !== undefined) labels.push(label)
        continue
      }
      if (source.trim() === '') {
        flush(at)
        output.push('')
        continue
      }
      const isDefinition = DEFINITION.test(source)
      if (
        isDefinition &&
        !isInDefinition &&
        paragraph.length > 0 &&
        !/^[ \t]*[|>*+-]/.test(paragraph.at(-1) ?? '')
      ) {
        const name = paragraph.pop() ?? ''
        flush(at - 1)
        output.push(this.inline(`**${name.trim()}**`, first + at - 1), '')
      }
      if (isDefinition) isInDefinition = true
      else if (!/^[ \t]/.test(source)) isInDefinition = false
      const line = isInDefinition ? source.replace(isDefinition ? DEFINITION : /^ {1,4}/, '') : source
      if (/^#{1,6}[ \t]/.test(line)) {
        flush(at)
        output.push(this.heading(line, labels, first + at))
        labels = []
        continue
      }
      labels = []
      // A label of a formula stands behind its end.
      paragraph.push(line.replace(/^([ \t]*\$\$)[ \t]*\([^()]{1,100}\)[ \t]*$/, '$1'))
    }
    flush(lines.length)
    return output
  }

  /** A heading, with the last label before it as its id. A title has none. */
  private heading(source: string, labels: readonly string[], line: number): string {
    const { text, id } = splitHeadingId(source)
    const [first] = labels
    const anchor = id ?? (first === undefined ? undefined : labelId(first))
    const written = this.inline(text, line)
    return anchor === undefined || anchor === '' || /^#[ \t]/.test(source)
      ? written
      : `${written} {#${anchor}}`
  }
}

const DEFINITION = /^[ \t]{0,3}:[ \t]{1,9}(?=\S)/
const BLOCK_ID = /^[ \t]{0,3}\{[^{}`%]{0,100}#([\w.:/-]{1,100})[^{}`%]{0,100}\}[ \t]{0,20}$/
const BLOCK_ATTRIBUTES = /^[ \t]{0,3}\{[.\w][^{}`%]{0,200}\}[ \t]{0,20}$/

/** Attributes of spans, links and pictures: `[text]{.class}`. */
const withoutAttributes = (text: string) =>
  text.replace(/\[([^[\]]{1,300})\]\{[.#][^{}]{0,200}\}/g, '$1').replace(/(?<=\))\{[.#\w][^{}]{0,200}\}/g, '')

/** The directives of a group from a place on, which only empty lines divide. */
function directiveRun(
  parts: readonly MystPart[],
  from: number,
  { names }: DirectiveGroup,
): { directives: MystDirective[]; end: number } {
  const directives: MystDirective[] = []
  let end = from
  for (let at = from; at < parts.length; at += 1) {
    const part = needItem(parts, at)
    if (part.kind === 'directive' && names.test(part.name)) {
      directives.push(part)
      end = at
    } else if (part.kind !== 'text' || part.lines.some((line) => line.trim() !== '')) break
  }
  return { directives, end }
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isText = (line: string) => line.trim() !== ''
  const start = lines.findIndex(isText)
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(isText) + 1)
}

/** Lines in which blocks are between empty lines. */
class PrintedLines {
  readonly lines: string[] = []
  private isAfterBlock = false
  private isAfterNothing = false

  text(added: readonly string[]): void {
    for (const line of added) {
      // A block that leaves nothing has empty lines around it.
      if (this.isAfterNothing && line.trim() === '' && (this.lines.at(-1) ?? '').trim() === '') continue
      this.isAfterNothing = false
      if (this.isAfterBlock && line.trim() !== '') this.lines.push('')
      this.isAfterBlock = false
      this.lines.push(line)
    }
  }

  block(given: readonly string[], { before, indent }: MystDirective): void {
    const added = withoutBlankEnds(given)
    const isItem = before.trim() !== ''
    if (added.length === 0) {
      if (isItem) this.lines.push(before.trimEnd())
      this.isAfterNothing = true
      return
    }
    if (!isItem && (this.lines.at(-1) ?? '').trim() !== '') this.lines.push('')
    for (const [at, line] of added.entries())
      this.lines.push(line === '' ? '' : (at === 0 ? before : indent) + line)
    this.isAfterBlock = true
  }
}
