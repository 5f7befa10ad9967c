/** A wiki of GitHub becomes pages in the order of its sidebar. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertGithubWiki } from '../../../src/core/sources/markdown/github-wiki.ts'
import { assertLinear, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'
import { WIKI } from './wiki-fixture.ts'

test('the sidebar is the page tree, and wiki links are links', () => {
  const converted = convertGithubWiki(bytesIn(WIKI))
  const texts = textsOf(converted)
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* [Home](<Home.md>)

## Guides

* [Getting Started](<Getting-Started.md>)
  * [API](<API-%28v2%29.md>)
  * [Deep](<guides/Deep-Page.md>)
* Elsewhere
  * [Site](<https://example.com/>)
`,
  )
  assert.equal(
    texts['Home.md'],
    `# Home

Welcome. See [Getting Started](<Getting-Started.md>), [the guide](<Getting-Started.md>), [steps](Getting-Started.md#steps),
[up](API-%28v2%29.md) and ![A plan](<images/plan.png>). Code: \`[[Getting Started]]\`, [[Nowhere]].

> [!WARNING]
> Careful

\`\`\`
[[Getting Started]]
> [!NOTE]
\`\`\`
`,
  )
  assert.equal(texts['Getting-Started.md'], '# First steps\n\n## Steps\n\n[Home](Home.md)\n')
  assert.equal(
    texts['guides/Deep-Page.md'],
    '# Deep Page\n\n[Home](<../Home.md>) ![plan](../images/plan.png)\n',
  )
  assert.deepEqual(
    converted.problems.map(({ path }) => path),
    ['Old.mediawiki', '_Footer.md'],
  )
})

test('without a sidebar, the home page comes first, and pages that it lacks come last', () => {
  const texts = textsOf(convertGithubWiki(bytesIn({ 'A.md': 'a', 'Home.md': 'h' })))
  assert.equal(texts['SUMMARY.md'], '# Table of contents\n\n* [Home](<Home.md>)\n* [A](<A.md>)\n')
  const listed = textsOf(convertGithubWiki(bytesIn({ 'A.md': 'a', 'B.md': 'b', '_Sidebar.md': '* [[A]]' })))
  assert.equal(listed['SUMMARY.md'], '# Table of contents\n\n* [A](<A.md>)\n\n---\n\n* [B](<B.md>)\n')
})

test('another archive is refused, and the message says what to send', () => {
  assert.throws(() => convertGithubWiki(bytesIn({ 'README.md': '# A' })), /\.wiki\.git/)
})

test('a page is converted in linear time', () => {
  for (const unit of ['[[', '[[a|', '[[Home]] ', '`[[', '> [!NOTE]\n', '](', '```\n', '> '])
    assertLinear(repeated(unit), (text) =>
      convertGithubWiki(bytesIn({ 'Home.md': text, '_Sidebar.md': text })),
    )
})
