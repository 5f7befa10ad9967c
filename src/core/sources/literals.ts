/** Values that programs write as literals, such as settings in `docusaurus.config.js`. The programs are never run. */
import type { AnyNode, Expression, ObjectExpression, Program, SpreadElement, Token } from 'acorn'
import { isRecord } from '../data/is-record.ts'
import { needItem } from '../data/lists.ts'
import { acorn } from '../runtime/libraries.ts'

/** A call in a program, such as `starlight({ title: 'Docs' })`, with its arguments that are literals. */
export class LiteralCall {
  readonly name: string
  readonly arguments: readonly unknown[]

  constructor(name: string, given: readonly unknown[]) {
    this.name = name
    this.arguments = given
  }
}

/** The most characters of a program; a longer one has no values. */
const LONGEST_PROGRAM = 500_000
/** The most characters of an expression in an attribute or a page. */
const LONGEST_LITERAL = 5000
/** The most values that are read of a program, also of those that it uses several times. */
const MOST_VALUES = 100_000
/** The most values in one another. */
const DEEPEST_VALUE = 40

/**
 * Reads an expression of literals, such as `['npm', 'pnpm']`. A template may not have expressions.
 * @returns undefined for any other expression
 */
export function readLiteral(expression: string): unknown {
  if (expression.length > LONGEST_LITERAL) return undefined
  const program = parsedProgram(`(${expression}\n)`)
  const [first] = program?.body ?? []
  return program?.body.length === 1 && first?.type === 'ExpressionStatement'
    ? new LiteralReader(program).valueOf(first.expression)
    : undefined
}

/**
 * Reads the value that a module exports as its default, or assigns to `module.exports`. What is not a literal is undefined in it,
 * and a function that is called, such as `defineConfig`, is a `LiteralCall`. Types of TypeScript are skipped.
 * @returns undefined if the module cannot be parsed or exports no such value
 */
export function readModule(source: string): unknown {
  if (source.length > LONGEST_PROGRAM) return undefined
  const program = parsedProgram(source) ?? parsedProgram(withoutTypes(source))
  return program && new LiteralReader(program).exported()
}

/** The first argument of a call that only wraps its settings, such as `defineConfig`; any other value as it is. */
export const unwrapped = (value: unknown): unknown =>
  value instanceof LiteralCall ? value.arguments.find(isRecord) : value

/** The texts that a module of a page exports by name: `export const version = '4.2'`. */
export function exportedTexts(source: string): Map<string, string> {
  const texts = new Map<string, string>()
  const program = source.length > LONGEST_PROGRAM ? undefined : parsedProgram(source)
  if (!program) return texts
  const reader = new LiteralReader(program)
  for (const [name, value] of reader.constants()) {
    const entries = isRecord(value) ? Object.entries(value) : []
    for (const [path, one] of [
      [name, value] as const,
      ...entries.map(([key, v]) => [`${name}.${key}`, v] as const),
    ])
      if (typeof one === 'string' || typeof one === 'number') texts.set(path, String(one))
  }
  return texts
}

function parsedProgram(source: string): Program | undefined {
  try {
    return acorn().parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  } catch {
    return undefined
  }
}

/** Reads the values of one program. */
class LiteralReader {
  private left = MOST_VALUES
  private depth = 0
  private readonly names = new Map<string, Expression>()
  private readonly program: Program

  constructor(program: Program) {
    this.program = program
    for (const statement of program.body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'VariableDeclaration') continue
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier' && init) this.names.set(id.name, init)
    }
  }

  /** The values of the constants at the top of the program. */
  *constants(): Generator<[name: string, value: unknown]> {
    for (const [name, expression] of this.names) yield [name, this.valueOf(expression)]
  }

  exported(): unknown {
    for (const statement of this.program.body) {
      if (statement.type === 'ExportDefaultDeclaration') return this.valueOf(statement.declaration)
      if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
        continue
      const { left, right } = statement.expression
      if (left.type === 'MemberExpression' && this.nameOf(left) === 'module.exports')
        return this.valueOf(right)
    }
    return undefined
  }

  valueOf(node: AnyNode): unknown {
    this.left -= 1
    if (this.left < 0 || this.depth >= DEEPEST_VALUE) return undefined
    this.depth += 1
    const value = this.literal(node)
    this.depth -= 1
    return value
  }

  private literal(node: AnyNode): unknown {
    switch (node.type) {
      case 'Literal':
        return node.regex || node.bigint !== undefined ? undefined : node.value
      case 'TemplateLiteral':
        return node.expressions.length === 0
          ? node.quasis.map(({ value }) => value.cooked).join('')
          : undefined
      case 'UnaryExpression': {
        const value = this.valueOf(node.argument)
        if (node.operator === '!' && typeof value === 'boolean') return !value
        return node.operator === '-' && typeof value === 'number' ? -value : undefined
      }
      case 'ArrayExpression':
        return node.elements.flatMap((element) => {
          if (element?.type !== 'SpreadElement') return [element ? this.valueOf(element) : undefined]
          const value = this.valueOf(element.argument)
          return Array.isArray(value) ? (value as unknown[]) : []
        })
      case 'ObjectExpression':
        return this.object(node)
      case 'Identifier': {
        const expression = this.names.get(node.name)
        return expression && this.valueOf(expression)
      }
      case 'MemberExpression': {
        const value = node.object.type === 'Super' ? undefined : this.valueOf(node.object)
        const name = !node.computed && node.property.type === 'Identifier' ? node.property.name : ''
        if (value instanceof LiteralCall) return name === 'default' ? value : undefined
        return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
      }
      case 'CallExpression':
        return new LiteralCall(
          this.nameOf(node.callee),
          node.arguments.map((one) => (one.type === 'SpreadElement' ? undefined : this.valueOf(one))),
        )
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
        return this.valueOf(node.type === 'AwaitExpression' ? node.argument : node.expression)
      default:
        return undefined
    }
  }

  private object(node: ObjectExpression): Record<string, unknown> {
    const entries = node.properties.flatMap((property): [string, unknown][] => {
      if (property.type === 'SpreadElement') return this.spread(property)
      const { key } = property
      const name =
        key.type === 'Literal' ? String(key.value) : key.type === 'Identifier' ? key.name : undefined
      if (name === undefined || (property.computed && key.type !== 'Literal')) return []
      return [[name, this.valueOf(property.value)]]
    })
    return Object.fromEntries(entries)
  }

  private spread({ argument }: SpreadElement): [string, unknown][] {
    const value = this.valueOf(argument)
    return isRecord(value) ? Object.entries(value) : []
  }

  /** The dotted name of what is called or assigned; empty for any other expression. */
  private nameOf(node: AnyNode): string {
    if (node.type === 'Identifier') return node.name
    if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return ''
    const { object } = node
    return object.type === 'Identifier' ? `${object.name}.${node.property.name}` : ''
  }
}

/** A program of TypeScript without the types that settings have: `import type`, `satisfies X`, `as X` and `const a: X`. */
function withoutTypes(source: string): string {
  const tokens = programTokens(source)
  let text = ''
  let at = 0
  const cut = (start: number, end: number) => {
    text += source.slice(at, start)
    at = end
  }
  const wordAt = (place: number) => {
    const token = tokens[place]
    return token ? source.slice(token.start, token.end) : ''
  }
  for (let place = 0; place < tokens.length; place += 1) {
    const { start } = needItem(tokens, place)
    const word = wordAt(place)
    if (word === 'import' && wordAt(place + 1) !== '(' && wordAt(place + 1) !== '.') {
      const last = endOfImport(place, wordAt)
      // Nothing of an import is a literal.
      cut(start, needItem(tokens, last).end)
      place = last
    } else if ((word === 'satisfies' || word === 'as') && /^[\w$}\])"'`]/.test(wordAt(place - 1).slice(-1))) {
      const last = endOfType(place + 1, wordAt)
      cut(start, needItem(tokens, Math.min(last, tokens.length) - 1).end)
      place = last - 1
    } else if (/^(?:const|let|var)$/.test(word) && wordAt(place + 2) === ':') {
      const last = endOfType(place + 3, wordAt)
      if (wordAt(last) !== '=') continue
      cut(needItem(tokens, place + 2).start, needItem(tokens, last).start)
      place = last
    }
  }
  return text + source.slice(at)
}

/** The most tokens of an import or a type. */
const MOST_TOKENS = 200

function endOfImport(place: number, wordAt: (place: number) => string): number {
  for (let last = place; last < place + MOST_TOKENS; last += 1) if (/^["']/.test(wordAt(last))) return last
  return place
}

/** The place after a type: names with dots, brackets and what is in them. */
function endOfType(place: number, wordAt: (place: number) => string): number {
  let depth = 0
  let last = place
  for (; last < place + MOST_TOKENS; last += 1) {
    const word = wordAt(last)
    if (/^[<[({]$/.test(word)) depth += 1
    else if (depth > 0 && /^(?:>{1,3}|[\])}])$/.test(word)) depth -= word.length
    else if (depth === 0 && !/^(?:[\w$]+|\.|\||&|["'].*)$/.test(word)) return last
    else if (word === '') return last
  }
  return last
}

function programTokens(source: string): Token[] {
  const tokens: Token[] = []
  try {
    for (const token of acorn().tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module' }))
      tokens.push(token)
  } catch {
    // What follows is no settings.
  }
  return tokens
}
