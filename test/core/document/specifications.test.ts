/**
 * Markdown is shown as its specifications define it: the examples of CommonMark, and those of GitHub's additions. The manual lists
 * each example that is shown differently. No package has the examples of GitHub's specification, so the additions are compared
 * with another implementation of it.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseMarkdown } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'
import { expectedMarkup, markupOfSite } from './shown-markup.ts'

interface Example {
  markdown: string
  html: string
  section: string
  number: number
}

const { tests } = createRequire(import.meta.url)('commonmark-spec') as { tests: Example[] }
/** The specification writes tabs as arrows. */
const EXAMPLES = tests.map((example) => ({
  ...example,
  markdown: example.markdown.replaceAll('→', '\t'),
  html: example.html.replaceAll('→', '\t'),
}))

const [, chapter = ''] = readFileSync('docs/markdown.md', 'utf8').split(
  '## Differences from CommonMark and GitHub',
)
/** The numbers in the table of the manual. */
const LISTED = new Set(
  [...chapter.matchAll(/^\| .* \| ([\d, ]+) \|$/gm)].flatMap(([, numbers = '']) =>
    numbers.split(', ').map(Number),
  ),
)

test('every example of CommonMark is shown as specified, or is in the table of the manual', () => {
  assert.equal(EXAMPLES.length, 652)
  const different = EXAMPLES.filter(({ markdown, html }) => markupOfSite(markdown) !== expectedMarkup(html))
  assert.deepEqual(
    different.map(({ number }) => number),
    [...LISTED].toSorted((a, b) => a - b),
  )
})

const withGithub = (markdown: string) =>
  expectedMarkup(
    micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
  )

/** Elements that GitHub shows as text, and sites leave out. */
const AS_TEXT = /<(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)\b/i

test('an example of CommonMark that is not in the table of the manual means the same with GitHub’s additions', () => {
  for (const { markdown, number } of EXAMPLES)
    if (!LISTED.has(number) && !AS_TEXT.test(markdown))
      assert.equal(markupOfSite(markdown), withGithub(markdown), `example ${number}`)
})

/** GitHub's additions, by the chapters of its specification. */
const GITHUB: Record<string, readonly string[]> = {
  tables: [
    '| a | b |\n| --- | --- |\n| c | d |\n',
    'a | b\n:-: | -:\nc | d\n',
    '| a |\n| - |\n| `b\\|c` **d\\|e** |\n',
    '| a | b |\n| - | - |\n| c |\n| d | e |\n',
    '| a |\n| - |\n| b |\n> c\n',
    '| a |\n| - |\n| b |\n\nc\n',
    '| a |\n| - |\nb\n\nc\n',
    '| a | b |\n| - |\n| c |\n',
    'text\n| a |\n| - |\n| b |\n',
    '| a | b | c |\n| - | - | - |\n| [a](b) | ![c](d) | <e@f.gg> |\n| *h* | ~~i~~ | https://j.kk |\n',
  ],
  'task lists': [
    '- [ ] a\n- [x] b\n- [X] c\n',
    '- [x] a\n  - [ ] b\n  - [x] c\n- [ ] d\n',
    '- [x]a\n- [] b\n- \\[x] c\n',
    '- [ ] a\n\n  b\n',
  ],
  strikethrough: [
    '~~a~~ b ~c~\n',
    '~~a\n\nb~~\n',
    '~~~a~~~ b\n',
    'a ~~*b* `c`~~ d\n',
    '~~a~ b\n',
    'a\\~~b~~\n',
  ],
  'addresses as links': [
    'www.a.org\n',
    'See www.a.org/b, www.c.org. And http://d.org!\n',
    'www.a.org/b?c=(d)) and (www.e.org/f)\n',
    'https://a.org/b?c=d&amp;\n',
    'https://a.org/b?c=d&copy; e\n',
    'www.a.org/<b\n',
    'http://a.org https://b.org/c-d_e#f\n',
    'a@b.org and c.d-e+f_g@h.org.\n',
    'a@b+c.org and d@e.f-\n',
    '**https://a.org** _www.b.org_ (https://c.org)\n',
    '- https://a.org\n\n> www.b.org\n\n## c@d.org\n',
    '`https://a.org` [b](https://c.org) <https://d.org>\n',
    'ahttp://b.org xwww.c.org\n',
  ],
}

for (const [name, examples] of Object.entries(GITHUB)) {
  test(`${name} of GitHub are shown as GitHub’s specification defines them`, () => {
    for (const markdown of examples) assert.equal(markupOfSite(markdown), withGithub(markdown), markdown)
  })
}

test('every example is shown the same when it is printed and read again', () => {
  for (const markdown of [...EXAMPLES.map((example) => example.markdown), ...Object.values(GITHUB).flat()]) {
    const printed = printDocument(parseMarkdown(markdown).document)
    assert.equal(markupOfSite(printed), markupOfSite(markdown), `${markdown}\n→\n${printed}`)
  }
})

test('a site and another renderer that show something else differ', () => {
  for (const [one, other] of [
    ['*a*', '**a**'],
    ['a b', 'ab'],
    ['[a](b)', '[a](c)'],
    ['![a](b)', '![c](b)'],
    ['- a', '1. a'],
    ['2. a', '1. a'],
    ['a\n\nb', 'a b'],
    ['`a  b`', '`a b`'],
    ['- [ ] a', '- [x] a'],
    ['|a|\n|-|', '|a|\n|-:|'],
    ['    a\n     b', '    a\n    b'],
  ] as const)
    assert.notEqual(markupOfSite(one), markupOfSite(other), one)
})
