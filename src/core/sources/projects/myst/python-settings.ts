/** Settings that `conf.py` of Sphinx assigns as literals. The file is never run. */

/** The most characters of the file, and the most values that are read of it. */
const LONGEST_PROGRAM = 500_000
const MOST_VALUES = 20_000
const DEEPEST_VALUE = 20

/**
 * Reads assignments at the beginning of lines: `name = 'text'`, lists, tuples and dictionaries of texts, numbers, `True`,
 * `False` and `None`. Any other value is left out.
 */
export function readPythonSettings(source: string): Map<string, unknown> {
  const settings = new Map<string, unknown>()
  if (source.length > LONGEST_PROGRAM) return settings
  const text = source.replace(/\r\n?/g, '\n')
  const reader = new PythonReader(text)
  for (const { index, 0: start, 1: name = '' } of text.matchAll(
    /^([A-Za-z_]\w{0,60})[ \t]{0,40}(?::[^=\n]{0,200})?=(?!=)/gm,
  )) {
    const value = reader.valueAt(index + start.length)
    if (value !== undefined) settings.set(name, value)
  }
  return settings
}

const WORDS = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
])

/** Reads the values of one program. A value that is not a literal is undefined. */
class PythonReader {
  private at = 0
  private left = MOST_VALUES
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  valueAt(start: number): unknown {
    // Values within an earlier one are no settings.
    if (start < this.at) return undefined
    this.at = start
    this.skip(false)
    const value = this.value(0)
    this.skip(false)
    // Whatever follows on the line makes the value an expression.
    return /[\n;]/.test(this.text.charAt(this.at) || '\n') ? value : undefined
  }

  private value(depth: number): unknown {
    this.left -= 1
    if (this.left < 0 || depth > DEEPEST_VALUE) return undefined
    const sign = this.text.charAt(this.at)
    if (sign === '[' || sign === '(') return this.list(sign === '[' ? ']' : ')', depth)
    if (sign === '{') return this.dictionary(depth)
    const quoted = this.string()
    if (quoted !== undefined) return this.joined(quoted, depth > 0)
    const word = this.take(/[\w.+-]{1,60}/y)
    if (word === undefined) return undefined
    if (WORDS.has(word)) return WORDS.get(word)
    return /^[+-]?\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined
  }

  /** Texts that follow each other are one text. */
  private joined(first: string, inBrackets: boolean): string {
    let whole = first
    for (;;) {
      const before = this.at
      this.skip(inBrackets)
      const next = this.string()
      if (next === undefined) {
        this.at = before
        return whole
      }
      whole += next
    }
  }

  private string(): string | undefined {
    const opening = this.take(/[rRbBuU]{0,2}(?:"""|'''|"|')/y)
    if (opening === undefined) return undefined
    const quote = opening.replace(/^[a-z]+/i, '')
    const start = this.at
    for (;;) {
      const end = this.text.indexOf(quote, this.at)
      if (end === -1) {
        this.at = this.text.length
        return undefined
      }
      this.at = end + quote.length
      let slashes = 0
      while (this.text[end - 1 - slashes] === '\\' && end - slashes > start) slashes += 1
      if (slashes % 2 === 1) {
        this.at = end + 1
        continue
      }
      const written = this.text.slice(start, end)
      if (/^r/i.test(opening)) return written
      return written.replace(/\\(\n|.)/g, (_, one: string) => (one === 'n' ? '\n' : one === '\n' ? '' : one))
    }
  }

  private list(close: string, depth: number): unknown {
    this.at += 1
    const items: unknown[] = []
    let commas = 0
    for (;;) {
      this.skip(true)
      if (this.text[this.at] === close) break
      const start = this.at
      items.push(this.value(depth + 1))
      this.skip(true)
      if (this.text[this.at] === ',') {
        this.at += 1
        commas += 1
      } else if (this.text[this.at] !== close || this.at === start) return undefined
    }
    this.at += 1
    // A value in parentheses is itself.
    return close === ')' && commas === 0 ? items[0] : items
  }

  private dictionary(depth: number): unknown {
    this.at += 1
    const values: [string, unknown][] = []
    for (;;) {
      this.skip(true)
      if (this.text[this.at] === '}') break
      const key = this.value(depth + 1)
      this.skip(true)
      if (this.text[this.at] !== ':') return undefined
      this.at += 1
      this.skip(true)
      const value = this.value(depth + 1)
      if (typeof key === 'string') values.push([key, value])
      this.skip(true)
      if (this.text[this.at] === ',') this.at += 1
      else if (this.text[this.at] !== '}') return undefined
    }
    this.at += 1
    return Object.fromEntries(values)
  }

  /** Skips spaces and comments, and in brackets the ends of lines too. */
  private skip(lines: boolean): void {
    while (this.take(lines ? /[ \t\n\\]+|#[^\n]*/y : /[ \t]+|\\\n|#[^\n]*/y) !== undefined);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}
