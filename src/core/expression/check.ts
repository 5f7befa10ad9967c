/** Checks expressions when they are set: what the language lacks is refused then, and not only where it is evaluated. */
import type { AnyNode, CallExpression, MemberExpression } from 'acorn'
import { constantPart } from './constant-conditions.ts'
import { CONSTANTS, type Parsed, parseExpression, UNSUPPORTED } from './expression.ts'
import { atPlace } from './faults.ts'
import { isRecord } from '../data/is-record.ts'
import { patternOf } from './pattern.ts'
import { Refused, unsupportedSyntax } from './values.ts'
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf, type Reasoned, reasonFields } from '../languages/reasoned.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** What conditions can read. */
export const CONDITION_VARIABLES = ['visitor.claims', 'space.vars', 'page.vars'] as const

/**
 * Parses an expression that is being set. An expression that can be parsed, but not evaluated, or that reads an unknown variable,
 * has an error too, which names the line and the column. So has a condition that is constant, see `constantPart`. It takes
 * time in proportion to the length of the text.
 * @param variables what the expression can read, such as `actor` or `visitor.claims`; without them, it may read anything
 */
export function checkExpression(text: string, variables?: readonly string[]): Parsed {
  const parsed = parseExpression(text)
  if (!parsed.ok) return parsed
  const known = variables && membersOf(variables)
  let unknown: SyntaxFault | undefined
  const open: Part[] = [{ node: parsed.expression, place: 'value', parameters: null }]
  for (let part = open.pop(); part; part = open.pop()) {
    const fault = partFault(part, text)
    if (fault) return { ok: false, error: atPlace(fault.why, text, fault.at) }
    const name = known && unknownIn(part, known)
    if (name !== undefined) unknown ??= { why: variableUnknown(name, variables), at: part.node.start }
    for (const inner of nodeParts(part).toReversed()) open.push(inner)
  }
  const fault = unknown ?? (variables === CONDITION_VARIABLES ? constantPart(parsed.expression) : undefined)
  return fault ? { ok: false, error: atPlace(fault.why, text, fault.at) } : parsed
}

/** The members of each variable that have to be named; undefined for a variable that is named alone. */
function membersOf(variables: readonly string[]): Map<string, Set<string> | undefined> {
  const known = new Map<string, Set<string> | undefined>(CONSTANTS.map((name) => [name, undefined]))
  for (const variable of variables) {
    const [name = '', member] = variable.split('.')
    if (member === undefined) known.set(name, undefined)
    else known.set(name, (known.get(name) ?? new Set()).add(member))
  }
  return known
}

/** The name of a part that reads a variable, or a member of one, that is not known. */
function unknownIn(
  { node, parameters }: Part,
  known: ReadonlyMap<string, ReadonlySet<string> | undefined>,
): string | undefined {
  if (node.type === 'Identifier')
    return known.has(node.name) || isParameter(node.name, parameters) ? undefined : node.name
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined
  const { name } = node.object
  const member = constantMember(node)
  const members = known.get(name)
  if (member === undefined || !members || members.has(member) || isParameter(name, parameters))
    return undefined
  return `${name}.${member}`
}

/** The name of the member that an access reads, if it is in the expression. */
function constantMember({ property, computed }: MemberExpression): string | undefined {
  if (property.type === 'Identifier') return computed ? undefined : property.name
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

const variableUnknown = (name: string, variables: readonly string[] = []) =>
  because('expression-variable-unknown', { name, names: variables.join(', ') })

/** A part of an expression, and whether it is what a call calls, the object of that, an argument, or another value. */
interface Part {
  node: AnyNode
  place: 'value' | 'callee' | 'object' | 'argument'
  parameters: Parameters | null
}

/** The parameters of the functions around a part, the innermost first. */
interface Parameters {
  names: ReadonlySet<string>
  outer: Parameters | null
}

function isParameter(name: string, parameters: Parameters | null): boolean {
  for (let here = parameters; here; here = here.outer) if (here.names.has(name)) return true
  return false
}

interface SyntaxFault {
  why: Reasoned
  at: number
}

function partFault({ node, place }: Part, text: string): SyntaxFault | undefined {
  const fault = (why: Reasoned, at = node.start): SyntaxFault => ({ why, at })
  switch (node.type) {
    case 'MemberExpression':
    case 'CallExpression':
      return faultOfAccess(node, text)
    case 'Literal':
      if (node.bigint !== undefined) return fault(because('expression-large-number'))
      if (!node.regex) return undefined
      if (place !== 'argument' && place !== 'object') return fault(because('expression-pattern-not-searched'))
      return faultOfPattern(node.regex.pattern, node.regex.flags, node.start)
    case 'ArrowFunctionExpression':
      if (place !== 'argument') return fault(because('expression-function-not-given'))
      if (node.async || node.body.type === 'BlockStatement') return fault(because('expression-function-form'))
      return node.params.every(({ type }) => type === 'Identifier')
        ? undefined
        : fault(because('expression-function-parameters'))
    case 'Property':
      return node.kind === 'init' && !node.method ? undefined : fault(because('expression-method-definition'))
    case 'UnaryExpression':
      return node.operator === 'delete' ? fault(unsupportedSyntax('delete')) : undefined
    case 'BinaryExpression':
      return node.operator === 'instanceof'
        ? fault(unsupportedSyntax('instanceof'), text.lastIndexOf('instanceof', node.right.start))
        : undefined
    case 'AssignmentExpression':
      return fault(UNSUPPORTED.AssignmentExpression, text.indexOf(node.operator, node.left.end))
    // The place of the error is that of the access in the chain.
    case 'ChainExpression':
      return undefined
    default:
      return Object.hasOwn(UNSUPPORTED, node.type)
        ? fault(UNSUPPORTED[node.type as keyof typeof UNSUPPORTED])
        : undefined
  }
}

function faultOfAccess(node: MemberExpression | CallExpression, text: string): SyntaxFault | undefined {
  const before = node.type === 'CallExpression' ? node.callee : node.object
  if (node.optional) return { why: UNSUPPORTED.ChainExpression, at: text.indexOf('?.', before.end) }
  if (node.type === 'MemberExpression' || node.callee.type === 'MemberExpression') return undefined
  return { why: because('expression-no-functions'), at: node.start }
}

function faultOfPattern(pattern: string, flags: string, at: number): SyntaxFault | undefined {
  try {
    patternOf(pattern, flags)
    return undefined
  } catch (error) {
    if (error instanceof Refused) return { why: reasonFields(error), at }
    throw error
  }
}

function nodeParts({ node, place, parameters }: Part): Part[] {
  const partPlace = (name: string): Part['place'] => {
    if (node.type === 'CallExpression') return name === 'callee' ? 'callee' : 'argument'
    return name === 'object' && place === 'callee' ? 'object' : 'value'
  }
  const inner =
    node.type === 'ArrowFunctionExpression'
      ? {
          names: new Set(node.params.flatMap((one) => (one.type === 'Identifier' ? [one.name] : []))),
          outer: parameters,
        }
      : parameters
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    isName(node, name)
      ? []
      : (Array.isArray(value) ? value : [value])
          .filter(isNode)
          .map((one): Part => ({ node: one, place: partPlace(name), parameters: inner })),
  )
}

/** Whether a child is the name of a property or a key, which is no variable. */
function isName(node: AnyNode, child: string): boolean {
  if (node.type === 'MemberExpression') return child === 'property' && !node.computed
  return node.type === 'Property' && child === 'key' && !node.computed
}

const isNode = (value: unknown): value is AnyNode => isRecord(value) && typeof value.type === 'string'
