/**
 * Conditions that are the same for every visitor only because something is in quotes or brackets, such as
 * `"visitor.claims.plan == 'pro'"` and `[visitor.claims.plan == "pro"]`. Nobody meets them: their author meant only some visitors.
 */
import type { AnyNode, ArrowFunctionExpression, Expression } from 'acorn'
import { isRecord } from '../data/is-record.ts'
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf, type Reasoned } from '../languages/reasoned.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** A variable of conditions in a text. */
const VARIABLE_NAME =
  /\bvisitor\s{0,9}\??\s{0,3}[.[]|\b(?:space|page)\s{0,9}\??\s{0,3}(?:\.\s{0,3}|\.?\s{0,3}\[\s{0,3}["'`])vars\b/iu
/** The variables that conditions read. */
const READ: ReadonlySet<string> = new Set(['visitor', 'space', 'page'])
/** Methods whose value depends on whether what a function returns is true. */
const TESTING: ReadonlySet<string> = new Set(['some', 'every', 'filter', 'find', 'findIndex'])

/** The part of an expression that makes it constant as a condition. */
interface ConstantPart {
  why: Reasoned
  /** Where the part is in the expression, in UTF-16 units. */
  at: number
}

const known = new WeakMap<Expression, ConstantPart | 'varies'>()

/** The first part that makes an expression constant as a condition, in the order of the source; undefined if there is none. */
export function constantPart(expression: Expression): ConstantPart | undefined {
  const before = known.get(expression) ?? findConstant(expression) ?? 'varies'
  known.set(expression, before)
  return before === 'varies' ? undefined : before
}

function findConstant(expression: Expression): ConstantPart | undefined {
  for (const node of testedParts(expression)) {
    if (node.type === 'ArrayExpression' || node.type === 'ObjectExpression')
      return { why: because('condition-in-brackets'), at: node.start }
    const isText = node.type === 'TemplateLiteral' && node.expressions.length > 0
    if (isText || namesVariable(node)) return { why: because('condition-in-quotes'), at: node.start }
  }
  // Whatever is done with the text, such as a comparison, the value is the same for everybody.
  let quoted: AnyNode | undefined
  for (const node of nodesIn(expression)) {
    if (node.type === 'Identifier' && READ.has(node.name)) return undefined
    if (namesVariable(node)) quoted ??= node
  }
  return quoted && { why: because('condition-in-quotes'), at: quoted.start }
}

/** The parts of an expression of which only counts whether they are true, in the order of the source. */
function* testedParts(expression: Expression): Generator<Expression> {
  const open: Expression[] = [expression]
  for (let node = open.pop(); node; node = open.pop()) {
    const inner = testedIn(node)
    if (inner.length === 0) yield node
    for (const one of inner.toReversed()) open.push(one)
  }
}

function testedIn(node: Expression): Expression[] {
  switch (node.type) {
    case 'LogicalExpression':
      return [node.left, node.right]
    case 'UnaryExpression':
      return node.operator === '!' ? [node.argument] : []
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate]
    case 'SequenceExpression':
      return node.expressions.slice(-1)
    case 'ParenthesizedExpression':
      return [node.expression]
    case 'CallExpression': {
      const { callee } = node
      const isTest =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        TESTING.has(callee.property.name)
      return isTest ? node.arguments.filter(isArrow).flatMap(({ body }) => testedBody(body)) : []
    }
    default:
      return []
  }
}

const isArrow = (node: AnyNode): node is ArrowFunctionExpression => node.type === 'ArrowFunctionExpression'

const testedBody = (body: ArrowFunctionExpression['body']): Expression[] =>
  body.type === 'BlockStatement' ? [] : [body]

/** Whether a node is a text that names a variable of conditions. */
function namesVariable(node: AnyNode): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string' && VARIABLE_NAME.test(node.value)
  return node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => VARIABLE_NAME.test(value.raw))
}

/** The nodes of an expression without the names of properties, in the order of the source. */
function* nodesIn(expression: Expression): Generator<AnyNode> {
  const open: AnyNode[] = [expression]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    const name =
      node.type === 'MemberExpression' && !node.computed
        ? node.property
        : node.type === 'Property' && !node.computed && !node.shorthand
          ? node.key
          : undefined
    const inner = Object.values(node)
      .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
      .filter((value) => isNode(value) && value !== name) as AnyNode[]
    for (const one of inner.toReversed()) open.push(one)
  }
}

const isNode = (value: unknown): value is AnyNode => isRecord(value) && typeof value.type === 'string'
