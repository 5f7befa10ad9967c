import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { evaluate } from './expression.ts'
import { holds } from '../../../test/property.ts'
import { cpuTime } from '../../../test/cpu.ts'

function valueOf(expression: string, within: Record<string, unknown>): unknown {
  const outcome = evaluate(expression, within)
  if (!outcome.ok) assert.fail(`${expression}: ${outcome.error.message}`)
  return outcome.value
}

function errorOf(expression: string, within: Record<string, unknown> = {}): string {
  const outcome = evaluate(expression, within)
  if (outcome.ok) assert.fail(`${expression} is ${JSON.stringify(outcome.value)?.slice(0, 100)}`)
  return outcome.error.message
}

/** Expressions stand apart by line ends or two spaces. */
function listed(text: string): string[] {
  return text.trim().split(/\s{2,}|\n/)
}

const NOWHERE = String.raw`
  constructor  prototype  __proto__  toString  valueOf  globalThis  Object  Math  JSON  Date  fetch  process  arguments
  visitor.constructor  visitor["__proto__"]  visitor["const" + "ructor"]  []["constructor"]  "a".constructor  eval("1")
  "a"["constructor"]  (1).constructor  true.constructor  [].map  "".at  ({}).toString  ({}).hasOwnProperty
  visitor[["constructor"]]  visitor.\u0063onstructor  ({ ["__proto__"]: { a: 1 } }).a  ({ __proto__: { a: 1 } }).a
  ({ constructor: 1 }).constructor  [].__proto__  [1].map(x => x.constructor)[0]  [1].map(x => x["__proto__"])[0]
  [].concat.constructor  [].map.call  "a".at.constructor("return 1")()  [].constructor.constructor("return 1")()
  [1].map((x, i, all) => all.constructor)[0]  "a".__defineGetter__("b", x => x)  "abc".match(/b/).constructor
  [].push(1)  [2, 1].sort()  [1].reverse()  [1].fill(2)  [1].splice(0)  visitor.claims.tags.push("c")  ({}).valueOf()
  ({ ...{ constructor: 1 } }).constructor  visitor.hasOwnProperty.constructor  visitor.claims.tags.constructor
`

test('nothing leads from data to the host', () => {
  const scope = { visitor: { claims: { tags: ['a'] } } }
  const before = structuredClone(scope)
  for (const expression of [...listed(NOWHERE), 'visitor[`__proto__`]']) {
    assert.equal(valueOf(expression, scope), undefined, expression)
  }
  assert.deepEqual(scope, before)
  assert.equal(valueOf('"constructor" in visitor', scope), false)
  assert.equal(valueOf('({}).hasOwnProperty("__proto__")', scope), false)
})

test('names that lead to the host are not there even as data', () => {
  const own: Record<string, unknown> = JSON.parse('{"claims":{"constructor":1,"prototype":2,"__proto__":3}}')
  for (const name of ['constructor', 'prototype', '__proto__']) {
    assert.equal(valueOf(`claims.${name} ?? claims["${name}"] ?? ({ ...claims }).${name}`, own), undefined)
    assert.equal(valueOf(`"${name}" in claims`, own), false)
  }
})

test('what code elsewhere hung onto all objects is not data', () => {
  const everything: object = Object.getPrototypeOf({})
  Object.defineProperty(everything, 'polluted', { value: 1, configurable: true })
  try {
    assert.equal(valueOf('(a).b.polluted ?? "a".polluted ?? [].polluted ?? 2', { a: { b: {} } }), 2)
    assert.equal(valueOf('polluted', { a: {} }), undefined)
    assert.equal(valueOf('"polluted" in a', { a: {} }), false)
  } finally {
    Reflect.deleteProperty(everything, 'polluted')
  }
})

function called(): never {
  assert.fail('called into the data')
}

test('what the host put into the data is not there, and nothing in the data is called', () => {
  class Secret {
    key = 'secret'
  }
  const host = {
    run: called,
    date: new Date(0),
    map: new Map([['a', 1]]),
    regex: /a/,
    symbol: Symbol('a'),
    secret: new Secret(),
    trap: { toString: called, valueOf: called },
  }
  for (const name of ['run', 'date', 'map', 'regex', 'symbol', 'secret']) {
    assert.equal(valueOf(`${name} === undefined`, host), true, name)
  }
  assert.equal(valueOf('run()', host), undefined)
  assert.equal(valueOf('secret.key', host), undefined)
  assert.equal(valueOf('trap + ""', host), '[object Object]')
  assert.equal(valueOf('trap == "a" || trap < 1 || `${trap}` == 1', host), false)
})

const data = {
  list: Array.from({ length: 10_000 }, (_, i) => i),
  more: Array.from({ length: 10_001 }, (_, i) => i),
  long: 'a'.repeat(9000),
  longer: 'a'.repeat(10_001),
}

test('texts are bounded', () => {
  const grown = listed(`
    "ab".repeat(5001)  "ab".repeat(1e300)  "a".padStart(1e9)  long + long  [long, long].join()  long.concat(long)
    long.replace(/a/g, "bb")  long.replaceAll("a", (m) => m + m)  long.replace(/^a+/, "$&$&")
  `)
  for (const expression of [...grown, '`${long}${long}`']) {
    assert.match(errorOf(expression, data), /longer than 10000/, expression)
  }
})

test('arrays are bounded', () => {
  const grown = listed(`
    more.some(x => x)  0 in more  more + ""  [...more]  [...list, 1]  list.concat(1)  [list, list].flat()
    [1, 2].flatMap(x => list)  longer.split("")
  `)
  for (const expression of grown) assert.match(errorOf(expression, data), /more than 10000/, expression)
  assert.equal(valueOf('list.filter(x => x % 2 == 0).length', data), 5000)
})

test('steps are bounded, and what makes much or looks through much costs many', () => {
  const dear = listed(`
    list.some(x => list.some(y => false))  list.map(x => "a".repeat(9999))  list.map(x => list.slice(0))
    list.map(x => [...list])  list.some(x => -1 in list)  list.some(x => long.includes("ab"))  list.some(x => long < long)
    list.some(x => long.toUpperCase() == 1)  list.some(x => +long)  list.some(x => /b/.test(long))
  `)
  for (const expression of dear) assert.match(errorOf(expression, data), /too many steps/, expression)
})

test('depth is bounded, but a long chain is not deep', () => {
  assert.equal(valueOf(`${'- '.repeat(40)}1`, {}), 1)
  assert.match(errorOf(`${'- '.repeat(50)}1`), /nested more than 50/)
  assert.match(errorOf(`${'['.repeat(500)}${']'.repeat(500)}`), /nested more than 50/)
  assert.match(errorOf(`${'('.repeat(500)}${')'.repeat(500)}`), /./)
  const deep: unknown = JSON.parse('['.repeat(200) + ']'.repeat(200))
  assert.match(errorOf('deep + ""', { deep }), /nested too deeply/)

  assert.equal(valueOf(`${'1==9||'.repeat(150)}5`, {}), 5)
  assert.equal(valueOf(`${'1&&'.repeat(300)}5`, {}), 5)
  assert.equal(valueOf(`${'1+'.repeat(300)}5`, {}), 305)
})

test('a regular expression costs what it may take, and is refused where that has no bound', () => {
  const within = { short: 'ada@example.org', long: `${'a'.repeat(3000)}!` }
  const bounded = listed(String.raw`
    ^\w+@\w+\.org$  .*@.*\.org  (foo|ada)@  ^(?:ada|b)?@?  ^(?<name>[a-z]{2,4})@  [(|)*+]*@[^\]]+$  [\u0061]
    ^a(?:d|x){1,2}a@  \bexample\b  [a-z]+\.(?:com|org)$  ^([a-z]+)@([a-z]+)\.([a-z]+)$  (?:)*@  ^$|@
  `)
  for (const source of bounded) assert.equal(valueOf(`/${source}/i.test(short)`, within), true, source)
  assert.equal(valueOf('/^a+!$/.test(long)', within), true)

  const unbounded = ['(a+)+$', '(a*)*$', '(a|a)*$', '(a|ab)+$', '((a?){20})*', '(?:a{1,9})+$', '(\\d+|x)*']
  for (const source of unbounded)
    assert.match(errorOf(`/${source}/.test(long)`, within), /repeats a group/, source)

  const dear = [
    'a*a*a*$',
    '.*.*.*b',
    '(a?){30}a{30}$',
    '(?:a|a){25}$',
    '(?:a|b|ab){1,40}c',
    'a+b',
    `${'a?'.repeat(40)}b`,
  ]
  for (const source of dear) assert.match(errorOf(`/${source}/.test(long)`, within), /too many steps/, source)
  assert.match(errorOf('/(?:(?:(?:){1000}){1000}){1000}/.test(short)', within), /too many steps/)

  for (const source of ['(a)\\1', '(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(?<n>a)\\k<n>', '(?i:a)']) {
    assert.match(errorOf(`/${source}/.test(short)`, within), /looks around or back/, source)
  }
  assert.match(errorOf('/a{2000}/.test(short)', within), /more than 1000 times/)
  assert.match(errorOf('/a/y.test(short)', within), /flags/)
  assert.match(errorOf('/[a/.test(short)', within), /./)
})

function pieces(...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const all = parts.map((item) => (typeof item === 'string' ? fc.constant(item) : item))
  return fc.tuple(...all).map((texts) => texts.join(''))
}

function words(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.split(' '))
}

// Expressions out of the grammar, and texts out of its characters.
const { tree: grammar } = fc.letrec<{ tree: string }>((tie) => {
  const t = tie('tree')
  return {
    tree: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      words(
        'a b x i visitor.claims "ab" 1 -0 null undefined [] ({}) /a+/g "constructor" "__proto__" this NaN 1e309 `k${x}`',
      ),
      pieces('(', t, words('+ - * / % ** == === != < >= && || ?? & << , instanceof'), ' ', t, ')'),
      pieces('(', t, ' in ', t, ')'),
      pieces(words('! - ~ typeof void +'), ' (', t, ')'),
      pieces('(', t, ')[', t, ']'),
      pieces('(', t, ').', words('length constructor __proto__ a x claims')),
      pieces('(', t, ').', words('map filter some reduce flatMap find'), '((x, i) => ', t, ')'),
      pieces(
        '(',
        t,
        ').',
        words('includes concat at join split repeat padStart replace slice toFixed flat match'),
        '(',
        t,
        ')',
      ),
      pieces('(', t, ').', words('replace replaceAll padEnd slice split indexOf'), '(', t, ',', t, ')'),
      pieces('(', t, '?', t, ':', t, ')'),
      pieces('[', t, ', ...', t, ']'),
      pieces('({ a: ', t, ', [', t, ']: ', t, ', ...', t, ' })'),
    ),
  }
})

function isData(value: unknown): boolean {
  if (value === null || ['undefined', 'boolean', 'number', 'string'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isData)
  return (
    typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isData)
  )
}

test('any expression over any data ends soon, with data or an error, and changes nothing', () => {
  const more = fc.dictionary(words('a b x visitor __proto__ constructor'), fc.jsonValue())
  holds(
    fc.property(grammar, more, (expression, given) => {
      const within: Record<string, unknown> = {
        visitor: { claims: { a: ['b'], b: 'ab' } },
        a: [1, 'ab', [2]],
        ...given,
      }
      const before = JSON.stringify(within)
      const start = cpuTime()
      const outcome = evaluate(expression, within)
      assert.ok(cpuTime() - start < 1000)
      assert.ok(outcome.ok ? isData(outcome.value) : outcome.error.message.length > 0)
      assert.equal(JSON.stringify(within), before)
    }),
    { cases: 8000 },
  )
})

test('any text is an expression or an error', () => {
  const characters = words('a . ( ) [ ] { } ` $ \' " / = > < ! ? : ; , & | + - * \\ 1 n \n')
  const text = fc.oneof(
    fc.string(),
    fc.array(characters).map((all) => all.join('')),
  )
  holds(
    fc.property(text, (expression) => {
      const outcome = evaluate(expression, { a: 1 })
      assert.ok(outcome.ok ? isData(outcome.value) : outcome.error.message.length > 0)
    }),
    { cases: 8000 },
  )
})
