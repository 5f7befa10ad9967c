import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, evaluator, isTrue, parseExpression } from './expression.ts'

const scope = {
  visitor: {
    claims: {
      x: 1,
      isBetaUser: true,
      name: 'Ada',
      nothing: null,
      tags: ['a', 'b'],
      plans: [{ level: 1 }, { level: 3 }],
      unsigned: { persona: 'partner', bucket: { IF_BLOCK: true } },
    },
  },
  space: { vars: { version: '2.10', MAJOR: 2 } },
  page: { vars: {} },
}

function valueOf(expression: string): unknown {
  const outcome = evaluate(expression, scope)
  if (!outcome.ok) assert.fail(`${expression}: ${outcome.error.message}`)
  return outcome.value
}

function errorOf(expression: string): string {
  const outcome = evaluate(expression, scope)
  if (outcome.ok) assert.fail(`${expression} is ${JSON.stringify(outcome.value)}`)
  return outcome.error.message
}

/** Expressions stand apart by line ends or two spaces. */
function listed(text: string): string[] {
  return text.trim().split(/\s{2,}|\n/)
}

test('the conditions people write', () => {
  const shown: [string, boolean][] = [
    ['visitor.claims.isBetaUser == true', true],
    ['visitor.claims.unsigned.persona !== "partner"', false],
    ['!visitor.claims.unsigned.flag_A', true],
    ['visitor.claims.unsigned.bucket.IF_BLOCK === true', true],
    ["'a' in visitor.claims.tags", true],
    ['visitor.claims.tags.includes("c") || space.vars.MAJOR >= 2', true],
    ['visitor.claims.name.toLowerCase().startsWith("a") ? page.vars : false', true],
    ['visitor.claims.plans.some((plan) => plan.level > visitor.claims.x + 1)', true],
    ['visitor.claims.plans.every(plan => plan.level > 1)', false],
  ]
  for (const [expression, expected] of shown)
    assert.equal(isTrue(expression, evaluator(scope)), expected, expression)
})

test('no condition is true, one that fails is false', () => {
  for (const none of [undefined, '', ' \n\t']) assert.equal(isTrue(none, evaluator(scope)), true)
  for (const bad of ['1 +', 'a; b', '{}', 'if (1) 2', 'visitor?.claims', 'x = 1', `'${'a'.repeat(1023)}'`]) {
    assert.equal(isTrue(bad, evaluator(scope)), false, bad)
  }
})

const LIKE_JAVASCRIPT = String.raw`
  1 + 2 * 3 - 4 / 5 % 6  2 ** 3 ** 2  7 & 3 | 8 ^ 1  1 << 4 >> 1 >>> 1  ~5  -"3"  +"4"  !0  void 1  1e309  -0  0x10
  1 == "1"  1 === "1"  null == undefined  null == 0  "" == 0  true == 1  [2] == 2  [1,2] == "1,2"  1 != 1  "1" !== 1
  [1] == [1]  ({}) == "[object Object]"  "a" == "a"  "2" == "2.0"  false == "0"  NaN == NaN  "a" != "b"  null === null
  1 < 2  "b" > "a"  "10" < 9  1 <= 1  2 >= 3  undefined < 1  undefined >= 1  null <= 0  "a" < 1  [2] > 1  "B" < "a"
  0 || "x"  1 && 2  null ?? 3  0 ?? 3  0 || null ? 1 : 2  (1, 2)  1 ? 2 ? 3 : 4 : 5  1 && 0 || 2 && 3  0 && 1 || 0
  typeof 1  typeof "a"  typeof null  typeof [1]  typeof {}.a  "a" + 1 + 2  1 + null  1 + [2]  "" + {}  [] + []  true + 1
  "abc"[1]  "abc"["length"]  "abc"[9]  [1, 2][1]  [1,2]["01"]  [,1]["length"]  ({ a: { b: 2 } }).a.b  [[1], [2]]
  [...[1, 2], ..."ab", 3]  ({ a: 1, ["b" + 1]: 2, ...{ c: 3 }, "d e": 4, 5: 6 })  "abc".length == 3  ({ a: 1, a: 2 })
  "abc".at(-1)  "abc".at()  "abc".charAt(1)  "a".concat("b", 1)  "abc".endsWith("bc")  "abc".includes("b", 2)
  "abcb".indexOf("b", 2)  "abcb".lastIndexOf("b")  "5".padStart(3, "0")  "5".padEnd(3)  "ab".repeat(3)  "ab".repeat()
  "abcd".slice(1, -1)  "abcd".substring(2)  "a,b".split(",")  "ab".split("")  "ab".split()  "a,b,c".split(",", 2)
  " a ".trim()  " a ".trimStart()  " a ".trimEnd()  "aB".toUpperCase()  "aB".toLowerCase()  "a".toString()
  "abc".startsWith("b", 1)  "undefined".includes()  "null".includes(null)  "1,2".includes([1, 2])  "abc".slice("1")
  "aab".replace("a", "x")  "aab".replaceAll("a", "x")  "a-b".replace("-", "$$$&$1")  "x".replace("x", "$")
  "abc".replace(/(b)(c)?/, "[$1$2$3$10]")  "aXbX".replace(/x/gi, m => m + "!")  "ab".replace(/(z)?b/, "<$1$0>")
  "b1".replace(/([a-z])(\d)/, (m, a, b, at) => b + a + at)  "v2.10".replace(/^v/, "")  "abab".replaceAll(/a/g, "$&$&")
  /^a+$/.test("aaa")  /B/i.test("abc")  "abc".match(/b(c)/)  "abab".match(/a/g)  "abc".match(/z/)  "abc".search(/c/)
  "a1b22c".split(/\d+/)  /^[^@\s]+@(acme|example)\.(com|org)$/.test("ada@example.org")  /a/.test("bcd")  /null/.test(null)
  [1, 2, 3].at(-1)  [1].concat([2], 3)  [1, 2].every(x => x)  [1, 2, 3].filter((x, i) => x > 1 && i < 2)
  [1, 2].find(x => x > 1)  [1, 2].findIndex(x => x > 5)  [[1, [2]], 3].flat()  [[1, [2]], 3].flat(5)  [[1]].flat(0)
  [1, 2].flatMap(x => [x, [x]])  [1, NaN].includes(2)  [1, 2, 1].indexOf(1, 1)  [1, null, 2].join("-")  [1, 2].join()
  [1, 2, 1].lastIndexOf(1)  [1, 2].map((x, i, all) => x + i + all.length)  [1, 2, 3].reduce((sum, x) => sum + x)
  [1, 2].reduce((all, x) => all + x, "")  [1, 2, 3].slice(1)  [].some(x => x)  [1, [2]].toString()  [3, 4].some((x, i) => i)
  1.25.toFixed(1)  255..toString(16)  true.toString()  ({ a: 1 }).hasOwnProperty("a")  ({ a: 1 }).hasOwnProperty("b")
  [1, 2].map(x => [3].map(y => x + y))  [1].map(x => [2].map(x => x))  [[1, 2]].map(x => [...x, 3])  ({}).toString()
`

test('operators and methods give what JavaScript gives', () => {
  const expressions = [...listed(LIKE_JAVASCRIPT), '`a${1}b${[1, [2, null]]}c${null}${{}}`', '`\\u0041\\n`']
  for (const expression of expressions) {
    // oxlint-disable-next-line typescript/no-implied-eval -- the reference is the language itself, for expressions of ours
    const expected: unknown = new Function(`const NaN = undefined; return (${expression})`)()
    const plain = [valueOf(expression), expected].map((value) => [
      JSON.stringify(value),
      typeof value,
      Object.is(value, -0),
    ])
    assert.deepEqual(plain[0], plain[1], expression)
  }
})

test('"in" asks for membership of an array or text, and for a key of an object', () => {
  assert.equal(valueOf('"a" in visitor.claims.tags'), true)
  assert.equal(valueOf('0 in visitor.claims.tags'), false)
  assert.equal(valueOf('"length" in visitor.claims.tags'), false)
  assert.equal(valueOf('"da" in visitor.claims.name'), true)
  assert.equal(valueOf('"x" in visitor.claims'), true)
  assert.equal(valueOf('"toString" in visitor.claims'), false)
  assert.match(errorOf('"a" in visitor.claims.missing'), /"in"/)
})

test('what is missing is undefined', () => {
  assert.equal(valueOf('visitor.claims.gone == true'), false)
  assert.equal(valueOf('!visitor.claims.gone'), true)
  assert.equal(valueOf('visitor.claims.gone !== "p"'), true)
  assert.equal(valueOf('visitor.claims.gone ?? "d"'), 'd')
  assert.equal(valueOf('visitor.claims.x.y || true'), true)
  assert.equal(valueOf('visitor.claims["gone"] === undefined'), true)
})

const POISONED = `
  visitor.claims.a.b || true  !visitor.claims.a.b  visitor.claims.nothing.x || true  [visitor.claims.a.b]
  visitor.claims.a.b == undefined  1 + visitor.claims.a.b  visitor.claims.a.b ? 1 : 2  typeof visitor.claims.a.b
  visitor.claims.a.includes("x") || true  !visitor.claims.name.foo()  foo() || true  !foo.bar  Math.max(1) || true
  visitor.claims.plans.some(plan => plan.a.b) || true  visitor.claims.tags[9].x || true  undefined.x || true
`

test('what is read from something missing makes the whole expression undefined, unless it is not reached', () => {
  for (const expression of listed(POISONED)) {
    assert.equal(valueOf(expression), undefined, expression)
    assert.equal(isTrue(expression, evaluator(scope)), false, expression)
  }
  assert.equal(valueOf('true || visitor.claims.a.b'), true)
  assert.equal(valueOf('false && visitor.claims.a.b'), false)
})

const REFUSED = `
  visitor?.claims  visitor.claims?.["x"]  x = 1  x += 1  x++  await 1  new Date()  this  import("fs")  function () {}
  (function () {})  (class {})  delete visitor.claims  1 instanceof 2  tag\`x\`  1n  /a/  x => x  [x => x]  (x => x) + ""
  typeof (x => x)  [1].map(x => { return x })  [1].map(async x => x)  [1].map(({ a }) => a)  [1].map((...a) => a)
  [1].map((a = 2) => a)  ({ get a() { return 1 } })  ({ a() {} })  a; b  var a  {}  // c  [1].map("a")  "a".includes(/a/)
  "a".match("a")  [1].includes(x => x)  super.x  new.target  #a in visitor  [].reduce((a, b) => a)  1..toFixed(101)
`

test('refuses what is not part of the language, and says so', () => {
  for (const expression of ['', ...listed(REFUSED)]) assert.ok(errorOf(expression).length > 5, expression)
  assert.match(errorOf('visitor?.claims'), /\?\. is not supported/)
  assert.match(errorOf('(x => x)'), /A function can only be given to a method/)
  assert.match(errorOf(`'${'a'.repeat(1023)}'`), /at most 1024 characters/)
  assert.equal(valueOf(`'${'a'.repeat(1022)}'`), 'a'.repeat(1022))
})

test('a parsed expression is evaluated as often as needed', () => {
  const parsed = parseExpression('n * 2')
  assert.deepEqual(
    [1, 2, 3].map((n) => evaluate(parsed, { n })),
    [2, 4, 6].map((value) => ({ ok: true, value })),
  )
  assert.deepEqual(evaluate(parseExpression('a b'), {}), evaluate('a b', {}))
})

test('a syntax error names its place, as an editor shows it', () => {
  const places: [text: string, message: RegExp, reason?: string][] = [
    ['visitor.claims.plan ==', /^Unexpected token at column 23$/, 'expression-unexpected'],
    ['a b', /^Unexpected token at column 3$/, 'expression-unexpected'],
    ['a\n== )', /^Unexpected token at line 2, column 4$/, 'expression-unexpected'],
    ['a == “b”', /^Unexpected character '“' at column 6$/, 'expression-unexpected-character'],
    ["'open", /^Unterminated string constant at column 1$/, 'expression-text-open'],
    ['`open', /^Unterminated template at column 2$/, 'expression-template-open'],
    ['/open', /^Unterminated regular expression at column 2$/, 'expression-pattern-open'],
    ['1; 2', /unexpected text at column 4$/, 'expression-not-one'],
    ['let x = 1', /unexpected text at column 1$/, 'expression-not-one'],
    ['', /unexpected text at column 1$/, 'expression-not-one'],
    // The words of the parser that have no reason
    ['1 = 2', /^Assigning to rvalue at column 1$/],
  ]
  for (const [text, expected, reason] of places) {
    const parsed = parseExpression(text)
    assert(!parsed.ok, text)
    assert.match(parsed.error.message, expected, text)
    assert.equal(parsed.error.parameters?.faultReason, reason, text)
  }
})
