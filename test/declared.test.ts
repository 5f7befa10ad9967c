import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { checkAnswer } from './declared.ts'
import { loadRoutes } from '../src/server/routes.ts'

const routes = await loadRoutes()
const [declared] = routes.filter(({ name }) => name === 'getSpaceById')
const Inner = Type.Object({ id: Type.String() })
const Answer = Type.Object({
  one: Inner,
  many: Type.Array(Inner),
  any: Type.Optional(Type.Record(Type.String(), Type.Null())),
})

test('the check of responses refuses a field that is not declared and one that is missing, at any depth', () => {
  assert(declared)
  const check = (answer: unknown) => checkAnswer({ ...declared.route, returns: Answer }, answer)
  check({ one: { id: 'a' }, many: [{ id: 'b' }], any: { thing: null } })
  for (const answer of [
    { one: { id: 'a' }, many: [], more: 1 },
    { one: { id: 'a', more: 1 }, many: [] },
    { one: { id: 'a' }, many: [{ id: 'a' }, { id: 'b', more: 1 }] },
    { one: { id: 'a' }, many: [{}] },
    { one: { id: 1 }, many: [] },
    { one: { id: 'a' } },
  ])
    assert.throws(() => check(answer), /answered what it does not declare/)
})

test('the schema of every response can be compiled', () => {
  for (const { route: one } of routes)
    if (one.returns && typeof one.returns !== 'string')
      assert.throws(() => checkAnswer(one, Symbol('nothing')), /answered what it does not declare/, one.path)
})
