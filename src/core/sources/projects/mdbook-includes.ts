/** Files that chapters of mdBook include, whole or in part. */
import { because } from '../../languages/reasons.ts'
import { needItem } from '../../data/lists.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { folderOf, joinPath } from '../../text/file-paths.ts'
import type { SourceFiles } from '../converted.ts'
import type { NotUnderstood } from '../markdown/not-understood.ts'

/** `{{#include file.rs:2:10}}`; a backslash before it makes it text. */
const DIRECTIVE = /\\?\{\{[ \t]{0,9}#([\w-]{1,40})(?:[ \t]{1,9}([^{}\n]{1,500}))?\}\}/g
/** The most files in one another, as in mdBook. */
const DEEPEST = 10
/** Includes in one page; the rest stays as it is written. */
const MOST_INCLUDES = 500
/** The characters that one page can include; longer pages are refused anyway. */
const MOST_CHARACTERS = 1_000_000

/** The files of a book as chapters include them. */
export class BookIncludes {
  readonly #files: SourceFiles
  readonly #lines = new Map<string, string[] | undefined>()

  constructor(files: SourceFiles) {
    this.#files = files
  }

  /**
   * The text of a chapter with the files that it includes. Directives that are not known, or whose file does not exist, are
   * counted and left out.
   * @param path of the chapter
   * @param line of the file of the chapter at which the text begins, from 1
   */
  expand(text: string, path: string, line: number, unknown: NotUnderstood): string {
    const left = { includes: MOST_INCLUDES, characters: MOST_CHARACTERS }
    const expand = (source: string, from: string, depth: number, first: number | undefined): string => {
      let counted = 0
      let at = first ?? line
      return source.replace(DIRECTIVE, (written, name: string, argument = '', offset: number) => {
        if (written.startsWith('\\')) return written.slice(1)
        if (name === 'title') return ''
        if (first === undefined) {
          at += countLines(source, counted, offset)
          counted = offset
        }
        const part = this.#part(name, argument.trim(), from)
        const isTooMuch = left.includes === 0 || (part?.text.length ?? 0) > left.characters
        if (part === undefined || depth > DEEPEST || isTooMuch) {
          unknown.add(because('unknown-text', { text: written }), at)
          return ''
        }
        left.includes -= 1
        left.characters -= part.text.length
        const inner = expand(part.text, part.path, depth + 1, at)
        return part.isProgram ? `\`\`\`rust\n${inner}\n\`\`\`` : inner
      })
    }
    return expand(text, path, 1, undefined)
  }

  /** The part of a file that a directive names; undefined if it is not known, or the file does not exist. */
  #part(name: string, argument: string, from: string) {
    const isProgram = /^play(?:ground|pen)$/.test(name)
    if (!isProgram && name !== 'include' && name !== 'rustdoc_include') return undefined
    const [, address = '', range = ''] =
      /^([^:]{1,400})(?::(.{0,100}))?$/.exec(isProgram ? argument.replace(/\s.*$/, '') : argument) ?? []
    const path = joinPath(folderOf(from), address.trim())
    const lines = path === undefined ? undefined : this.#linesOf(path)
    if (path === undefined || lines === undefined) return undefined
    return { path, text: linesIn(lines, range.trim()).join('\n'), isProgram }
  }

  #linesOf(path: string): string[] | undefined {
    if (this.#lines.has(path)) return this.#lines.get(path)
    const bytes = this.#files.get(path)
    const text = bytes && decodeText(bytes)
    const lines = text?.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
    this.#lines.set(path, lines)
    return lines
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The lines of `5`, `2:10`, `2:`, `:10` or the name of an anchor; all lines without any of them. */
function linesIn(lines: readonly string[], range: string): readonly string[] {
  if (range === '' || range === ':') return lines
  const [, from = '', colon = '', to = ''] = /^(\d{0,9})(:?)(\d{0,9})$/.exec(range) ?? []
  if (from + colon + to === '') return anchoredLines(lines, range.split(':', 1)[0] ?? '')
  const start = Math.max(0, Number(from || 1) - 1)
  if (colon === '') return lines.slice(start, start + 1)
  return lines.slice(start, to === '' ? undefined : Number(to))
}

/** The lines between `ANCHOR: name` and `ANCHOR_END: name`, without lines that are marks. */
function anchoredLines(lines: readonly string[], name: string): string[] {
  const found: string[] = []
  let isInside = false
  for (let at = 0; at < lines.length; at += 1) {
    const line = needItem(lines, at)
    const [, end, marked] = /\bANCHOR(_END)?:\s{0,9}([\w-]{1,100})/.exec(line) ?? []
    if (marked === undefined) {
      if (isInside) found.push(line)
    } else if (marked === name) isInside = end === undefined
  }
  return found
}
