import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/http/errors.ts'
import { checkCondition } from '../../src/model/sites/condition.ts'

test('a condition that does not parse is refused with its path and its column', () => {
  assert.throws(
    () => checkCondition('body.condition', 'visitor.claims.plan =='),
    (error) =>
      error instanceof ApiError &&
      error.status === 400 &&
      error.message === 'body.condition is not a condition: Unexpected token at column 23' &&
      error.details?.[0]?.path === 'body.condition',
  )
})

test('a condition that is constant only because of its quotes or brackets is refused', () => {
  for (const text of [`"visitor.claims.plan == 'pro'"`, "'visitor.claims.a'", '["visitor.claims.a"]'])
    assert.throws(
      () => checkCondition('body.condition', text),
      (error) => error instanceof ApiError && error.status === 400 && /nobody meets/.test(error.message),
    )
})

test('a condition that parses, and a blank one, are accepted', () => {
  for (const text of ['visitor.claims.isBetaUser == true', '', '  \n'])
    assert.doesNotThrow(() => checkCondition('body.condition', text))
})
