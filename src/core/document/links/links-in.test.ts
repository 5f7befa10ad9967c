import assert from 'node:assert/strict'
import test from 'node:test'
import { linksIn, linksOf } from './links-in.ts'
import { allBlocks } from '../identify.ts'
import { parsePage } from '../parse.ts'
import { samplePages } from '../../../../test/core/sample-pages.ts'
import { cpuTime } from '../../../../test/cpu.ts'
import { onlyLong } from '../../../../test/effort.ts'

test('a document gives its references and what may be linked to in it, in order', () => {
  const { references, anchors } = linksIn(`---
description: x
---

# Title

## First part

[a](b.md) <a id="raw"></a>

<div name='named'><p id=bare>x</p></div>

{% tabs %}
{% tab title="On Linux" %}
### Inside <a href="#own" id="own"></a>
{% endtab %}
{% endtabs %}

<details><summary>More</summary>

![](c.png)

</details>
`)
  assert.deepEqual(
    references.map(({ ref, place }) => [ref.kind === 'url' && ref.url, place]),
    [
      ['b.md', 'link'],
      ['c.png', 'image'],
    ],
  )
  for (const anchor of ['first-part', 'raw', 'named', 'bare', 'on-linux', 'own', 'more'])
    assert.ok(anchors.includes(anchor), `${anchor} in ${anchors.join()}`)
  assert.deepEqual(linksIn(''), { references: [], anchors: [] })
})

test('raw HTML of any kind is read in time that grows with its length', () => {
  for (const filler of [' id=', ' id="', '<a name', "<p id='", ' \t\n']) {
    const began = cpuTime()
    linksIn(`<div ${filler.repeat(20_000)}>`)
    assert.ok(cpuTime() - began < 5_000, filler)
  }
})

const REFERRING = `[a](b.md)

Same.

[a](b.md)

Same.

- [a](b.md)
- [a](b.md)

| [a](b.md) | c |
| - | - |
| ![d](e.png) | f |

{% hint style="info" %}
[a](b.md)
{% endhint %}

<details><summary>[a](b.md)</summary>

![](c.png)

</details>

{% content-ref url="b.md" %}
[b](b.md)
{% endcontent-ref %}

{% content-ref url="b.md" %}
[b](b.md)
{% endcontent-ref %}
`

test(
  'references name the same blocks if only blocks with references get keys, and no others get any',
  onlyLong,
  () => {
    for (const source of [REFERRING, ...samplePages()]) {
      const page = parsePage(source, { keys: 'referring' })
      assert.deepEqual(linksOf(page, source), linksIn(source))
    }
    const { document } = parsePage('A [link](b.md).\n\nText.\n\n## Heading\n', { keys: 'referring' })
    assert.deepEqual(
      allBlocks(document.nodes).map(({ key }) => key !== undefined),
      [true, false, false],
    )
  },
)
