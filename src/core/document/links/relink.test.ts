import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { anyDocument } from '../../../../test/core/documents.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import { printDocument } from '../print.ts'
import { relink } from './relink.ts'
import { holds } from '../../../../test/property.ts'

const to = (name: string, isPage: boolean) => {
  if (name === 'setup') return '/pages/1'
  return name === 'logo' && !isPage ? '/files/2' : undefined
}

test('replaces the addresses of what has the name, wherever Markdown has addresses', () => {
  const cases: [string, string][] = [
    ['[a](./setup.md)', '[a](/pages/1)'],
    ['[a](./setup)', '[a](/pages/1)'],
    ['[a](./setup.md#part "Title")', '[a](/pages/1#part "Title")'],
    ['[a](<./setup.md>)', '[a](</pages/1>)'],
    ['![a](./logo) and [b](./setup)', '![a](/files/2) and [b](/pages/1)'],
    ['[a][x]\n\n[x]: ./setup.md', '[a][x]\n\n[x]: /pages/1'],
    ['<img src="./logo" alt="">', '<img src="/files/2" alt="">'],
    ['<a class="button" href=\'./setup\'>a</a>', '<a class="button" href=\'/pages/1\'>a</a>'],
    [
      '{% content-ref url="./setup.md" %}\n[./setup.md](./setup.md)\n{% endcontent-ref %}',
      '{% content-ref url="/pages/1" %}\n[./setup.md](/pages/1)\n{% endcontent-ref %}',
    ],
    ['{% file src="./logo" %}', '{% file src="/files/2" %}'],
    ['---\ncover: ./logo\n---\n\n# A', '---\ncover: /files/2\n---\n\n# A'],
    ['| a |\n| --- |\n| [b](./setup) |', '| a |\n| --- |\n| [b](/pages/1) |'],
  ]
  for (const [before, after] of cases) assert.equal(relink(before, to), after)
})

test('leaves every other byte: other names, other addresses, text and code', () => {
  const same = [
    '[a](./other.md) [b](setup.md) [c](../setup.md) [d](./setup/more.md) [e](./setup.mdx)',
    '![a](./logo.md)',
    'Write ./setup.md, or (./setup).',
    '`[a](./setup)`',
    '```md\n[a](./setup.md)\n<img src="./logo">\n```',
    '* a\n\n      [a](./setup.md)\n',
    '\\[a\\](./setup)',
    '---\ntitle: "[a](./setup)"\n---\n',
    'https://example.com/./setup',
  ]
  for (const source of same) assert.equal(relink(source, to), source)
})

test('without a name of the batch in it, a source stays as it is', { skip: withoutCorpora }, () => {
  for (const corpus of CORPORA)
    for (const [, source] of pagesToTry(corpus, 1))
      assert.equal(
        relink(source, () => undefined),
        source,
      )
  holds(
    fc.property(anyDocument, (document) => {
      const source = printDocument(document)
      assert.equal(
        relink(source, () => undefined),
        source,
      )
    }),
    { cases: 200 },
  )
})
