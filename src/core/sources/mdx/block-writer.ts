/** Writes blocks of Lectern between Markdown: in lists with the indentation of their item, and in a cell within its line. */
import { dialectLines } from '../markdown/dialect.ts'

/** The indentation or the sign of a list item at the beginning of a line. */
const ITEM = /^([\s>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/

/** So much of a line is remembered, behind the blanks and signs of quotes at its beginning. */
const MOST_REMEMBERED = 1000

/** Markdown as it is put together. */
export class BlockWriter {
  private readonly parts: string[] = []
  /** The beginning of the line that is written. */
  private current = ''
  /** Whether it has more than blanks and signs of quotes. */
  private isBegun = false
  /** The indentation of a block that was just written; undefined within a line. */
  private after: string | undefined
  private isHtml = false

  /** Adds Markdown within a line. */
  text(added: string): void {
    if (this.after === undefined) this.push(added)
    else {
      const rest = added.replace(/^[ \t]+/, '')
      if (rest === '') return
      const isLine = rest.startsWith('\n')
      // An element of HTML ends at an empty line.
      const isBlank = isLine && /^\n[ \t]*(?:\n|$)/.test(rest)
      if (this.isHtml && !isBlank) this.push('\n')
      const indent = this.after
      this.after = undefined
      this.push(isLine ? rest : `\n${indent}${rest}`)
    }
  }

  /** Adds a block, which is a part of its line in a row of a table. */
  block(lines: string): void {
    if (lines === '') return
    if (this.after === undefined && this.current.trimStart().startsWith('|'))
      return this.text(withinLine(lines))
    const indent = this.after ?? this.startLine()
    if (this.after !== undefined) this.push(`\n${this.isHtml ? '\n' : ''}${indent}`)
    this.parts.push(lines.replace(/\n(?!\n|$)/g, `\n${indent}`))
    this.leaveLine()
    this.after = indent
    this.isHtml = lines.endsWith('>')
  }

  toString(): string {
    return this.parts.join('')
  }

  /** Begins a line for a block if the line has text. @returns the indentation of the block */
  private startLine(): string {
    const [start = '', before = '', sign = ''] = ITEM.exec(this.current) ?? []
    const indent = before + ' '.repeat(sign.length)
    if (start.length < this.current.length) this.push(`\n\n${indent}`)
    return indent
  }

  private push(text: string) {
    this.parts.push(text)
    const end = text.lastIndexOf('\n')
    if (end !== -1) this.leaveLine()
    // A table can be one line of the whole page: to look at all of it for each of its blocks would take quadratic time.
    if (this.isBegun && this.current.length >= MOST_REMEMBERED) return
    const added = text.slice(end + 1)
    this.current += added
    this.isBegun ||= /[^\s>]/.test(added)
  }

  private leaveLine() {
    this.current = ''
    this.isBegun = false
  }
}

/**
 * The content of a component without empty lines around it and the indentation that all of its lines have. A text in the line of
 * the tag has no indentation.
 */
export function dedented(content: string): string {
  const isInTag = !/^[ \t]*\n/.test(content)
  const lines = dialectLines(content.replace(/^(?:[ \t]*\n)+/, '').trimEnd())
  let isFenced = false
  let least = Infinity
  for (const [index, { text, isCode }] of lines.entries()) {
    const isInCode = isCode && isFenced
    isFenced = isCode
    if (isInCode || text.trim() === '' || (isInTag && index === 0)) continue
    least = Math.min(least, text.length - text.trimStart().length)
  }
  return lines
    .map(({ text }, index) =>
      isInTag && index === 0
        ? text.trimStart()
        : text.slice(Math.min(least, text.length - text.trimStart().length)),
    )
    .join('\n')
}

/** Blocks within a line, as a row of a table has them. */
const withinLine = (content: string) =>
  content
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*\{% .{0,1000} %\}\s*$/.test(line))
    .map((line) => line.trim())
    .join('<br>')
    .replaceAll('|', '\\|')
