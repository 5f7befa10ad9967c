/** Exports of Wiki.js: the tree of their paths, their fields, and their lists of attributes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertWikiJs } from '../../../src/core/sources/wiki-js.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

const head = (title: string, more = '') =>
  `---\ntitle: ${title}\ndescription: \npublished: true\n${more}editor: markdown\ndateCreated: 2024-01-01T00:00:00.000Z\n---\n\n`

/** A page as it is converted, in a wiki with other files. */
function page(text: string) {
  const converted = convertWikiJs(
    bytesIn({
      'home.md': head('Home'),
      'a.md': `${head('A')}${text}`,
      'guide/b.md': `${head('B')}x\n`,
      'up/p.png': '',
    }),
  )
  const whole = textsOf(converted)['a.md'] ?? ''
  return { text: whole.slice(whole.indexOf('# A\n\n') + 5), problems: converted.problems }
}

test('paths are the tree, and the fields of pages are kept', () => {
  const converted = convertWikiJs(
    bytesIn({
      'home.md': `${head('Welcome')}# Boats\n\n[Sails](/en/guide/sails#wind) [Guide](/guide) ![p](/up/p.png =100x)\n`,
      'guide.md': `${head('The guide', 'tags: sea, land\n')}Text\n`,
      'guide/sails.md': `${head('Sails').replace('published: true', 'published: false')}## Wind\n`,
      'guide/deep/hull.html':
        '<!--\ntitle: Hull\ndescription: Below\npublished: true\ntags: \neditor: ckeditor\n-->\n<h2>Keel</h2><p>A <strong>keel</strong>, see <a href="/guide/sails">sails</a>.</p>',
      'other.html': '<p>A file</p>',
      'up/p.png': 'png',
    }),
  )
  const texts = textsOf(converted)
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* [Welcome](<home.md>)
* [The guide](<guide.md>)
  * Deep
    * [Hull](<guide/deep/hull.md>)
  * [Sails](<guide/sails.md>)
`,
  )
  assert.match(
    texts['home.md'] ?? '',
    /\n# Welcome\n\n# Boats\n\n\[Sails\]\(guide\/sails.md#wind\) \[Guide\]\(guide.md\) !\[p\]\(up\/p.png\)\n$/,
  )
  assert.match(texts['guide.md'] ?? '', /\ntags: \["sea","land"\]\n/)
  assert.match(texts['guide/sails.md'] ?? '', /\nhidden: true\n[^]*\n# Sails\n\n## Wind\n$/)
  assert.match(
    texts['guide/deep/hull.md'] ?? '',
    /^---\ntitle: Hull\n[^]*\n# Hull\n\n## Keel\n\nA \*\*keel\*\*, see \[sails\]\(\.\.\/sails.md\)\.\n$/,
  )
  for (const line of [
    '"guide/sails": "guide/sails.md"',
    '"en/guide/sails": "guide/sails.md"',
    '"en/home": "home.md"',
  ])
    assert.ok(texts['.gitbook.yaml']?.includes(line), `${line} in ${texts['.gitbook.yaml']}`)
  assert.equal(texts['other.html'], '<p>A file</p>')
  assert.deepEqual(converted.problems, [])
})

test('the pages of a language may be in its folder', () => {
  const converted = convertWikiJs(
    bytesIn({ 'de/home.md': head('Hallo'), 'de/a.md': `${head('A')}[Hallo](/de/home)\n`, 'x.png': '' }),
  )
  assert.match(textsOf(converted)['de/a.md'] ?? '', /\[Hallo\]\(home.md\)/)
  assert.match(textsOf(converted)['.gitbook.yaml'] ?? '', /"de\/a": "a.md"/)
})

describe('a page has', () => {
  const pages: [what: string, written: string, shown: string][] = [
    [
      'hints',
      '> One\n> two\n{.is-warning}\n\n> A quote\n',
      '{% hint style="warning" %}\nOne\ntwo\n{% endhint %}\n\n> A quote\n',
    ],
    [
      'hints with code',
      '> ```js\n> a\n> ```\n{.is-danger}\n',
      '{% hint style="danger" %}\n```js\na\n```\n{% endhint %}\n',
    ],
    [
      'lists of links',
      '- [B](/guide/b)\n- [B *Sub*](/en/guide/b)\n{.links-list}\n',
      '- [B](guide/b.md)\n- [B *Sub*](guide/b.md)\n',
    ],
    [
      'tabs',
      '# Tabs {.tabset}\n## One\n1\n### Deep\n## Two {.x}\n```\n# no\n```\n# After {#after .y}\n',
      '{% tabs %}\n{% tab title="One" %}\n1\n### Deep\n{% endtab %}\n{% tab title="Two" %}\n```\n# no\n```\n{% endtab %}\n{% endtabs %}\n# After\n',
    ],
    [
      'pictures with classes and sizes',
      '![p](/up/p.png =100x200){.align-center} `{.x}`\n',
      '![p](up/p.png) `{.x}`\n',
    ],
    ['formulas', 'So $x$ is `$x$`.\n', 'So $$x$$ is `$x$`.\n'],
    ['code as it is written', '```md\n> x\n{.is-info}\n```\n', '```md\n> x\n{.is-info}\n```\n'],
  ]
  for (const [what, written, shown] of pages)
    test(what, () => assert.deepEqual(page(written), { text: shown, problems: [] }))

  test('classes that are not known, which are problems', () => {
    const { text, problems } = page('> One\n{.odd}\n\n{.odd}\nText\n')
    assert.equal(text, '> One\n\nText\n')
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message]),
      [[10, 'has the class ".odd", 2 times, which is not understood and left out']],
    )
  })
})

for (const [name, make] of familiesOf(
  {
    quotes: repeated('> a\n{.is-info}\n'),
    'a long quote': repeated('> a\n'),
    attributes: repeated('{.a}\n'),
    'open attributes': repeated('{.a'),
    tabs: repeated('# a {.tabset}\n## b\n'),
    headings: repeated('## b\n', '# a {.tabset}\n'),
    sizes: repeated('](a ='),
    spaces: repeated(' ', '# a', '{'),
  },
  1,
))
  test(`pages are converted in linear time: ${name}`, () => assertLinear(make, page))
