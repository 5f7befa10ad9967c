import assert from 'node:assert/strict'
import test from 'node:test'
import { linksIn } from './links-in.ts'
import { cpuTime } from '../../../test/cpu.ts'

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
