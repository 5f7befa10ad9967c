import assert from 'node:assert/strict'
import test from 'node:test'
import { printAddress } from '../markdown/addresses.ts'
import { cpuTime } from '../../../../test/cpu.ts'
import { linksIn } from './links-in.ts'

test('each reference has the line of its address in the source, and the text that a reader sees', () => {
  const source = `---
description: x
---

# Title

First [a](other/gone.md) and
[b](gone.md) and [c](gone.md#part "Title").

| Column | Other |
| --- | --- |
| x | [in a table](gone.md) |

* one
* two ![Alt](gone.png)

{% content-ref url="far.md" %}
[far.md](far.md)
{% endcontent-ref %}

[by name][name] and <a href="gone.html" class="button primary">Press</a>

[name]: named.md
`
  const found = linksIn(source).references.map(({ ref, text, line }) => [printAddress(ref), text, line])
  assert.deepEqual(found, [
    ['other/gone.md', 'a', 7],
    ['gone.md', 'b', 8],
    ['gone.md#part', 'c', 8],
    ['gone.md', 'in a table', 12],
    ['gone.png', 'Alt', 15],
    ['far.md', undefined, 17],
    ['named.md', 'by name', 21],
    ['gone.html', 'Press', 21],
  ])
})

test('the lines of many references are found in time that grows with the source', () => {
  for (const link of ['[a](b.md) ', '[a](b%20c.md) ', '[a](<b c.md>) ', '[a](xb.md b) ']) {
    const before = cpuTime()
    linksIn(link.repeat(20_000))
    linksIn(Array.from({ length: 20_000 }, (_, i) => link.replace('b', `&#98;${i}`)).join(''))
    assert.ok(cpuTime() - before < 10_000, link)
  }
})
