/**
 * Condition expressions: one JavaScript expression over data about the visitor, the space and the page. An interpreter
 * without access to the host evaluates it. Authors supply the expression and visitors the data, so every operation is
 * bounded: length, depth, steps, and the size of texts and arrays.
 */
import { needLast } from '../data/lists.ts'
import type {
  ArrowFunctionExpression,
  BinaryExpression,
  CallExpression,
  Expression,
  LogicalExpression,
  MemberExpression,
  Property,
  SpreadElement,
  Super,
} from 'acorn'
import { acorn } from '../runtime/libraries.ts'
import { lru } from '../data/lru.ts'
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf, type Reasoned } from '../languages/reasoned.ts'
import { constantPart } from './constant-conditions.ts'
import { atPlace, syntaxFault, thrownFault } from './faults.ts'
import { callMethod, callPattern } from './methods.ts'
import type { Argument } from './methods.ts'
import { patternOf } from './pattern.ts'
import type { Pattern } from './pattern.ts'
import { BINARY, DECIDED, UNARY } from './operators.ts'
import {
  Budget,
  isList,
  isPlainObject,
  isVisible,
  Missing,
  STEPS_OF_EXPRESSION,
  property,
  refuseSyntax,
  Refused,
  unsupportedSyntax,
  valueToText,
} from './values.ts'

const because = becauseOf(EXPRESSION_REASONS)

export type Evaluation = { ok: true; value: unknown } | { ok: false; error: Reasoned }

/** The result of parsing a condition. */
export type Parsed = { ok: true; expression: Expression } | { ok: false; error: Reasoned }

/** The maximum length of an expression, in UTF-16 units. */
export const LONGEST_EXPRESSION = 1024

const DEEPEST = 50

/** Expressions that were parsed. Sites evaluate the same few again and again. */
const parsedBefore = lru<Parsed>(4 * 1024 * 1024, 'expressions')
/** A syntax tree takes about this many bytes for each character of its text. */
const BYTES_PER_CHARACTER = 200

/** Parses an expression so that it can be evaluated several times. Never throws. */
export function parseExpression(text: string): Parsed {
  const before = parsedBefore.get(text)
  if (before) return before
  const parsed = parseText(text)
  parsedBefore.set(text, parsed, BYTES_PER_CHARACTER * Math.min(text.length, LONGEST_EXPRESSION))
  return parsed
}

function parseText(text: string): Parsed {
  if (text.length > LONGEST_EXPRESSION) {
    return { ok: false, error: because('expression-too-long', { limit: LONGEST_EXPRESSION }) }
  }
  try {
    const [statement, another] = acorn().parse(text, { ecmaVersion: 'latest' }).body
    if (statement?.type === 'ExpressionStatement' && !another)
      return { ok: true, expression: statement.expression }
    const at = another?.start ?? statement?.start ?? 0
    return { ok: false, error: atPlace(because('expression-not-one'), text, at) }
  } catch (error) {
    return { ok: false, error: syntaxFault(text, error) }
  }
}

/**
 * Evaluates an expression to JSON or undefined. The scope is JSON too. If a property of null or undefined is read, the
 * whole expression is undefined. Never throws, and ends after a bounded number of steps.
 */
export function evaluate(
  expression: string | Parsed,
  scope: Readonly<Record<string, unknown>>,
  budget: Budget = new Budget(),
): Evaluation {
  const parsed = typeof expression === 'string' ? parseExpression(expression) : expression
  if (!parsed.ok) return parsed
  try {
    const run: Run = { scope, budget, depth: 0 }
    return { ok: true, value: nodeValue(parsed.expression, run, null) }
  } catch (error) {
    if (error instanceof Missing) return { ok: true, value: undefined }
    return { ok: false, error: thrownFault(error) }
  }
}

/** The most steps of all expressions of one answer together, about a hundredth of a second. */
const STEPS_OF_ANSWER = 300_000

/** Steps that several evaluators share. */
export interface SharedSteps {
  left: number
}

/** The steps of one answer, for evaluators with different scopes. */
export const stepsOfAnswer = (): SharedSteps => ({ left: STEPS_OF_ANSWER })

/**
 * Returns a function that evaluates the expressions of one answer. They share a number of steps, and equal ones are
 * evaluated once.
 */
export function evaluator(
  scope: Readonly<Record<string, unknown>>,
  steps: SharedSteps = stepsOfAnswer(),
): (expression: string) => Evaluation {
  const known = new Map<string, Evaluation>()
  return (expression) => {
    const before = known.get(expression)
    if (before) return before
    const budget = new Budget(Math.min(STEPS_OF_EXPRESSION, steps.left))
    const given = budget.left
    const outcome: Evaluation =
      given > 0 ? evaluate(expression, scope, budget) : { ok: false, error: because('expressions-too-slow') }
    steps.left -= given - Math.max(0, budget.left)
    known.set(expression, outcome)
    return outcome
  }
}

/** Returns true if content with this condition is visible: always without a condition, never if evaluation fails. */
export function isTrue(
  condition: string | undefined,
  evaluateIt: (expression: string) => Evaluation,
): boolean {
  if (condition === undefined || condition.trim() === '') return true
  const outcome = evaluateIt(condition)
  return outcome.ok && isConditionMet(condition, outcome.value)
}

/** Whether a condition with a value is met: the value is true, and not only because the condition is in quotes or brackets. */
export function isConditionMet(condition: string, value: unknown): boolean {
  if (!value) return false
  const parsed = parseExpression(condition)
  return !parsed.ok || constantPart(parsed.expression) === undefined
}

interface Run {
  readonly scope: Readonly<Record<string, unknown>>
  readonly budget: Budget
  depth: number
}

/** The parameters of the enclosing arrow functions, the innermost first. */
interface Names {
  readonly values: ReadonlyMap<string, unknown>
  readonly outer: Names | null
}

type Evaluate<E> = (node: E, run: Run, names: Names | null) => unknown

function nodeValue(node: Expression, run: Run, names: Names | null): unknown {
  run.budget.spend(1)
  if (++run.depth > DEEPEST) throw new Refused(because('expression-too-deep', { limit: DEEPEST }))
  const value = valueByType(node.type, node, run, names)
  run.depth--
  return value
}

type Nodes = { [T in Expression['type']]: Extract<Expression, { type: T }> }

function valueByType<T extends keyof Nodes>(type: T, node: Nodes[T], run: Run, names: Names | null): unknown {
  return EXPRESSIONS[type](node, run, names)
}

/** The syntax of JavaScript that the language lacks, by the types of its nodes. */
export const UNSUPPORTED = {
  ChainExpression: unsupportedSyntax('?.'),
  ThisExpression: unsupportedSyntax('this'),
  FunctionExpression: unsupportedSyntax('function'),
  UpdateExpression: because('expression-step'),
  AssignmentExpression: because('expression-assignment'),
  NewExpression: unsupportedSyntax('new'),
  YieldExpression: unsupportedSyntax('yield'),
  AwaitExpression: unsupportedSyntax('await'),
  TaggedTemplateExpression: because('expression-tagged-template'),
  ClassExpression: unsupportedSyntax('class'),
  MetaProperty: because('expression-meta-property'),
  ImportExpression: unsupportedSyntax('import'),
} as const satisfies Record<string, Reasoned>

const EXPRESSIONS: { [T in keyof Nodes]: Evaluate<Nodes[T]> } = {
  Identifier: ({ name }, { scope }, names) => named(name, scope, names),
  Literal: (node) => {
    if (node.regex) throw new Refused(because('expression-pattern-not-searched'))
    if (node.bigint !== undefined) throw new Refused(because('expression-large-number'))
    return node.value
  },
  ParenthesizedExpression: ({ expression }, run, names) => nodeValue(expression, run, names),
  TemplateLiteral: ({ quasis, expressions }, run, names) =>
    quasis.reduce((text, { value }, i) => {
      const before = expressions[i - 1]
      const inserted = before ? valueToText(nodeValue(before, run, names), run.budget) : ''
      return run.budget.text(text + inserted + (value.cooked ?? ''))
    }, ''),
  ArrayExpression: ({ elements }, run, names) =>
    run.budget.list(
      elements.flatMap((element) => {
        if (!element) return [undefined]
        return element.type === 'SpreadElement'
          ? spread(element, run, names)
          : [nodeValue(element, run, names)]
      }),
    ),
  ObjectExpression: ({ properties }, run, names) => {
    const made: Record<string, unknown> = {}
    for (const item of properties) {
      const fields = item.type === 'SpreadElement' ? fieldsOf(item, run, names) : [field(item, run, names)]
      for (const [name, value] of fields) if (isVisible(name)) made[name] = value
    }
    return made
  },
  MemberExpression: (node, run, names) => {
    const of = nodeValue(part(node.object), run, names)
    const name = propertyName(node, run, names)
    if (isVariable(node.object, names) && isPlainObject(of) && !Object.hasOwn(of, name))
      throw new Missing(`The variable has no "${name}"`)
    return property(of, name)
  },
  CallExpression: called,
  UnaryExpression: ({ operator, argument }, run, names) =>
    UNARY[operator](nodeValue(argument, run, names), run.budget),
  BinaryExpression: binary,
  LogicalExpression: logical,
  ConditionalExpression: ({ test, consequent, alternate }, run, names) =>
    nodeValue(nodeValue(test, run, names) ? consequent : alternate, run, names),
  SequenceExpression: ({ expressions }, run, names) =>
    expressions.map((expression) => nodeValue(expression, run, names)).at(-1),
  ArrowFunctionExpression: () => {
    throw new Refused(because('expression-function-not-given'))
  },
  ChainExpression: refuseSyntax(UNSUPPORTED.ChainExpression),
  ThisExpression: refuseSyntax(UNSUPPORTED.ThisExpression),
  FunctionExpression: refuseSyntax(UNSUPPORTED.FunctionExpression),
  UpdateExpression: refuseSyntax(UNSUPPORTED.UpdateExpression),
  AssignmentExpression: refuseSyntax(UNSUPPORTED.AssignmentExpression),
  NewExpression: refuseSyntax(UNSUPPORTED.NewExpression),
  YieldExpression: refuseSyntax(UNSUPPORTED.YieldExpression),
  AwaitExpression: refuseSyntax(UNSUPPORTED.AwaitExpression),
  TaggedTemplateExpression: refuseSyntax(UNSUPPORTED.TaggedTemplateExpression),
  ClassExpression: refuseSyntax(UNSUPPORTED.ClassExpression),
  MetaProperty: refuseSyntax(UNSUPPORTED.MetaProperty),
  ImportExpression: refuseSyntax(UNSUPPORTED.ImportExpression),
}

/** Names that are no variables. Numbers that are none have no value in this language. */
export const CONSTANTS: readonly string[] = ['undefined', 'NaN']

/**
 * The value of a name. @throws Missing if there is no such variable: a condition such as `plan != "free"` would otherwise be
 * true for everybody, although its author meant only some readers
 */
function named(name: string, scope: Readonly<Record<string, unknown>>, names: Names | null): unknown {
  const parameters = parametersWith(name, names)
  if (parameters) return parameters.get(name)
  if (!Object.hasOwn(scope, name) && !CONSTANTS.includes(name))
    throw new Missing(`There is no variable "${name}"`)
  return property(scope, name)
}

/** The parameters that have a name: those of the innermost function that has it. */
function parametersWith(name: string, names: Names | null): Names['values'] | undefined {
  for (let here = names; here; here = here.outer) if (here.values.has(name)) return here.values
  return undefined
}

/** Whether a part of an expression is the name of a variable, and not of a parameter. All members of a variable are known. */
function isVariable(node: Expression | Super, names: Names | null): boolean {
  return node.type === 'Identifier' && !parametersWith(node.name, names)
}

function part(node: Expression | Super): Expression {
  if (node.type !== 'Super') return node
  throw new Refused(unsupportedSyntax('super'))
}

function propertyName({ computed, property: name }: MemberExpression, run: Run, names: Names | null): string {
  if (name.type === 'PrivateIdentifier') throw new Refused(because('expression-private-name'))
  if (!computed && name.type === 'Identifier') return name.name
  return valueToText(nodeValue(name, run, names), run.budget)
}

function spread({ argument }: SpreadElement, run: Run, names: Names | null): readonly unknown[] {
  const value = nodeValue(argument, run, names)
  if (isList(value)) return run.budget.list(value)
  if (typeof value === 'string') return Array.from(run.budget.text(value))
  throw new Refused(because('expression-not-spread'))
}

function fieldsOf({ argument }: SpreadElement, run: Run, names: Names | null): [string, unknown][] {
  const value = nodeValue(argument, run, names)
  if (!isPlainObject(value)) return []
  const keys = run.budget.list(Object.keys(value))
  run.budget.spend(keys.length)
  return keys.map((name) => [name, property(value, name)])
}

function field(
  { kind, method, computed, key, value }: Property,
  run: Run,
  names: Names | null,
): [string, unknown] {
  if (kind !== 'init' || method) throw new Refused(because('expression-method-definition'))
  const name =
    !computed && key.type === 'Identifier' ? key.name : valueToText(nodeValue(key, run, names), run.budget)
  return [name, nodeValue(value, run, names)]
}

function called(node: CallExpression, run: Run, names: Names | null): unknown {
  const { callee, arguments: given } = node
  if (callee.type !== 'MemberExpression') throw new Missing('Only methods can be called')

  const object = part(callee.object)
  const pattern = asPattern(object)
  const self = pattern ?? nodeValue(object, run, names)
  const name = propertyName(callee, run, names)
  const args = given.flatMap((arg) => argumentsOf(arg, run, names))
  return pattern ? callPattern(pattern, name, args, run.budget) : callMethod(self, name, args, run.budget)
}

function asPattern(node: Expression): Pattern | undefined {
  return node.type === 'Literal' && node.regex ? patternOf(node.regex.pattern, node.regex.flags) : undefined
}

function argumentsOf(node: Expression | SpreadElement, run: Run, names: Names | null): Argument[] {
  if (node.type === 'SpreadElement')
    return spread(node, run, names).map((value) => ({ kind: 'value', value }))
  if (node.type === 'ArrowFunctionExpression') return [{ kind: 'callback', call: callback(node, run, names) }]
  const pattern = asPattern(node)
  return [pattern ? { kind: 'pattern', pattern } : { kind: 'value', value: nodeValue(node, run, names) }]
}

function callback(
  node: ArrowFunctionExpression,
  run: Run,
  outer: Names | null,
): (...values: unknown[]) => unknown {
  const { body, params, async } = node
  if (async || body.type === 'BlockStatement') throw new Refused(because('expression-function-form'))
  const parameters = params.map((param) => {
    if (param.type === 'Identifier') return param.name
    throw new Refused(because('expression-function-parameters'))
  })
  return (...values) =>
    nodeValue(body, run, { values: new Map(parameters.map((name, i) => [name, values[i]])), outer })
}

// Chains such as a || b || c nest to the left. A loop evaluates them, so that a long chain does not count as depth.

function binary(node: BinaryExpression, run: Run, names: Names | null): unknown {
  const chain = [node]
  for (let left = node.left; left.type === 'BinaryExpression'; left = left.left) chain.push(left)
  const { left: start } = needLast(chain)
  if (start.type === 'PrivateIdentifier') throw new Refused(because('expression-private-name'))
  return chain.reduceRight(
    (value, { operator, right }) => {
      run.budget.spend(1)
      return BINARY[operator](value, nodeValue(right, run, names), run.budget)
    },
    nodeValue(start, run, names),
  )
}

function logical(node: LogicalExpression, run: Run, names: Names | null): unknown {
  const chain = [node]
  for (let { left } = node; left.type === 'LogicalExpression'; { left } = left) chain.push(left)
  return chain.reduceRight(
    (value, { operator, right }) => (DECIDED[operator](value) ? value : nodeValue(right, run, names)),
    nodeValue(needLast(chain).left, run, names),
  )
}
