/** Reads the components of a page of MDX as a tree. The Markdown between them stays as it is written. */
import { needItem, needLast } from '../../data/lists.ts'
import { endOfCode } from '../markdown/dialect.ts'
import { endOfValue, literalText, type MdxAttributes, plainTag, readAttributes } from './attributes.ts'
import type { PageModules } from './modules.ts'

/** A component of a page. */
export interface MdxElement {
  name: string
  attributes: MdxAttributes
  children: MdxNode[]
  /** The line of its opening tag, from 1. */
  line: number
  /** What is written between its tags. */
  source: string
}

/** A component, or Markdown around components. */
export type MdxNode = string | MdxElement

/** Characters of a tag or an expression. */
const LONGEST_TAG = 20_000
/** Characters of the id of a heading in a comment. */
const LONGEST_ID = 150
/** Components in one another; deeper ones stay as they are written. */
const DEEPEST = 16
/** How often the signs of a page may be read again after tags and expressions that do not end. */
const MOST_READINGS = 10

/** Elements of HTML that only arrange the Markdown in them. */
const WRAPPERS = new Set('div section center main article header footer aside nav'.split(' '))

/** Whether an element only arranges what is in it. A fragment, `<>`, has no name. */
export const isWrapper = ({ name }: MdxElement) => name === '' || WRAPPERS.has(name)

interface OpenElement {
  element: MdxElement
  /** The place after its opening tag. */
  start: number
}

/** Reads the components and the Markdown of a page, in order. */
export function readMdx(modules: PageModules): MdxNode[] {
  return new MdxReader(modules).read()
}

class MdxReader {
  private readonly modules: PageModules
  private readonly text: string
  /** The place of each line. */
  private readonly starts: number[] = []
  /** For each line, the place of the next line of code. */
  private readonly nextCode: number[] = []
  private readonly root: MdxElement = { name: '', attributes: new Map(), children: [], line: 1, source: '' }
  private readonly open: OpenElement[] = [{ element: this.root, start: 0 }]
  /** The line that is read, from 0. */
  private line = 0
  /** The place after what has been written. */
  private written = 0
  private left: number

  constructor(modules: PageModules) {
    const { lines } = modules
    this.modules = modules
    this.text = lines.map(({ text }) => text).join('\n')
    this.left = MOST_READINGS * this.text.length
    let at = 0
    for (const { text } of lines) {
      this.starts.push(at)
      at += text.length + 1
    }
    let code = this.text.length
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      if (needItem(lines, index).isCode) code = needItem(this.starts, index)
      this.nextCode[index] = code
    }
  }

  read(): MdxNode[] {
    const { text } = this
    const signs = /[\\`<{\n]/g
    signs.lastIndex = this.afterCode(0)
    for (let found = signs.exec(text); found; found = signs.exec(text)) {
      const { index } = found
      if (found[0] === '\n') signs.lastIndex = this.afterCode(index + 1)
      else if (found[0] === '\\') signs.lastIndex = index + 2
      else if (found[0] === '`') signs.lastIndex = index + endOfCode(text.slice(index, this.endOfLine()), 0)
      else signs.lastIndex = found[0] === '<' ? this.readTag(index) : this.readExpression(index)
      this.moveTo(signs.lastIndex)
    }
    this.writeTo(text.length)
    while (this.open.length > 1) this.close(text.length)
    return this.root.children
  }

  /** The place after the lines of code that begin at a place. */
  private afterCode(at: number): number {
    this.moveTo(at)
    while (this.modules.lines[this.line]?.isCode === true) {
      this.line += 1
      if (this.line === this.starts.length) return this.text.length
    }
    return Math.max(at, this.starts[this.line] ?? at)
  }

  private moveTo(at: number) {
    while ((this.starts[this.line + 1] ?? Infinity) <= at) this.line += 1
  }

  private endOfLine(): number {
    return (this.starts[this.line + 1] ?? this.text.length + 1) - 1
  }

  /** Tags and expressions end before the next code. */
  private limitAt(at: number): number {
    return Math.min(
      at + LONGEST_TAG,
      this.nextCode[this.line] ?? this.text.length,
      at + Math.max(this.left, 0),
    )
  }

  private writeTo(at: number, next = at) {
    if (at > this.written) needLast(this.open).element.children.push(this.text.slice(this.written, at))
    this.written = Math.max(next, this.written)
  }

  private write(text: string) {
    needLast(this.open).element.children.push(text)
  }

  private close(at: number) {
    const { element, start } = needLast(this.open)
    element.source = this.text.slice(start, at)
    this.open.pop()
  }

  /** Reads a tag at a place. @returns the place where reading goes on */
  private readTag(at: number): number {
    const { text } = this
    const head = /<(\/?)([A-Za-z][\w.-]{0,60})?(?=[\s/>])/y
    head.lastIndex = at
    const [opening, slash, name = ''] = head.exec(text) ?? []
    if (opening === undefined || text.startsWith('</ ', at)) return at + 1
    const start = at + opening.length
    const end = this.endOfTag(start)
    if (end === -1) return start
    const inside = text.slice(start, end - 1)
    const isEmpty = inside.endsWith('/')
    const isHtml = /^[a-z]/.test(name) && !WRAPPERS.has(name)
    if (isHtml) return this.readHtml(name, { at, end, inside, isClosing: slash === '/' })
    if (slash === '/') {
      this.writeTo(at, end)
      if (this.open.findLastIndex(({ element }) => element.name === name) > 0) {
        while (needLast(this.open).element.name !== name) this.close(at)
        this.close(at)
      }
      return end
    }
    if (this.open.length > DEEPEST) return end
    this.writeTo(at, end)
    const element: MdxElement = {
      name,
      attributes: readAttributes(inside, this.modules.imports),
      children: [],
      line: needItem(this.modules.lines, this.line).number,
      source: '',
    }
    needLast(this.open).element.children.push(element)
    if (!isEmpty) this.open.push({ element, start: end })
    return end
  }

  /** A tag of HTML stays as it is written, unless it has what only MDX has. */
  private readHtml(
    name: string,
    { at, end, inside, isClosing }: { at: number; end: number; inside: string; isClosing: boolean },
  ): number {
    if (isClosing || !/[{]|\bclassName=/.test(inside)) return end
    this.writeTo(at, end)
    this.write(plainTag(name, readAttributes(inside, this.modules.imports), inside.endsWith('/')))
    return end
  }

  /** The place after the `>` of a tag; -1 if it does not end. */
  private endOfTag(start: number): number {
    const limit = this.limitAt(start)
    let place = start
    while (place < limit) {
      const sign = this.text.charAt(place)
      if (sign === '>') return place + 1
      if (sign !== '"' && sign !== "'" && sign !== '{') {
        place += 1
        continue
      }
      place = endOfValue(this.text, place, limit)
      if (place === -1) break
    }
    this.left -= limit - start
    return -1
  }

  /** Reads an expression in braces at a place. @returns the place where reading goes on */
  private readExpression(at: number): number {
    const { text } = this
    if (text.startsWith('{/*', at)) return this.readComment(at)
    const twice = /\{\{\s{0,9}([\w.-]{1,100})\s{0,9}\}\}/y
    twice.lastIndex = at
    const [whole = '', name = ''] = twice.exec(text) ?? []
    const inserted = this.modules.texts.get(name)
    if (inserted !== undefined) {
      this.writeTo(at, at + whole.length)
      this.write(inserted)
      return at + whole.length
    }
    const end = endOfValue(text, at, Math.min(this.limitAt(at), this.endOfLine()))
    if (end === -1) {
      this.left -= this.limitAt(at) - at
      return at + 1
    }
    const shown = literalText(text.slice(at + 1, end - 1), this.modules.texts)
    if (shown === undefined) return at + 1
    this.writeTo(at, end)
    this.write(shown)
    return end
  }

  /** Removes a comment, with its line if it is alone in it. The ids of headings in comments stay. */
  private readComment(at: number): number {
    const limit = this.limitAt(at)
    const found = this.text.slice(at, limit).indexOf('*/}')
    if (found === -1) {
      this.left -= limit - at
      return at + 1
    }
    const end = at + found + 3
    if (end - at < LONGEST_ID && /^\{\/\*\s{0,9}#[\w.:-]{1,100}\s{0,9}\*\/\}$/.test(this.text.slice(at, end)))
      return end
    const line = this.starts[this.line] ?? 0
    this.moveTo(end)
    const after = this.endOfLine()
    const isAlone =
      line >= this.written &&
      this.text.slice(line, at).trim() === '' &&
      this.text.slice(end, after).trim() === ''
    if (!isAlone) {
      this.writeTo(at, end)
      return end
    }
    this.writeTo(line, Math.min(after + 1, this.text.length))
    return this.afterCode(Math.min(after + 1, this.text.length))
  }
}
