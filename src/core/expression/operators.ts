/** The operators of condition expressions (`expression.ts`), as in JavaScript but on data only. */
import type { BinaryOperator, LogicalOperator, UnaryOperator } from 'acorn'
import {
  looselyEqual,
  isList,
  isPlainObject,
  isVisible,
  numberOf,
  primitive,
  refuseSyntax,
  unsupportedSyntax,
  Refused,
  strictlyEqual,
  valueToText,
} from './values.ts'
import type { Budget } from './values.ts'

/** The unary operators. */
export const UNARY: Record<UnaryOperator, (value: unknown, budget: Budget) => unknown> = {
  '!': (value) => !value,
  '-': (value, budget) => -numberOf(value, budget),
  '+': numberOf,
  '~': (value, budget) => ~numberOf(value, budget),
  typeof: (value) => typeof value,
  void: () => undefined,
  delete: refuseSyntax(unsupportedSyntax('delete')),
}

type Binary = (a: unknown, b: unknown, budget: Budget) => unknown

/** The binary operators. */
export const BINARY: Record<BinaryOperator, Binary> = {
  '==': looselyEqual,
  '!=': (a, b, budget) => !looselyEqual(a, b, budget),
  '===': strictlyEqual,
  '!==': (a, b, budget) => !strictlyEqual(a, b, budget),
  '<': (a, b, budget) => less(a, b, budget) === true,
  '>': (a, b, budget) => less(b, a, budget) === true,
  '<=': (a, b, budget) => less(b, a, budget) === false,
  '>=': (a, b, budget) => less(a, b, budget) === false,
  '+': sum,
  '-': onNumbers((a, b) => a - b),
  '*': onNumbers((a, b) => a * b),
  '/': onNumbers((a, b) => a / b),
  '%': onNumbers((a, b) => a % b),
  '**': onNumbers((a, b) => a ** b),
  '|': onNumbers((a, b) => a | b),
  '^': onNumbers((a, b) => a ^ b),
  '&': onNumbers((a, b) => a & b),
  '<<': onNumbers((a, b) => a << b),
  '>>': onNumbers((a, b) => a >> b),
  '>>>': onNumbers((a, b) => a >>> b),
  in: isIn,
  instanceof: refuseSyntax(unsupportedSyntax('instanceof')),
}

function onNumbers(compute: (a: number, b: number) => number): Binary {
  return (a, b, budget) => compute(numberOf(a, budget), numberOf(b, budget))
}

function sum(a: unknown, b: unknown, budget: Budget): unknown {
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  if (typeof x === 'string' || typeof y === 'string')
    return budget.text(valueToText(x, budget) + valueToText(y, budget))
  return Number(x) + Number(y)
}

/** `<`. Returns undefined if an operand is not a number. */
function less(a: unknown, b: unknown, budget: Budget): boolean | undefined {
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  if (typeof x === 'string' && typeof y === 'string') {
    budget.spend(Math.min(x.length, y.length) >> 6)
    return x < y
  }
  const [m, n] = [numberOf(x, budget), numberOf(y, budget)]
  return Number.isNaN(m) || Number.isNaN(n) ? undefined : m < n
}

/** Membership in an array or text, or existence of a key in an object. */
function isIn(what: unknown, where: unknown, budget: Budget): boolean {
  if (isList(where)) {
    return budget.list(where).includes(budget.lookUp(where, what))
  }
  const name = valueToText(what, budget)
  if (typeof where === 'string') return where.includes(budget.search(where, name))
  if (isPlainObject(where)) return isVisible(name) && Object.hasOwn(where, name)
  throw new Refused('The right side of "in" is neither an array, a text nor an object')
}

/** For each short-circuit operator: returns true if the left operand decides the result. */
export const DECIDED: Record<LogicalOperator, (left: unknown) => boolean> = {
  '&&': (left) => !left,
  '||': Boolean,
  '??': (left) => left !== undefined && left !== null,
}
