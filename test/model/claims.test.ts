import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimsSchema } from '../../src/model/sites/adaptive-schema.ts'
import { acceptedClaims, contextOf } from '../../src/model/sites/claims.ts'

const description = ''
const schema: ClaimsSchema = {
  type: 'object',
  properties: {
    beta: { type: 'boolean', description },
    plan: { type: 'string', enum: ['free', 'pro'], description },
    name: { type: 'string', description },
    seats: { type: 'number', description },
    tags: { type: 'array', description, items: { type: 'string', enum: ['a', 'b'], description } },
    company: {
      type: 'object',
      description,
      properties: { large: { type: 'boolean', description } },
      additionalProperties: false,
    },
    unsigned: {
      type: 'object',
      description,
      properties: { dark: { type: 'boolean', description } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

test('claims with the declared types are accepted, and nothing else', () => {
  const claims = {
    beta: true,
    plan: 'pro',
    name: 'Ada',
    seats: 3,
    tags: ['a', 'c', 1],
    company: { large: true, more: 1 },
    exp: 1,
    admin: true,
  }
  assert.deepEqual(acceptedClaims(schema, claims, { dark: true, beta: true }), {
    beta: true,
    plan: 'pro',
    name: 'Ada',
    seats: 3,
    tags: ['a'],
    company: { large: true },
    unsigned: { dark: true },
  })
  const wrong = {
    beta: 'true',
    plan: 'PRO',
    name: 'x'.repeat(1001),
    seats: Infinity,
    tags: 'a',
    company: [],
    unsigned: [],
  }
  assert.deepEqual(acceptedClaims(schema, wrong, {}), { unsigned: {} })
  assert.deepEqual(acceptedClaims(undefined, claims, { dark: true }), { unsigned: {} })
  const inherited: Record<string, unknown> = Object.create({ beta: true })
  assert.deepEqual(acceptedClaims(schema, inherited, {}), { unsigned: {} })
})

test('unsigned claims never become signed ones', () => {
  const accepted = acceptedClaims(schema, {}, { beta: true, plan: 'pro', unsigned: { dark: true } })
  assert.deepEqual(accepted, { unsigned: {} })
})

test('equal claims have one context, whatever their order, and no claims have none', () => {
  const one = contextOf({ plan: 'pro', company: { large: true, small: false }, unsigned: {} })
  const same = contextOf({ unsigned: {}, company: { small: false, large: true }, plan: 'pro' })
  assert.equal(one, same)
  assert.match(one, /^[\w-]{22}$/)
  assert.notEqual(contextOf({ plan: 'free', unsigned: {} }), one)
  assert.notEqual(
    contextOf({ tags: ['a', 'b'], unsigned: {} }),
    contextOf({ tags: ['b', 'a'], unsigned: {} }),
  )
  assert.equal(contextOf({ unsigned: {} }), '')
})
