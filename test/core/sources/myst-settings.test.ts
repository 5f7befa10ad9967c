/** What projects of MyST and Sphinx cost, and the settings of Python that are read of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertMyst } from '../../../src/core/sources/projects/myst/myst.ts'
import { readPythonSettings } from '../../../src/core/sources/projects/myst/python-settings.ts'
import { assertLinear, familiesOf, nested, repeated } from '../cost/growth.ts'
import { bytesIn } from './sources.ts'

test('settings of Python are read where they are literals', () => {
  const settings = readPythonSettings(
    `a = 'it\\'s' "\\n"\nb: list[str] = [1, -2.5, True, None, r'\\d',  # comment\n  ("x",), ("y")]\nc = {'k': {"d": 'e'}, 2: 3}\nd = """one\ntwo = 2\n"""\ne = get('x')\nf = 'x' + y\n  g = 1\nh = [x for x in y]\ni == 2\nj = f'{a}'\n`,
  )
  assert.deepEqual(Object.fromEntries(settings), {
    a: "it's\n",
    b: [1, -2.5, true, null, '\\d', ['x'], 'y'],
    c: { k: { d: 'e' } },
    d: 'one\ntwo = 2\n',
  })
})

for (const [name, make] of familiesOf(
  {
    directives: repeated('```{note} a\nb\n```\n'),
    'open directives': repeated('```{note}\n'),
    'open colons': repeated(':::{note}\n'),
    'blocks in one another': (size) => {
      const depth = Math.floor(Math.sqrt(size / 3))
      return Array.from({ length: depth }, (_, at) => `${':'.repeat(depth - at + 3)}{note}\n`).join('')
    },
    'items of lists': repeated('- ```{note}\n  a\n'),
    'levels of lists': (size) =>
      Array.from({ length: Math.sqrt(size) }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
    roles: repeated('{ref}`a` '),
    'open roles': repeated('{ref}`a'),
    braces: repeated('{a'),
    'open substitutions': repeated('{{ a '),
    substitutions: repeated('{{ a }} '),
    labels: repeated('(a)=\n'),
    'labels of headings': repeated('(a)=\n## b\n'),
    attributes: repeated('[a]{.b '),
    'open links': repeated('[]('),
    autolinks: repeated('<project:#a '),
    definitions: repeated('a\n: b\n'),
    tabs: repeated('```{tab} a\n```\n'),
    cards: repeated('```{card} a\n```\n'),
    options: repeated(':a: b\n', '```{note}\n'),
    'rows of lists': repeated('* - a\n  - b\n', '```{list-table}\n'),
    'rows of values': repeated('a,b\n', '```{csv-table}\n'),
    includes: repeated('```{include} b.md\n```\n'),
    toctrees: repeated('```{toctree}\nb\n```\n'),
    entries: repeated('b\n', '```{toctree}\n'),
    'missing entries': repeated('c\n', '```{toctree}\n'),
    'toctrees of another format': repeated('.. toctree::\n\n   b\n'),
    spaces: repeated(' ', '{ref}`a', '<b>`'),
    'spaces in roles': repeated(`{kbd}\`a${' '.repeat(5000)}b\` `),
    'spaces in one role': repeated(' ', '{kbd}`a', 'b`'),
    ticks: nested('`'),
  },
  1,
))
  test(`pages are converted in linear time: ${name}`, () =>
    assertLinear(make, (text) => convertMyst(bytesIn({ 'myst.yml': '', 'index.md': text, 'b.md': '# B' }))))

test('the title of a long document is read once for many references', () =>
  assertLinear(repeated('{doc}`b` '), (text) =>
    convertMyst(bytesIn({ 'myst.yml': '', 'index.md': text, 'b.md': text.replaceAll('`', '') })),
  ))

for (const [name, make] of familiesOf(
  {
    settings: repeated("a = 'b'\n"),
    'open texts': repeated("a = '"),
    'open long texts': repeated('a = """b'),
    slashes: repeated('\\', "a = '"),
    lists: repeated('[', 'a = '),
    comments: repeated('#', 'a = ['),
    'open lists': repeated('a = [1,\n'),
  },
  1,
))
  test(`settings of Python are read in linear time: ${name}`, () => assertLinear(make, readPythonSettings))
