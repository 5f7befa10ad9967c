/** Every construct of a formula, repeated, nested, unclosed and closed only. */
import { ENGLISH_CONTENT } from '../../../src/core/document/html/content-words.ts'
import { math } from '../../../src/core/document/html/math.ts'
import { nested, repeated, type Families } from './growth.ts'

/** What opens something, with what closes it. */
const PAIRS: Record<string, [open: string, close: string]> = {
  braces: ['{a', '}'],
  brackets: ['[a', ']'],
  fractions: ['\\frac{a}{', '}'],
  roots: ['\\sqrt{', '}'],
  'roots of a degree': ['\\sqrt[3]{', '}'],
  'growing brackets': ['\\left(', '\\right)'],
  matrices: ['\\begin{matrix}a&', '\\end{matrix}'],
  cases: ['\\begin{cases}a&', '\\end{cases}'],
  alignment: ['\\begin{aligned}a&=', '\\end{aligned}'],
  'powers of powers': ['a^{', '}'],
  indexes: ['a_{', '}'],
  text: ['\\text{a ', '}'],
  'bold letters': ['\\mathbf{', '}'],
  colours: ['\\color{red}{', '}'],
  'coloured boxes': ['\\fcolorbox{red}{blue}{$', '$}'],
  accents: ['\\hat{', '}'],
  'braces above': ['\\overbrace{', '}^{a}'],
  lines: ['\\overline{', '}'],
  cancelled: ['\\cancel{', '}'],
  boxes: ['\\boxed{', '}'],
  phantoms: ['\\phantom{', '}'],
  stacks: ['\\overset{a}{', '}'],
  arrows: ['\\xrightarrow{', '}'],
  sums: ['\\sum_{i=1}^{', '}'],
  limits: ['\\operatorname*{a', '}'],
  arrays: ['\\begin{array}{c|c}a&', '\\end{array}'],
  'sets of braces': ['\\Set{a|', '}'],
  chemistry: ['\\ce{H2O', '}'],
  groups: ['\\begingroup a', '\\endgroup'],
}

/** What stands alone. */
const LEAVES: Record<string, string> = {
  letters: 'a',
  digits: '1',
  'long numbers': '12345,678.9 ',
  sums: 'a+b',
  powers: 'a^2',
  indexes: 'a_1',
  primes: "a'",
  'only primes': "'",
  'power signs': '^',
  'index signs': '_',
  cells: '&',
  rows: '\\\\',
  'rows and cells': 'a&b\\\\',
  spaces: '\\ ',
  'white space': ' ',
  'line breaks': '\n',
  Greek: '\\alpha ',
  Chinese: '中',
  pictures: '😀',
  comments: '%a\n',
  'unknown commands': '\\unknown ',
  functions: '\\sin x',
  integrals: '\\int_0^1 ',
  'growing signs': '\\big( ',
  'middle signs': '\\left(a\\middle|b\\right)',
  rules: '\\rule{1em}{1em}',
  spacing: '\\hspace{1em}',
  negations: '\\not=',
  'fractions without braces': '\\frac12',
  choices: '{a\\over b}',
  verbatim: '\\verb|a|',
  tags: '\\tag{1}',
  labels: '\\label{a}',
  links: '\\href{http://a.org}{a}',
  images: '\\includegraphics{a.png}',
  units: '\\pu{1 m}',
  'characters by number': '\\char"41 ',
  modulo: '\\pmod{a}',
  'lines of matrices': '\\hline ',
  'roots without braces': '\\sqrt',
  'accents without braces': '\\hat',
  'arrows without braces': '\\xrightarrow',
  'powers without braces': 'a^\\frac',
  'style changes': '\\displaystyle ',
}

/** Macros, which can grow a formula by any factor. */
const MACROS: Families = {
  'definitions of macros': repeated('\\def\\a{b}\\a '),
  'a macro of itself': (size) => `\\def\\a{\\a\\a}\\a${'a'.repeat(size)}`,
  'a macro of many uses': repeated('\\a ', '\\def\\a{xxxxxxxxxx}'),
  'macros that double': (size) => `\\def\\a{x}${'\\edef\\a{\\a\\a}'.repeat(Math.ceil(size / 14))}\\a`,
  'macros of macros': (size) =>
    Array.from(
      { length: size / 40 },
      (_, i) => `\\def\\a${letters(i + 1)}{\\a${letters(i)}\\a${letters(i)}}`,
    ).join('') + `\\a${letters(Math.floor(size / 40))}`,
  'a long macro': (size) => `\\def\\a{${'x'.repeat(size / 2)}}${'\\a '.repeat(size / 6)}`,
  'a long parameter': (size) => `\\def\\a#1{#1#1#1#1}${'\\a{'.repeat(size / 8)}x${'}'.repeat(size / 8)}`,
  'new commands': repeated('\\newcommand{\\a}[1]{#1#1}\\a{b}'),
  'renewed commands': repeated('\\renewcommand{\\a}[1]{\\b{#1}\\b{#1}}\\a{b}'),
  'global definitions': repeated('\\gdef\\a{b}\\global\\let\\c=\\a \\c '),
}

function letters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

/** Every family of formulas, by name. */
export const FORMULAS: Families = {
  ...MACROS,
  'a wide matrix': repeated('a&', '\\begin{matrix}', '\\end{matrix}'),
  'a high matrix': repeated('a\\\\', '\\begin{matrix}', '\\end{matrix}'),
  'a square matrix': repeated(`${'a&'.repeat(20)}a\\\\`, '\\begin{matrix}', '\\end{matrix}'),
  'rows of equations': repeated('a&=b\\\\', '\\begin{align}', '\\end{align}'),
  'columns of an array': (size) => `\\begin{array}{${'c'.repeat(size)}}a\\end{array}`,
  'lines of an array': (size) => `\\begin{array}{${'|'.repeat(size)}c}a\\end{array}`,
  'a long text': repeated('a b ', '\\text{', '}'),
  'a long colour': repeated('f', '\\color{', '}'),
  'a long size': repeated('1', '\\rule{', 'em}{1em}'),
  ...Object.fromEntries(
    Object.entries(PAIRS).flatMap(([name, [open, close]]) => [
      [`${name} in one another`, nested(open, close)],
      [`${name} one after the other`, repeated(`${open}x${close}`)],
      [`${name} without an end`, repeated(open)],
      [`${name} without a beginning`, repeated(close)],
    ]),
  ),
  ...Object.fromEntries(Object.entries(LEAVES).map(([name, unit]) => [`${name} alone`, repeated(unit)])),
}

/** Longer formulas are shown as their source. */
export const LONGEST_FORMULA = 10_000

/** Renders as much of a formula as is rendered at all. */
export function renderFormula(formula: string): string {
  return String(math(formula.slice(0, LONGEST_FORMULA), true, { needs: new Set(), words: ENGLISH_CONTENT }))
}
