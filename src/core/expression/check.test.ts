import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkExpression, CONDITION_VARIABLES } from './check.ts'
import { evaluate, evaluator, isTrue } from './expression.ts'

const REFUSED: [string, RegExp][] = [
  ['visitor.claims?.plan', /^\?\. is not supported at column 15$/],
  ['visitor.claims.f?.("x")', /^\?\. is not supported at column 17$/],
  ['a=1', /^An assignment is not supported at column 2$/],
  ['true || import("x")', /^import is not supported at column 9$/],
  ['new Date()', /^new is not supported at column 1$/],
  ['this', /^this is not supported at column 1$/],
  ['a &&\n  x++', /^\+\+ or -- is not supported at line 2, column 3$/],
  ['delete a.b', /^delete is not supported at column 1$/],
  ['1 instanceof a', /^instanceof is not supported at column 3$/],
  ['1n == a', /^Numbers that end in n .* at column 1$/],
  ['a == /b/', /^A regular expression can only .* at column 6$/],
  ['/a/.source', /^A regular expression can only .* at column 1$/],
  ['/(a+)+$/.test(b)', / at column 1$/],
  ['a.some((x) => /a/)', /^A regular expression can only .* at column 15$/],
  ['x => x', /^A function can only be given to a method.* at column 1$/],
  ['[1].map((x) => { return x })', /^Only functions like .* at column 9$/],
  ['[1].map(async (x) => x)', /^Only functions like .* at column 9$/],
  ['[1].map(({ a }) => a)', /^Only plain parameters .* at column 9$/],
  ['({ get a() { return 1 } })', /^A method is not supported at column 4$/],
  ['({ a: [{ b: class {} }] })', /^class is not supported at column 13$/],
  ['`a${tag`x`}`', /^A tagged template is not supported at column 5$/],
  ['isBeta(visitor)', /^Only methods can be called.* at column 1$/],
  ['a ==', /^Unexpected token at column 5$/],
]

test('refuses what can be parsed but not evaluated, with its place', () => {
  for (const [text, expected] of REFUSED) {
    const checked = checkExpression(text)
    assert(!checked.ok, text)
    assert.match(checked.error.message, expected, text)
  }
})

const ACCEPTED = [
  'visitor.claims.isBetaUser == true && !visitor.claims.unsigned.flag_A',
  "'a' in visitor.claims.tags || space.vars.MAJOR >= 2 ? 1 : (2, `${3}`)",
  'visitor.claims.plans.some((plan, i) => plan["level"] > i + 1)',
  '/^v/i.test(space.vars.version) && "aab".replace(/a/g, (m) => m + "!").length > 1',
  '({ a: 1, ["b"]: [...visitor.claims.tags], ...{} }).a ?? -1',
  'a.b.c[d].e.f()',
]

const UNKNOWN: [expression: string, name: string, column: number][] = [
  ['plan == "pro"', 'plan', 1],
  ['visitor.claims.plan == pro', 'pro', 24],
  ['visitor.claims[plan]', 'plan', 16],
  ['Math.max(1) > 0', 'Math', 1],
  ['({ a: 1, [b]: 2 })', 'b', 11],
  ['({ page, plan })', 'plan', 10],
  ['visitor.claims.plans.some((plan) => plan == tier) || plan', 'tier', 45],
  ['visitor.claims.plans.some((plan) => plan) || plan', 'plan', 46],
  ['`${plan} ${tier}`', 'plan', 4],
  ['a && b', 'a', 1],
  ['visitor.plan == "pro"', 'visitor.plan', 1],
  ['visitor.claims.a && visitor["plan"].tier', 'visitor.plan', 21],
  ['!space.plan', 'space.plan', 2],
  ['page.claims.a', 'page.claims', 1],
  ['visitor.claims.plans.some((page) => page.plan == space.title)', 'space.title', 50],
  ['visitor.constructor', 'visitor.constructor', 1],
]

test('names the first variable that an expression cannot read, with its place', () => {
  for (const [text, name, column] of UNKNOWN) {
    assert.equal(checkExpression(text).ok, true, text)
    const fault = `"${name}" is not a variable (visitor.claims, space.vars, page.vars)`
    assert.deepEqual(checkExpression(text, CONDITION_VARIABLES), {
      ok: false,
      error: {
        message: `${fault} at column ${column}`,
        reason: 'expression-at-column',
        parameters: {
          column,
          name,
          names: 'visitor.claims, space.vars, page.vars',
          faultReason: 'expression-variable-unknown',
          fault,
        },
      },
    })
  }
  for (const text of [
    'visitor.claims.plan !== undefined && { plan: 1 }.plan && page["vars"].plan && space.vars.plan',
    '"claims" in visitor && visitor[page.vars.name] && { visitor }.visitor && [space].length',
    'visitor.claims.plans.some((visitor) => visitor.plan) && page[`vars`].plan',
    'visitor.claims.plans.some((plan, i) => plan.tiers.some((tier) => tier == plan.best || i > 1))',
  ])
    assert.equal(checkExpression(text, CONDITION_VARIABLES).ok, true, text)
  assert.equal(checkExpression('actor.id', ['actor', 'space']).ok, true)
})

const CONSTANT = [
  `"visitor.claims.plan == 'pro'"`,
  "'visitor.claims.a'",
  '`visitor.claims.a`',
  '`${visitor.claims.plan == "pro"}`',
  '("space.vars.beta")',
  "'page.vars.beta' && true",
  'false || "visitor.claims.a"',
  'visitor.claims.a || "visitor.claims.b"',
  'visitor.claims.a ?? "visitor.claims.b"',
  'visitor.claims.none ? false : "visitor.claims.b"',
  '(1, "visitor.claims.b")',
  '!!"visitor.claims.a"',
  '"visitor.claims.plan" != "pro"',
  '!("visitor.claims.plan" == "pro")',
  '"visitor.claims.plan".length > 2',
  '({ a: "visitor.claims.a" }).a.length',
  '[1].some((one) => "visitor.claims.a")',
  '[visitor.claims.plan == "pro"]',
  '["visitor.claims.a"]',
  '[]',
  '[...visitor.claims.tags] && true',
  'visitor.claims.none || [visitor.claims.none]',
  '!![visitor.claims.none]',
  '({ plan: visitor.claims.plan })',
  '["visitor.claims.a"].length',
  '"claims" != "visitor[0]"',
]

const VARYING = [
  'visitor.claims.plan == "pro"',
  '["a", "pro"].includes(visitor.claims.plan)',
  '"a" in { a: 1 } && "plan" in visitor.claims',
  '"a" in visitor.claims || true',
  'true',
  '"yes"',
  '!["b"].includes(visitor.claims.plan)',
  'visitor.claims.plan != "visitor.claims.plan"',
  '`${visitor.claims.plan}` == "pro"',
  '[visitor.claims.plan][0] == "pro"',
  '["pro"].some((one) => one == visitor.claims.plan)',
  'visitor.claims.tags.filter((tag) => tag == "a").length > 0',
]

test('nobody meets a condition that is constant only because of its quotes or brackets', () => {
  const claims = { plan: 'pro', tags: ['a'] }
  const scope = { visitor: { claims }, space: { vars: {} }, page: { vars: {} } }
  for (const text of CONSTANT) {
    const checked = checkExpression(text, CONDITION_VARIABLES)
    assert(!checked.ok, text)
    assert.match(checked.error.message, /nobody meets the condition: .* at column \d+$/, text)
    assert.equal(checkExpression(text).ok, true, text)
    assert.equal(evaluate(text, scope).ok, true, text)
    assert.equal(isTrue(text, evaluator(scope)), false, text)
  }
  for (const text of VARYING) {
    assert.equal(checkExpression(text, CONDITION_VARIABLES).ok, true, text)
    assert.equal(isTrue(text, evaluator(scope)), true, text)
  }
})

test('accepts what the evaluator evaluates', () => {
  for (const text of ACCEPTED) {
    assert.equal(checkExpression(text).ok, true, text)
    const claims = { tags: ['a'], plans: [{ level: 3 }] }
    const outcome = evaluate(text, { visitor: { claims }, space: { vars: { version: 'v2', MAJOR: 2 } } })
    assert.equal(outcome.ok, true, text)
  }
})

test('a condition with an unknown variable is met by nobody, also if it compares or negates it', () => {
  const scope = { visitor: { claims: {} }, space: { vars: {} }, page: { vars: {} } }
  for (const text of [
    'plan == "pro"',
    'plan != "pro"',
    '!plan',
    '!(plan == "pro")',
    'typeof plan == "undefined"',
    'plan === undefined',
    'plan ?? true',
    'visitor.claims.plan == pro',
    'visitor.claims.plan || !beta',
    '[plan].length > 0',
    '({ plan: plan }) != null',
    '["a"].some((one) => one != plan)',
    'visitor.plan != "pro"',
    '!space.plan',
    'page["plan"] === undefined',
  ]) {
    assert.equal(checkExpression(text, CONDITION_VARIABLES).ok, false, text)
    assert.equal(isTrue(text, evaluator(scope)), false, text)
  }
  assert.equal(isTrue('visitor.claims.plan != "pro"', evaluator(scope)), true)
})
