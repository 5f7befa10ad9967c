/** Expressions of every kind of part, and data that makes them slow. */
import { nested, repeated, type Families } from './growth.ts'

const PAIRS: Record<string, [open: string, close: string]> = {
  parentheses: ['(', ')'],
  arrays: ['[', ']'],
  objects: ['({a:', '})'],
  'spread arrays': ['[...[', ']]'],
  'spread objects': ['({...{a:', '}})'],
  negations: ['!', ''],
  'template literals': ['`a${', '}`'],
  choices: ['1?', ':2'],
  calls: ['"a".concat(', ')'],
  'functions in functions': ['[1].map(x=>', ')'],
  'lists of lists': ['[1,2].flatMap(x=>[', '])'],
  'computed members': ['a[', ']'],
  types: ['typeof ', ''],
}

const CHAINS: Record<string, string> = {
  sums: '1+',
  comparisons: '1<',
  conjunctions: 'true&&',
  alternatives: 'false||',
  fallbacks: 'null??',
  powers: '2**',
  commas: '1,',
  texts: '"a"+',
  spaces: ' ',
  'line breaks': '\n',
  comments: '/**/',
}

const MEMBERS: Record<string, string> = {
  members: '.a',
  'computed members': '["a"]',
  'calls of texts': '.concat("a")',
  'calls of lists': '.concat([1])',
  replacements: '.replace("a","aa")',
  maps: '.map(x=>x)',
  'optional members': '?.a',
}

/** Regular expression literals: a part that is repeated in one. */
const PATTERNS = [
  'a',
  'a?',
  'a*',
  '(a)',
  '(?:a|b)',
  '[ab]',
  'a|',
  '\\d',
  'a{1,9}',
  '(a?)',
  '.*',
  '(?<a>b)',
  '(',
  '[',
]

/** Every family of expressions, by name. */
export const EXPRESSIONS: Families = {
  ...Object.fromEntries(
    Object.entries(PAIRS).flatMap(([name, [open, close]]) => [
      [`${name} in one another`, nested(open, close)],
      [`${name} without an end`, repeated(open)],
      [`${name} in an array`, repeated(`${open}1${close},`, '[', ']')],
    ]),
  ),
  ...Object.fromEntries(Object.entries(CHAINS).map(([name, unit]) => [name, repeated(unit, '', '1')])),
  ...Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, unit]) => [
      [`${name} of data`, repeated(unit, 'a')],
      [`${name} of a text`, repeated(unit, '"a"')],
      [`${name} of a list`, repeated(unit, '[1]')],
    ]),
  ),
  ...Object.fromEntries(
    PATTERNS.flatMap((part) => [
      [`/${part}/ repeated`, repeated(part, '/', '/.test(text)')],
      [`/${part}/ from the start`, repeated(part, '/^', '$/.test(text)')],
    ]),
  ),
  'a long text': repeated('a', '"', '"'),
  'a long number': repeated('1'),
  'a long name': repeated('a'),
  'a long template': repeated('${1}', '`', '`'),
  'spread arguments': repeated('...[1],', '"a".concat(', ')'),
  'keys of an object': repeated('a:1,', '({', '})'),
}

const list = Array.from({ length: 10_000 }, (_, index) => index)
const keys = Object.fromEntries(list.map((index) => [`key${index}`, index]))
/** What the expressions can read. */
export const DATA = {
  list,
  keys,
  a: { a: { a: { a: {} } } },
  text: 'a'.repeat(9000),
  pairs: 'ab'.repeat(4500),
  blank: ' '.repeat(9000),
  digits: '9'.repeat(9000),
  start: `b${'a'.repeat(4000)}`,
  middle: `${'a'.repeat(2000)}b${'a'.repeat(2000)}`,
  texts: list.map(() => `${'a'.repeat(999)}b`),
  other: `${'a'.repeat(999)}c`,
}

/** Operations on that data. Each is evaluated for as many of 10,000 numbers as there are steps for, so that a step too cheap is found. */
export const OPERATIONS = String.raw`
  text.includes(start)  text.includes(middle)  text.indexOf(middle)  text.lastIndexOf(start)  text.lastIndexOf(middle)
  text.split(middle)  text.replace(middle, "")  text.replaceAll(middle, "")  middle in text  text.startsWith(text)
  text.replaceAll("a", "b")  text.replaceAll("a", m => "b")  pairs.split("b")  text.split("")  text.endsWith(text)
  texts.includes(other)  texts.indexOf(other)  texts.lastIndexOf(other)  other in texts  list.includes(-1)
  +digits  +blank  blank.trim()  text.toUpperCase()  text < text  text == pairs  text.concat("b")  text.at(1)
  ({ ...keys })  "x" in keys  keys.x  [...text]  [...list]  [...texts]  list.slice(0)  texts.slice(0)  list.flat()
  /b/.test(text)  /[^b]*b/.test(text)  text.search(/b/)  pairs.match(/ab/g)  pairs.replace(/a/g, "c")  text.split(/b/)
  1.5.toFixed(100)  x.toString(2)  "a".replace("a", "$&".repeat(5000))  "a".repeat(9999)  text.padStart(9999, "ab")
  [1, 2, 3].join(text)  [[[[x]]]].flat(50)  list.every(y => y < 0)  list.find(y => y < 0)  list.reduce((a, y) => a + y)
`
  .trim()
  .split(/\s{2,}/)
