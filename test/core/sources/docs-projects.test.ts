/** Projects of static site generators become spaces with the tree that their sites have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  convertDocusaurus,
  convertMkDocs,
  convertVitePress,
} from '../../../src/core/sources/docs-projects.ts'
import { bytesIn, textsOf } from './sources.ts'

test('Docusaurus: positions, labels and categories order the tree', () => {
  const texts = textsOf(
    convertDocusaurus(
      bytesIn({
        'site/docusaurus.config.js': 'export default {}',
        'site/docs/intro.md':
          '---\nsidebar_position: 1\n---\n\n# Welcome\n\n[Set up](./guides/02-setup.mdx#a) ![Logo](/img/logo.png)\n',
        'site/docs/guides/_category_.json': '{"label": "How to", "position": 2}',
        'site/docs/guides/02-setup.mdx':
          "---\ntitle: Set up\n---\nimport Tabs from '@theme/Tabs'\n\n:::tip[Fast]\nUse [this](/intro)\n:::\n",
        'site/docs/guides/01-first.md': 'Text',
        'site/docs/zebra.md': '# Zebra',
        'site/static/img/logo.png': 'png',
        'site/README.md': '# About the repository',
      }),
    ),
  )
  assert.equal(
    texts['docs/SUMMARY.md'],
    `# Table of contents

* [Welcome](<intro.md>)
* How to
  * [First](<guides/01-first.md>)
  * [Set up](<guides/02-setup.md>)
* [Zebra](<zebra.md>)
`,
  )
  assert.equal(
    texts['docs/intro.md'],
    '---\nsidebar_position: 1\n---\n\n# Welcome\n\n[Set up](guides/02-setup.md#a) ![Logo](../static/img/logo.png)\n',
  )
  assert.equal(
    texts['docs/guides/02-setup.md'],
    '---\ntitle: Set up\n---\n\n{% hint style="success" %}\n**Fast**\n\nUse [this](../intro.md)\n{% endhint %}\n',
  )
  assert.equal(texts['docs/guides/01-first.md'], '# First\n\nText\n')
  assert.equal(texts['README.md'], undefined)
})

test('MkDocs: nav is the tree', () => {
  const texts = textsOf(
    convertMkDocs(
      bytesIn({
        'mkdocs.yml':
          'site_name: App\nnav:\n  - Home: index.md\n  - Guides:\n      - guides/setup.md\n  - Site: https://example.com/\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n',
        'docs/index.md': '# App\n\n!!! note\n    [Set up](guides/setup.md)\n',
        'docs/guides/setup.md': '# Set up\n',
      }),
    ),
  )
  assert.equal(
    texts['docs/SUMMARY.md'],
    '# Table of contents\n\n* [Home](<index.md>)\n* Guides\n  * [Set up](<guides/setup.md>)\n',
  )
  assert.equal(
    texts['docs/index.md'],
    '# App\n\n{% hint style="info" %}\n[Set up](guides/setup.md)\n{% endhint %}\n',
  )
  assert.throws(() => convertMkDocs(bytesIn({ 'a.md': '# A' })), /mkdocs\.yml at the top/)
})

test('VitePress: the folder of its settings holds the pages', () => {
  const texts = textsOf(
    convertVitePress(
      bytesIn({
        'docs/.vitepress/config.ts': 'export default {}',
        'docs/index.md': '# Home\n\n::: warning\n[Guide](/guide/start) ![Logo](/logo.svg)\n:::\n',
        'docs/guide/start.md': '# Start\n',
        'docs/public/logo.svg': '<svg/>',
        'README.md': '# Repository',
      }),
    ),
  )
  assert.equal(
    texts['docs/index.md'],
    '# Home\n\n{% hint style="warning" %}\n[Guide](guide/start.md) ![Logo](public/logo.svg)\n{% endhint %}\n',
  )
  assert.equal(texts['.gitbook.yaml'], 'root: ./docs/\n')
  assert.throws(() => convertVitePress(bytesIn({ 'a.txt': 'x' })), /has no Markdown page/)
})
