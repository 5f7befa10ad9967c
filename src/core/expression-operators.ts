/** The operators of condition expressions (`expression.ts`): JavaScript's, on data alone. */
import type { BinaryOperator, LogicalOperator, UnaryOperator } from 'acorn'
import {
  alike,
  isList,
  isRecord,
  isVisible,
  numberOf,
  primitive,
  refuse,
  Refused,
  same,
  textOf,
} from './expression-values.ts'
import type { Budget } from './expression-values.ts'

/** The operators before a value. */
export const UNARY: Record<UnaryOperator, (value: unknown, budget: Budget) => unknown> = {
  '!': (value) => !value,
  '-': (value, budget) => -numberOf(value, budget),
  '+': numberOf,
  '~': (value, budget) => ~numberOf(value, budget),
  typeof: (value) => typeof value,
  void: () => undefined,
  delete: refuse('delete'),
}

type Binary = (a: unknown, b: unknown, budget: Budget) => unknown

/** The operators between two values. */
export const BINARY: Record<BinaryOperator, Binary> = {
  '==': alike,
  '!=': (a, b, budget) => !alike(a, b, budget),
  '===': same,
  '!==': (a, b, budget) => !same(a, b, budget),
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
  instanceof: refuse('instanceof'),
}

function onNumbers(compute: (a: number, b: number) => number): Binary {
  return (a, b, budget) => compute(numberOf(a, budget), numberOf(b, budget))
}

function sum(a: unknown, b: unknown, budget: Budget): unknown {
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  if (typeof x === 'string' || typeof y === 'string')
    return budget.text(textOf(x, budget) + textOf(y, budget))
  return Number(x) + Number(y)
}

/** `<`; undefined if one is not a number. */
function less(a: unknown, b: unknown, budget: Budget): boolean | undefined {
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  if (typeof x === 'string' && typeof y === 'string') {
    budget.spend(Math.min(x.length, y.length) >> 6)
    return x < y
  }
  const [m, n] = [numberOf(x, budget), numberOf(y, budget)]
  return Number.isNaN(m) || Number.isNaN(n) ? undefined : m < n
}

/** Membership in an array or text, or presence of an object's key. */
function isIn(what: unknown, where: unknown, budget: Budget): boolean {
  if (isList(where)) {
    return budget.list(where).includes(what)
  }
  const name = textOf(what, budget)
  if (typeof where === 'string') return where.includes(name)
  if (isRecord(where)) return isVisible(name) && Object.hasOwn(where, name)
  throw new Refused('The right side of "in" is neither an array, a text nor an object')
}

/** Of the operators that may leave out their right side: whether the left side already decides. */
export const DECIDED: Record<LogicalOperator, (left: unknown) => boolean> = {
  '&&': (left) => !left,
  '||': Boolean,
  '??': (left) => left !== undefined && left !== null,
}
