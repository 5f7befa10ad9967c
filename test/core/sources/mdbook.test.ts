/** Books of mdBook: their table of contents, and what their chapters include and hide. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertMdBook } from '../../../src/core/sources/projects/mdbook.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

/** A chapter as it is converted, in a book with other files. */
function chapter(text: string, files: Record<string, string> = {}) {
  const converted = convertMdBook(
    bytesIn({ 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': `# A\n\n${text}`, ...files }),
  )
  const whole = textsOf(converted)['src/a.md'] ?? ''
  return { text: whole.replace(/^# A\n\n/, ''), problems: converted.problems }
}

test('the table of contents has chapters without a bullet, parts, drafts and rules', () => {
  const { files, problems } = convertMdBook(
    bytesIn({
      'docs/book.toml': '[book]\ntitle = "Gardening"\nsrc = "text"\n',
      'docs/text/SUMMARY.md': `# Summary

[Title page](title.md)
<!-- [Old](old.md) -->
[Foreword](foreword.md)

# Ground

- [Soil](soil.md)
    - [Clay](deep/clay.md)
    - [Sand]()

# Plants

* [Roses](roses.md)
* [Gone](gone.md)

-----------

[Contributors](people.md)
`,
      'docs/text/title.md': '# Gardening\n',
      'docs/text/foreword.md': 'Hello.\n',
      'docs/text/soil.md':
        '# Soil\n\nSee [clay](deep/clay.html#wet), [deep](deep/index.html) and [rose](./roses.html).\n',
      'docs/text/deep/clay.md': '# Clay\n\n## Wet {#wet .big}\n\n[Soil](../soil.html)\n',
      'docs/text/deep/README.md': '# Deep\n',
      'docs/text/roses.md': '# Roses {.flower}\n\n## Red {.x}\n',
      'docs/text/people.md': '# Contributors\n',
      'README.md': '# The repository\n',
    }),
  )
  const texts = textsOf({ files, problems })
  assert.equal(
    texts['docs/text/SUMMARY.md'],
    `# Table of contents

* [Title page](<title.md>)
* [Foreword](<foreword.md>)

## Ground

* [Soil](<soil.md>)
  * [Clay](<deep/clay.md>)
  * Sand

## Plants

* [Roses](<roses.md>)
* Gone

---

* [Contributors](<people.md>)
`,
  )
  assert.equal(
    texts['.gitbook.yaml'],
    `root: ./docs/text/
redirects:
  "title.html": "title.md"
  "foreword.html": "foreword.md"
  "soil.html": "soil.md"
  "deep/clay.html": "deep/clay.md"
  "roses.html": "roses.md"
  "people.html": "people.md"
`,
  )
  assert.equal(texts['docs/text/foreword.md'], '# Foreword\n\nHello.\n')
  assert.equal(
    texts['docs/text/soil.md'],
    '# Soil\n\nSee [clay](deep/clay.md#wet), [deep](deep/README.md) and [rose](roses.md).\n',
  )
  assert.equal(
    texts['docs/text/deep/clay.md'],
    '# Clay\n\n## Wet <a href="#wet" id="wet"></a>\n\n[Soil](../soil.md)\n',
  )
  assert.equal(texts['docs/text/roses.md'], '# Roses\n\n## Red\n')
  assert.equal(texts['README.md'], undefined)
  assert.deepEqual(
    problems.map(({ kind, path, address }) => [kind, path, address]),
    [['missing-page', 'docs/text/SUMMARY.md', 'gone.md']],
  )
})

test('settings that are not TOML are a problem, and the pages are those of the default folder', () => {
  const { files, problems } = convertMdBook(bytesIn({ 'book.toml': '[book', 'src/a.md': '# A\n' }))
  assert.ok(files.has('src/a.md'))
  assert.deepEqual(
    problems.map(({ kind, path }) => [kind, path]),
    [['setting', 'book.toml']],
  )
})

const LISTING = `use std::io;
// ANCHOR: main
fn main() {
    // ANCHOR: inner
    go();
    // ANCHOR_END: inner
}
// ANCHOR_END: main
`

describe('chapters include', () => {
  const includes: [written: string, shown: string][] = [
    ['{{#include ../code/main.rs:1}}', 'use std::io;'],
    ['{{#include ../code/main.rs:5:}}', '    go();\n    // ANCHOR_END: inner\n}\n// ANCHOR_END: main'],
    ['{{#include ../code/main.rs::1}}', 'use std::io;'],
    ['{{#include ../code/main.rs:3:5}}', 'fn main() {\n    // ANCHOR: inner\n    go();'],
    ['{{#include ../code/main.rs:main}}', 'fn main() {\n    go();\n}'],
    ['{{#rustdoc_include ../code/main.rs:inner}}', '    go();'],
    ['{{#include part.md}}', 'See **3**.'],
    ['\\{{#include part.md}}', '{{#include part.md}}'],
    ['{{#title Other}}x', 'x'],
  ]
  for (const [written, shown] of includes)
    test(written, () => {
      const files = {
        'code/main.rs': LISTING,
        'src/part.md': 'See **{{#include number.txt}}**.\n',
        'src/number.txt': '3\n',
      }
      assert.deepEqual(chapter(`\`\`\`text\n${written}\n\`\`\`\n`, files), {
        text: `\`\`\`text\n${shown}\n\`\`\`\n`,
        problems: [],
      })
    })

  test('a program', () => {
    const { text } = chapter('{{#playground ../code/main.rs:inner editable}}\n', { 'code/main.rs': LISTING })
    assert.equal(text, '```rust\n    go();\n```\n')
  })

  test('nothing that is missing or not known, which is a problem with its line', () => {
    const { text, problems } = chapter(
      'One\n\n{{#include none.rs}}\n\n{{#quiz q.toml}} {{#quiz q.toml}}\n\n{{#include ../../secret}}\n',
    )
    assert.equal(text, 'One\n')
    assert.deepEqual(
      problems.map(({ path, line, message }) => [path, line, message]),
      [
        ['src/a.md', 5, 'has {{#include none.rs}}, which is not understood and left out'],
        ['src/a.md', 7, 'has {{#quiz q.toml}}, 2 times, which is not understood and left out'],
        ['src/a.md', 9, 'has {{#include ../../secret}}, which is not understood and left out'],
      ],
    )
  })

  test('not more than a page may have, also if a file includes itself', () => {
    const loop = chapter('{{#include loop.md}}', {
      'src/loop.md': 'x{{#include loop.md}}{{#include loop.md}}',
    })
    assert.ok(loop.text.length < 10_000)
    assert.ok(loop.problems.length > 0)
    const large = chapter('{{#include large.txt}}\n'.repeat(10), { 'src/large.txt': 'x'.repeat(400_000) })
    assert.ok(large.text.length < 1_000_000)
    assert.equal(large.problems.length, 1)
  })
})

test('hidden lines of code are left out, and languages have no options', () => {
  const { text } = chapter(`\`\`\`rust,ignore,noplayground
# use std::io;
#
#[derive(Debug)]
## heading
fn main() {
    # hidden();
    go();
}
\`\`\`

\`\`\`python,hidelines=~
~import os
# A comment
\`\`\`

\`\`\`sh
# as root
\`\`\`
`)
  assert.equal(
    text,
    `\`\`\`rust
#[derive(Debug)]
# heading
fn main() {
    go();
}
\`\`\`

\`\`\`python
# A comment
\`\`\`

\`\`\`sh
# as root
\`\`\`
`,
  )
})

test('alerts stay, as every page reads them, and blocks of mdbook-admonish become hints', () => {
  const { text } = chapter('> [!TIP]\n> Water.\n\n```admonish warning title="Wait"\nNot **now**.\n```\n')
  assert.equal(
    text,
    '> [!TIP]\n> Water.\n\n{% hint style="warning" %}\n**Wait**\n\nNot **now**.\n{% endhint %}\n',
  )
})

for (const [name, make] of familiesOf(
  {
    'open directives': repeated('{{#include a'),
    directives: repeated('{{#include b.txt}}\n'),
    'unknown directives': repeated('{{#quiz a}}\n'),
    'hidden lines': repeated('# a\n', '```rust\n'),
    fences: repeated('```admonish note "a"\nx\n```\n'),
    'attributes of headings': repeated('{#', '## a '),
    spaces: repeated(' ', '```rust\n'),
  },
  1,
))
  test(`chapters are converted in linear time: ${name}`, () =>
    assertLinear(make, (text) => chapter(text, { 'src/b.txt': 'b' })))

for (const [name, make] of familiesOf(
  {
    brackets: repeated('['),
    links: repeated('[a](b)\n'),
    bullets: repeated('- [a](a.md)\n'),
    comments: repeated('<!--'),
  },
  1,
))
  test(`a table of contents is read in linear time: ${name}`, () =>
    assertLinear(make, (text) => chapter('', { 'src/SUMMARY.md': text })))

test('a chapter between the tags of a condition is left out and reported', () => {
  const summary = '# Summary\n\n- [A](a.md)\n\n{% if visitor.claims.a %}\n\n- [S](s.md)\n\n{% endif %}\n'
  const { files, problems } = convertMdBook(
    bytesIn({ 'book.toml': '', 'src/SUMMARY.md': summary, 'src/a.md': '# A', 'src/s.md': '# S' }),
  )
  assert.deepEqual(
    problems.map(({ kind, path }) => [kind, path]).filter(([kind]) => kind === 'condition'),
    [['condition', 'src/SUMMARY.md']],
  )
  assert.equal(
    Buffer.from(files.get('src/SUMMARY.md') ?? []).toString(),
    '# Table of contents\n\n* [A](<a.md>)\n',
  )
})
