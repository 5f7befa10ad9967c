import assert from 'node:assert/strict'
import test from 'node:test'

import { parseMarkdown } from './parse.ts'
import { plainText, sections } from './text.ts'

const SOURCE = `Intro **bold** :smile: &amp;

## First

* one
* two

{% tabs %}
{% tab title="Tab" %}
In the tab

### Second

\`\`\`
code

more
\`\`\`
{% endtab %}
{% endtabs %}

<details>

<summary>Title</summary>

Hidden

</details>

| A | B |
| - | - |
| c | d |

#### Third

<div class="x">raw &lt; <b>html</b></div>

word[^1]

[^1]: note
`

test('has every word that a reader sees, a line for each block', () => {
  assert.equal(
    plainText(parseMarkdown(SOURCE).document),
    'Intro bold 😄 &\nFirst\none\ntwo\nTab\nIn the tab\nSecond\ncode\n\nmore\nTitle\nHidden\nA\nB\nc\nd\nThird\nraw < html\nword (note)',
  )
})

test('is cut into sections at headings, those in tabs too', () => {
  assert.deepEqual(sections(parseMarkdown(SOURCE).document), [
    { id: '', title: '', text: 'Intro bold 😄 &', level: 0 },
    { id: 'first', title: 'First', text: 'one\ntwo\nTab\nIn the tab', level: 1 },
    { id: 'second', title: 'Second', text: 'code\n\nmore\nTitle\nHidden\nA\nB\nc\nd', level: 2 },
    { id: 'third', title: 'Third', text: 'raw < html\nword (note)', level: 3 },
  ])
  assert.deepEqual(sections(parseMarkdown('').document), [])
})
