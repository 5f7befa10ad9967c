/**
 * Finds YAML that Lectern refuses before it is parsed. The parser's time grows with a high power of the nesting, and
 * exponentially with explicit keys: it takes 6 s for 800 bytes of `? - ? -`. The lexer takes linear time, so it runs
 * first.
 */
import { because } from '../languages/reasons.ts'
import type { WithReason } from '../languages/reasoned.ts'
import { yaml } from '../runtime/libraries.ts'

/** The limits of one YAML text. */
export interface YamlLimits {
  /** In UTF-16 units. */
  length: number
  /** The most maps and lists inside one another. */
  depth: number
  /** The most anchors and aliases together; 10 by default, because documentation has none. */
  repeated?: number
}

const MOST_REPEATED = 10

/** The lexer's mark before a plain text or the lines of a block of text. */
const SCALAR = '\u001F'
/** Marks of the lexer that have no characters in the source. */
const MARKS = new Set([SCALAR, '\u0002', '\u0018'])

/** Why Lectern does not read this YAML, if it does not. Takes linear time. */
export function yamlProblem(text: string, limits: YamlLimits): WithReason | undefined {
  if (text.length > limits.length)
    return because('yaml-too-long', { size: text.length, limit: limits.length })
  const scan = new Scan(limits)
  for (const token of new (yaml().Lexer)().lex(text)) {
    const problem = scan.take(token)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A map or list whose entries begin at a column. */
interface Level {
  column: number
  isList: boolean
}

/** The state of a scan over the tokens of one text. */
class Scan {
  #line = 1
  readonly #deepest: number
  readonly #mostRepeated: number
  #column = 0
  /** Where the text or collection began that becomes a key if `:` follows. */
  #keyColumn = 0
  #isScalar = false
  #flow = 0
  #repeated = 0
  #levels: Level[] = []

  constructor({ depth, repeated = MOST_REPEATED }: YamlLimits) {
    this.#deepest = depth
    this.#mostRepeated = repeated
  }

  /** Takes the next token. Returns why the text is refused, if it is. */
  take(token: string): WithReason | undefined {
    if (MARKS.has(token)) {
      this.#isScalar = token === SCALAR
      return undefined
    }
    const problem = this.#isScalar ? undefined : this.#read(token)
    if (this.#isScalar || /^[^\s,:?\-\]}#]/.test(token)) this.#startKey()
    this.#isScalar = false
    if (problem === undefined) this.#advance(token)
    return problem
  }

  #read(token: string): WithReason | undefined {
    const [first] = token
    if (token === '?') return because('yaml-explicit-key', { line: this.#line })
    if (first === '!') return because('yaml-tag', { tag: token.slice(0, 20), line: this.#line })
    if (first === '&' || first === '*') return this.#repeat()
    if (token === '[' || token === '{') return this.#check(++this.#flow)
    if (token === ']' || token === '}') this.#flow = Math.max(0, this.#flow - 1)
    if (this.#flow > 0) return undefined
    if (token === '-') return this.#enter(this.#column, true)
    return token === ':' ? this.#enter(this.#keyColumn, false) : undefined
  }

  #repeat(): WithReason | undefined {
    this.#repeated += 1
    if (this.#repeated <= this.#mostRepeated) return undefined
    return because('yaml-too-many-anchors', { limit: this.#mostRepeated, line: this.#line })
  }

  #startKey(): void {
    if (this.#flow === 0) this.#keyColumn = this.#column
  }

  #enter(column: number, isList: boolean): WithReason | undefined {
    const levels = this.#levels
    while ((levels.at(-1)?.column ?? -1) > column) levels.pop()
    // A key ends a list at its own column; a list at the column of its key is inside it.
    if (!isList && levels.at(-1)?.column === column && levels.at(-1)?.isList) levels.pop()
    const last = levels.at(-1)
    if (last?.column !== column || last.isList !== isList) levels.push({ column, isList })
    return this.#check(this.#flow)
  }

  #check(flow: number): WithReason | undefined {
    if (this.#levels.length + flow <= this.#deepest) return undefined
    return because('yaml-nested', { limit: this.#deepest, line: this.#line })
  }

  #advance(token: string): void {
    const newline = token.lastIndexOf('\n')
    if (newline === -1) {
      this.#column += token.length
      return
    }
    for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) this.#line += 1
    this.#column = token.length - newline - 1
    // A key without text begins at its `:`.
    this.#keyColumn = this.#column
  }
}
