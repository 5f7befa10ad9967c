import assert from 'node:assert/strict'
import test from 'node:test'

import { parseMarkdown } from './parse.ts'
import { blockText } from './text.ts'

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
    parseMarkdown(SOURCE)
      .document.nodes.map(blockText)
      .filter((text) => text !== '')
      .join('\n'),
    'Intro bold 😄 &\nFirst\none\ntwo\nTab\nIn the tab\nSecond\ncode\n\nmore\nTitle\nHidden\nA\nB\nc\nd\nThird\nraw < html\nword (note)',
  )
})
