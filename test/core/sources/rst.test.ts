/** Projects of Sphinx in reStructuredText. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mystOfRst } from '../../../src/core/sources/projects/myst/rst/rst.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { convertedTree } from './sources.ts'

const PROJECT = {
  'docs/conf.py':
    "project = 'Boats'\nsource_suffix = ['.rst', '.txt']\nrst_epilog = '.. |sea| replace:: the **sea**'\n",
  'docs/index.rst':
    '=====\nBoats\n=====\n\nSee :doc:`the guide <guide/start>`, :ref:`wind` and :doc:`/more`, or |sea|.\n\n.. toctree::\n   :hidden:\n\n   guide/start\n   More <more>\n',
  'docs/guide/start.rst':
    'Start\n=====\n\n.. image:: /img/a.png\n   :alt: A boat\n\n.. _wind:\n\nThe wind\n--------\n\n.. note:: Mind the\n   wind.\n\n   .. code-block:: python\n      :caption: a.py\n\n      x = "``"\n\n.. odd:: Title\n\n   Kept.\n\n:odd:`role` and :pep:`8`.\n',
  'docs/more.txt': 'More\n====\n\n.. include:: part.inc\n',
  'docs/part.inc': 'Included, with ``code``.\n',
  'docs/img/a.png': 'png',
  'README.md': '# Readme\n',
}

test('pages have their tree, links, labels, pictures, included text and addresses', async () => {
  const { pages, entries, files, problems, title } = await convertedTree('sphinx', PROJECT)
  assert.deepEqual(pages, ['docs/guide/start.md', 'docs/index.md', 'docs/more.md'])
  assert.deepEqual(entries, ['* [Boats](<index.md>)', '* [Start](<guide/start.md>)', '* [More](<more.md>)'])
  assert.equal(title, 'Boats')
  assert.equal(
    files['docs/index.md'],
    '# Boats\n\nSee [the guide](guide/start.md), [The wind](guide/start.md#wind) and [More](more.md), or the **sea**.\n',
  )
  assert.equal(files['docs/more.md'], '# More\n\nIncluded, with `code`.\n')
  assert.equal(
    files['docs/guide/start.md'],
    '# Start\n\n![A boat](../img/a.png)\n\n## The wind <a href="#wind" id="wind"></a>\n\n{% hint style="info" %}\nMind the\nwind.\n\n{% code title="a.py" %}\n```python\nx = "``"\n```\n{% endcode %}\n{% endhint %}\n\nTitle\n\nKept.\n\n`role` and [PEP 8](https://peps.python.org/pep-0008/).\n',
  )
  assert.match(files['.gitbook.yaml']!, /"guide\/start\.html": "guide\/start\.md"/)
  assert.deepEqual(
    problems.map(({ path, line, message }) => [path, line, message.replace(/,.*/, '')]),
    [
      ['docs/guide/start.md', 20, 'has the directive "odd"'],
      ['docs/guide/start.md', 24, 'has the role "odd"'],
    ],
  )
})

describe('reStructuredText becomes', () => {
  const blocks: [what: string, written: string, shown: string][] = [
    ['headings by the order of their signs', 'A\n~~~\n\nB\n...\n\nC\n~~~', '# A\n\n## B\n\n# C'],
    [
      'lists',
      '* One\n  two\n\n  - Deep\n* Three\n\n#. A\n\n2. B',
      '* One\n  two\n\n  * Deep\n* Three\n\n1. A\n\n2. B',
    ],
    ['definitions', 'Term\n   What it is.\n', '**Term**\n\nWhat it is.'],
    ['code behind colons', 'Run::\n\n   a\n     b\n\nEnd', 'Run:\n\n```\na\n  b\n```\n\nEnd'],
    ['quotes', 'A\n\n   Quoted\n\nB', 'A\n\n> Quoted\n\nB'],
    ['line blocks', '| a\n| b', 'a\\\nb'],
    [
      'grids',
      '+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+',
      '| a | b |\n| --- | --- |\n| 1 | 2 3 |',
    ],
    ['simple tables', '==  ==\na   b\n==  ==\n1   2\n    3\n==  ==', '| a | b |\n| --- | --- |\n| 1 | 2 3 |'],
    ['fields', 'A\n\n:Author: Ada\n:x: y', 'A\n\n* **Author:** Ada\n* **x:** y'],
    ['nothing of comments and fields at the top', ':orphan:\n\n.. a comment\n   more\n\nText', 'Text'],
    [
      'links',
      '`A <https://a.example>`_ B_ `c d`__ `A`_\n\n.. _B: https://b.example\n.. _a: https://c.example\n__ https://d.example',
      '[A](https://a.example) [B](https://b.example) [c d](https://d.example) [A](https://c.example)',
    ],
    [
      'footnotes',
      'A [1]_ [#n]_\n\n.. [1] One\n.. [#n] Two\n   more',
      'A [^1] [^n]\n\n[^1]: One\n\n[^n]: Two\n    more',
    ],
    ['escaped text', '<b> {% if x %} [a](b) \\*c\\* a\\ b', '\\<b> \\{% if x %} \\[a](b) \\*c\\* ab'],
    ['tests of Python', '>>> 1\n1', '```python\n>>> 1\n1\n```'],
    [
      'directives as they are',
      '.. figure:: a.png\n   :alt: b\n\n   Caption *c*',
      ':::{figure} a.png\n:alt: b\n\nCaption *c*\n:::',
    ],
  ]
  for (const [what, written, shown] of blocks)
    test(what, () => assert.equal(mystOfRst(written).lines.join('\n').trim(), shown))
})

test('a table whose cells span others is code, and listed', async () => {
  const table = '+---+---+\n| a     |\n+---+---+\n| 1 | 2 |\n+---+---+'
  const { files, problems } = await convertedTree('sphinx', {
    'conf.py': '',
    'index.rst': `A\n=\n\n${table}\n`,
  })
  assert.equal(files['index.md'], `# A\n\n\`\`\`\n${table}\n\`\`\`\n`)
  assert.deepEqual(
    problems.map(({ line, reason }) => [line, reason]),
    [[4, 'part-left-out']],
  )
})

const FAMILIES = {
  ticks: repeated('`'),
  pairs: repeated('``a'),
  roles: repeated(':a:`'),
  bars: repeated('|a'),
  references: repeated('a-b_ '),
  bullets: repeated('* '),
  items: repeated('* a\n'),
  fields: repeated(':a: b\n'),
  quotes: (size: number) =>
    Array.from({ length: Math.ceil(Math.sqrt(size)) }, (_, i) => `${' '.repeat(i)}a\n`).join('\n'),
  headings: repeated('a\n=\n'),
  adornments: repeated('====\n'),
  tables: repeated('== ==\nx\n\n'),
  grids: repeated('+-+-+\n'),
  targets: repeated('.. _a: b\n'),
  substitutions: repeated('.. |a| replace:: b\n   c\n'),
  directives: repeated('.. note:: a\n\n   b\n'),
  dots: repeated('.. '),
  anonymous: repeated('`a`__\n\n__ b\n\n'),
}
for (const [name, make] of familiesOf(FAMILIES, 1))
  test(`is rewritten in linear time: ${name}`, () => assertLinear(make, (text) => mystOfRst(text)))
