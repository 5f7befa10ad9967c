/** Projects of MyST, Jupyter Book and Sphinx: their trees and settings, and the directives and roles of their pages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertMyst } from '../../../src/core/sources/projects/myst/myst.ts'
import { bytesIn, textsOf } from './sources.ts'

/** A page as it is converted, in a project with other files. */
function page(text: string, files: Record<string, string> = {}) {
  const converted = convertMyst(
    bytesIn({ 'myst.yml': 'version: 1\n', 'guide/a.md': `# A\n\n${text}`, ...files }),
  )
  const whole = textsOf(converted)['guide/a.md'] ?? ''
  return { text: whole.replace(/^# A\n\n/, ''), problems: converted.problems }
}

const SPHINX = {
  'README.md': '# The repository\n',
  'docs/conf.py': `import os
# project = 'No'
project = "Boat" " book"  # joined
html_title = f"{project} {release}"
extensions = ["myst_parser", 'sphinx.ext.extlinks']
myst_enable_extensions = ["colon_fence", "dollarmath"]
exclude_patterns = ['_build', 'drafts/*']
extlinks = {'issue': ('https://issues.example/%s', 'issue %s')}
myst_substitutions = {"boat": "the *Ada*"}
rediraffe_redirects = {"old.md": "older.md", "older.md": "guide/sails.md", "gone.md": "none.md"}
`,
  'docs/index.md': `(front)=

# Boats

\`\`\`{toctree}
:maxdepth: 2

guide/index
Source <https://code.example>
self
\`\`\`

:::{toctree}
---
caption: Reference
hidden:
glob:
---
ref/*
api
:::

\`\`\`\`md
\`\`\`{toctree}
example
\`\`\`
\`\`\`\`
`,
  'docs/guide/index.md': `---
myst:
  substitutions:
    sea: the **sea**
---
# Guide

:::{toctree}
:hidden:
Setting sails <sails>
/guide/gone.md
:::

See {ref}\`wind\`, {ref}\`the wind <wind>\`, {doc}\`sails\`, {doc}\`/ref/one\`, [](sails.md#wind), <project:#wind>, [w](#wind), [](/ref/one), {issue}\`7\`, {{ sea }} and {{boat}}.
`,
  'docs/guide/sails.md':
    '% a comment\n(wind)=\n(wind-too)=\n## The *wind*\n\nBack to {ref}`front` and [here](#wind-too).\n',
  'docs/ref/one.md': '(one)=\n# One\n',
  'docs/ref/two.md': 'No title\n',
  'docs/api.rst': 'API\n===\n\n.. toctree::\n   :maxdepth: 1\n\n   ref/three\n\nText\n',
  'docs/ref/three.markdown': '# Three\n',
  'docs/orphan.md': '# Orphan\n',
  'docs/drafts/x.md': '# Draft\n',
}

test('the directives toctree make the tree, with captions, patterns, titles and URLs', () => {
  const converted = convertMyst(bytesIn(SPHINX))
  const texts = textsOf(converted)
  assert.equal(converted.title, 'Boat book')
  assert.equal(
    texts['docs/SUMMARY.md'],
    `# Table of contents

* [Boats](<index.md>)
* [Guide](<guide/index.md>)
  * [Setting sails](<guide/sails.md>)
* [Source](<https://code.example>)

## Reference

* [One](<ref/one.md>)
* [Three](<ref/three.markdown>)
* [Two](<ref/two.md>)
* [API](<api.md>)

---

* [Orphan](<orphan.md>)
`,
  )
  assert.equal(
    texts['docs/index.md'],
    '# Boats\n\n* [Guide](guide/index.md)\n* [Source](https://code.example)\n\n````md\n```{toctree}\nexample\n```\n````\n',
  )
  assert.match(
    texts['docs/guide/index.md'] ?? '',
    /\nSee \[The wind\]\(sails.md#wind\), \[the wind\]\(sails.md#wind\), \[Sails\]\(sails.md\), \[One\]\(\.\.\/ref\/one.md\), \[The wind\]\(sails.md#wind\), \[The wind\]\(sails.md#wind\), \[w\]\(sails.md#wind\), \[One\]\(\.\.\/ref\/one.md\), \[issue 7\]\(https:\/\/issues.example\/7\), the \*\*sea\*\* and the \*Ada\*\.\n$/,
  )
  assert.equal(
    texts['docs/guide/sails.md'],
    '# Setting sails\n\n## The *wind* <a href="#wind" id="wind"></a>\n\nBack to [Boats](../index.md) and [here](#wind).\n',
  )
  assert.equal(texts['docs/orphan.md'], '---\nhidden: true\n---\n\n# Orphan\n')
  for (const line of [
    '"guide/index.html": "guide/index.md"',
    '"guide": "guide/index.md"',
    '"ref/one.html": "ref/one.md"',
    '"ref/one": "ref/one.md"',
    '"old.html": "guide/sails.md"',
    '"old": "guide/sails.md"',
  ])
    assert.ok(texts['.gitbook.yaml']?.includes(line), `${line} in ${texts['.gitbook.yaml']}`)
  assert.ok(!('docs/drafts/x.md' in texts) && !('README.md' in texts))
  assert.deepEqual(
    converted.problems.map(({ kind, path, address, message }) => [kind, path, address ?? message]),
    [
      ['redirect', '.gitbook.yaml', 'none.html'],
      ['missing-page', 'docs/guide/index.md', '/guide/gone.md'],
    ],
  )
})

test('a book has the tree of _toc.yml and the title of _config.yml', () => {
  const converted = convertMyst(
    bytesIn({
      'book/_toc.yml': `format: jb-book
root: intro
parts:
- caption: Water
  chapters:
  - file: sea
    title: The open sea
    sections:
    - file: deep/tide
  - url: https://tides.example
    title: Tides
- caption: Land
  chapters:
  - file: notes
  - glob: land/*
`,
      'book/_config.yml': 'title: Boats and more\nexclude_patterns: [x]\n',
      'book/intro.md': '# Welcome aboard\n',
      'book/sea.md': '# Sea\n',
      'book/deep/tide.md': '# Tide\n',
      'book/notes.ipynb': '{}',
      'book/land/b.md': '# B\n',
      'book/land/a.md': '# A\n',
    }),
  )
  assert.equal(converted.title, 'Boats and more')
  assert.equal(
    textsOf(converted)['SUMMARY.md'],
    `# Table of contents

* [Welcome aboard](<intro.md>)

## Water

* [The open sea](<sea.md>)
  * [Tide](<deep/tide.md>)
* [Tides](<https://tides.example>)

## Land

* [A](<land/a.md>)
* [B](<land/b.md>)
`,
  )
  assert.deepEqual(
    converted.problems.map(({ path, message }) => [path, message]),
    [['notes.ipynb', 'is a notebook, which is not imported']],
  )
})

test('a project of MyST has the tree of its settings, and without one, folders are', () => {
  const files = { 'index.md': '# Home\n', 'a/b.md': '# B\n', 'c.md': '# C\n' }
  const settings =
    'version: 1\nproject:\n  title: Boats\n  toc:\n  - file: index.md\n  - title: Part\n    children:\n    - file: a/b.md\n'
  const converted = convertMyst(bytesIn({ 'myst.yml': settings, ...files }))
  assert.equal(converted.title, 'Boats')
  assert.equal(
    textsOf(converted)['SUMMARY.md'],
    '# Table of contents\n\n* [Home](<index.md>)\n\n## Part\n\n* [B](<a/b.md>)\n\n---\n\n* [C](<c.md>)\n',
  )
  assert.match(textsOf(converted)['c.md'] ?? '', /^---\nhidden: true\n/)
  assert.equal(
    textsOf(convertMyst(bytesIn({ 'myst.yml': 'version: 1\n', ...files })))['SUMMARY.md'],
    undefined,
  )
})

describe('directives become', () => {
  const directives: [what: string, written: string, shown: string][] = [
    ['hints', '```{note}\nText\n```\n', '{% hint style="info" %}\nText\n{% endhint %}\n'],
    [
      'hints that begin in their line',
      ':::{tip} Try\nit.\n:::\n',
      '{% hint style="success" %}\nTry\nit.\n{% endhint %}\n',
    ],
    [
      'hints with titles, options and what is in them',
      '::::{admonition} Take *care*\n:class: warning\n\nOne\n:::{danger}\nTwo\n\n```js\ncode\n```\n:::\nThree\n::::\n\nAfter\n',
      '{% hint style="warning" %}\n**Take care**\n\nOne\n\n{% hint style="danger" %}\nTwo\n\n```js\ncode\n```\n{% endhint %}\n\nThree\n{% endhint %}\n\nAfter\n',
    ],
    [
      'collapsible text',
      '```{admonition} More\n---\nclass: dropdown\n---\nText\n```\n\n:::{dropdown} Less\n:open:\nText\n:::\n',
      '<details>\n\n<summary>More</summary>\n\nText\n\n</details>\n\n<details>\n\n<summary>Less</summary>\n\nText\n\n</details>\n',
    ],
    [
      'notes about versions',
      '```{versionadded} 2.0 With *this*\n```\n\n```{deprecated} 3.1\nUse that.\n```\n',
      '{% hint style="info" %}\n**New in version 2.0**\n\nWith *this*\n{% endhint %}\n\n{% hint style="warning" %}\n**Deprecated since version 3.1**\n\nUse that.\n{% endhint %}\n',
    ],
    [
      'pictures',
      '```{image} p.png\n:alt: A boat\n:width: 5px\n```\n\n```{figure} /p 1.png\n:name: fig\nThe *boat*\nof Ada\n\nMore\n```\n\n```{image} p.png\n:target: https://x.example\n```\n',
      '![A boat](p.png)\n\n![The boat of Ada](<../p%201.png> "The boat of Ada")\n\nMore\n\n[![](p.png)](https://x.example)\n',
    ],
    [
      'code',
      '```{code-block} python\n:caption: A `b`\n:linenos:\n:emphasize-lines: 1\n\nx = {ref}`y`\n# no title\n```\n',
      '{% code title="A b" lineNumbers="true" %}\n```python\nx = {ref}`y`\n# no title\n```\n{% endcode %}\n',
    ],
    [
      'code of notebooks',
      '```{code-cell} ipython3\n:tags: [hide-input]\n\n1 + 1\n```\n',
      '```python\n1 + 1\n```\n',
    ],
    [
      'code of files',
      '```{literalinclude} a.py\n:lines: 2-3\n:caption: a.py\n```\n\n```{literalinclude} a.py\n:start-after: "# start"\n:end-before: "# end"\n:dedent: 2\n:language: text\n```\n',
      '{% code title="a.py" %}\n```py\n# start\n  two\n```\n{% endcode %}\n\n```text\ntwo\n```\n',
    ],
    [
      'tabs',
      '::::{tab-set}\n:::{tab-item} One\n:sync: a\n1\n:::\n\n:::{tab-item} *Two*\n2\n:::\n::::\n',
      '{% tabs %}\n{% tab title="One" %}\n1\n{% endtab %}\n{% tab title="Two" %}\n2\n{% endtab %}\n{% endtabs %}\n',
    ],
    [
      'tabs without a set',
      '```{tab} A\n1\n```\n```{tab} B\n2\n```\nAfter\n',
      '{% tabs %}\n{% tab title="A" %}\n1\n{% endtab %}\n{% tab title="B" %}\n2\n{% endtab %}\n{% endtabs %}\n\nAfter\n',
    ],
    [
      'cards',
      '::::{grid} 2\n:::{grid-item-card} {octicon}`x` First\n:link: b\n:link-type: doc\nText\n+++\nMore\n:::\n:::{grid-item-card} Second\n:link: https://x.example\n:::\n::::\n',
      '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>First</strong></td><td><p>Text</p><p>More</p></td><td><a href="b.md">b.md</a></td></tr><tr><td><strong>Second</strong></td><td></td><td><a href="https://x.example">x.example</a></td></tr></tbody></table>\n',
    ],
    [
      'columns',
      '::::{grid} 2\n:::{grid-item}\nOne\n:::\n:::{grid-item}\nTwo\n:::\n::::\n',
      '{% columns %}\n{% column %}\nOne\n{% endcolumn %}\n{% column %}\nTwo\n{% endcolumn %}\n{% endcolumns %}\n',
    ],
    [
      'tables',
      '```{list-table} Boats\n:header-rows: 1\n\n* - Name\n  - Use\n* - `a|b`\n  - One\n    two\n\n    - three\n```\n\n```{csv-table}\n:header: "A", "B"\n\n1, "2, 3"\n```\n',
      '**Boats**\n\n| Name | Use |\n| --- | --- |\n| `a\\|b` | One two<br>- three |\n\n| A | B |\n| --- | --- |\n| 1 | 2, 3 |\n',
    ],
    [
      'formulas',
      '```{math}\n:label: e\na^2\n\nb\n```\n\n$$\nc\n$$ (e2)\n\nSee $x$ and {math}`y`.\n',
      '$$\na^2\nb\n$$\n\n$$\nc\n$$\n\nSee $$x$$ and $$y$$.\n',
    ],
    ['diagrams', '```{mermaid}\ngraph TD\n```\n', '```mermaid\ngraph TD\n```\n'],
    [
      'terms',
      '```{glossary}\nKeel\n  The **bottom**.\n\nHull\n: The body.\n```\n',
      '**Keel**\n\nThe **bottom**.\n\n**Hull**\n\nThe body.\n',
    ],
    [
      'definitions',
      'Keel\n: The bottom\n  of it.\n\n  More\n\nAfter\n',
      '**Keel**\n\nThe bottom\nof it.\n\nMore\n\nAfter\n',
    ],
    ['quotes', '```{epigraph}\nTo be\n\n-- Ada\n```\n', '> To be\n>\n> -- Ada\n'],
    [
      'buttons and embeds',
      '```{button-ref} b\nGo\n```\n\n```{youtube} abc\n```\n',
      '<a href="b.md" class="button primary">Go</a>\n\n{% embed url="https://www.youtube.com/watch?v=abc" %}\n',
    ],
    ['objects of programs', '```{py:function} go(x)\nGoes.\n```\n', '**`go(x)`**\n\nGoes.\n'],
    [
      'blocks of lists',
      '1. One\n\n   ```{note}\n   Text\n   ```\n2. Two\n- ```{tip}\n  Text\n  ```\n',
      '1. One\n\n   {% hint style="info" %}\n   Text\n   {% endhint %}\n\n2. Two\n- {% hint style="success" %}\n  Text\n  {% endhint %}\n',
    ],
    [
      'included text',
      '```{include} part.md\n:start-after: <!-- start -->\n```\n',
      'Part of {term}\n\n{% hint style="info" %}\nIn it\n{% endhint %}\n',
    ],
    [
      'nothing',
      '```{contents}\n:local:\n```\n\n```{index} a; b\n```\nText\n+++\n{.class}\nMore [span]{.x} ![p](p.png){width=5}\n',
      'Text\nMore span ![p](p.png)\n',
    ],
    [
      'code as it is written',
      '````md\n```{note}\n(a)=\n{ref}`x` {{ y }}\n```\n````\n',
      '````md\n```{note}\n(a)=\n{ref}`x` {{ y }}\n```\n````\n',
    ],
  ]
  for (const [what, written, shown] of directives)
    test(what, () => {
      const files = {
        'guide/b.md': '# B\n',
        'guide/p.png': '',
        'p 1.png': '',
        'guide/a.py': 'one\n# start\n  two\n# end\n',
        'guide/part.md': '# No\n<!-- start -->\nPart of {term}\n\n```{note}\nIn it\n```\n',
      }
      assert.deepEqual(page(written, files), { text: shown, problems: [] })
    })
})

test('roles become text, code, links and formulas', () => {
  const { text, problems } = page(
    [
      '{abbr}`HTML (a language)` {kbd}`Ctrl` H{sub}`2`O {sup}`3` {term}`hull` {download}`p.zip <files/p.zip>`',
      '{guilabel}`OK` {menuselection}`File --> Open` {file}`a/b` {py:func}`~a.b.go` {class}`the <a.B>` {pep}`8` {bdg-info}`new`',
      '`{kbd}` {octicon}`x;1em` `{ref}`',
      '{ref}`over\nlines <b>` ``{kbd}`x` ``\n',
    ].join('\n\n'),
    { 'b.md': '(b)=\n# B\n', 'g.md': '```{glossary}\nhull\n  x\n```\n', 'guide/files/p.zip': '' },
  )
  assert.equal(
    text,
    [
      'HTML (a language) <kbd>Ctrl</kbd> H<sub>2</sub>O <sup>3</sup> [hull](../g.md) [p.zip](files/p.zip)',
      '**OK** **File → Open** `a/b` `go` `the` [PEP 8](https://peps.python.org/pep-0008/) **new**',
      '`{kbd}`  `{ref}`',
      '[over lines](../b.md) ``{kbd}`x` ``\n',
    ].join('\n\n'),
  )
  assert.deepEqual(problems, [])
})

test('what is not understood is a problem with its line and number, and keeps its text', () => {
  const { text, problems } = page(
    ':::{odd} Title\n:option: x\n\n**Text**\n\n```js\ncode\n```\n:::\n\n```{exec}\n# a = 1\nb\n```\n\n{odd}`x` {odd}`y` {ref}`none` {{ none }}\n\n```{include} none.md\n```\n\n```{eval-rst}\n.. note:: x\n```\n',
  )
  assert.equal(
    text,
    'Title\n\n**Text**\n\n```js\ncode\n```\n\n```\n# a = 1\nb\n```\n\n`x` `y` none {{ none }}\n\n`none.md`\n\n{% hint style="info" %}\nx\n{% endhint %}\n',
  )
  assert.deepEqual(
    problems.map(({ path, line, message }) => [
      path,
      line,
      message.replace(', which is not understood and left out', ''),
    ]),
    [
      ['guide/a.md', 3, 'has the directive "odd"'],
      ['guide/a.md', 13, 'has the directive "exec"'],
      ['guide/a.md', 18, 'has the substitution "none"'],
      ['guide/a.md', 18, 'has the role "odd", 2 times'],
      ['guide/a.md', 18, 'has the reference to "none"'],
      ['guide/a.md', 20, 'has {include} of "none.md"'],
    ],
  )
})

test('a fence without an end takes in no more than its item, and includes end', () => {
  assert.equal(
    page('- One\n\n  ```{note}\n  Text\n\nAfter\n').text,
    '- One\n\n  {% hint style="info" %}\n  Text\n  {% endhint %}\n\nAfter\n',
  )
  const loop = page('```{include} loop.md\n```\n', {
    'guide/loop.md': '```{include} loop.md\n```\n```{include} loop.md\n```\n',
  })
  assert.ok(loop.text.length < 100_000)
  assert.ok(loop.problems.length > 0)
})
