/** Blocks of static site generators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colonBlocks, indentedBlocks } from '../../../src/core/sources/admonitions.ts'
import { dialectLines } from '../../../src/core/sources/dialect.ts'
import { assertLinear, repeated } from '../cost/growth.ts'

const colons = (text: string) =>
  colonBlocks(dialectLines(text))
    .map((line) => line.text)
    .join('\n')
const indented = (text: string) => indentedBlocks(text.split('\n')).join('\n')

test('blocks between colons become hints and collapsible text', () => {
  assert.equal(
    colons(
      ':::note[Mind]\nText\n:::\n\n::::danger\n:::tip Save\nIn\n:::\n::::\n\n::: details More <b>\nText\n:::',
    ),
    `{% hint style="info" %}
**Mind**

Text
{% endhint %}

{% hint style="danger" %}
{% hint style="success" %}
**Save**

In
{% endhint %}
{% endhint %}

<details>

<summary>More &lt;b&gt;</summary>

Text

</details>`,
  )
  assert.equal(colons('```\n:::note\n```\n::: code-group\nx\n:::\n:::'), '```\n:::note\n```\nx\n:::')
  assert.equal(colons(':::warning\nopen'), '{% hint style="warning" %}\nopen\n{% endhint %}')
})

test('indented blocks become hints, collapsible text and tabs', () => {
  assert.equal(
    indented('!!! warning "Hot"\n    Text\n\n    More\n\nAfter\n\n??? note\n    Hidden\n'),
    `{% hint style="warning" %}
**Hot**

Text

More
{% endhint %}

After

<details>

<summary>Note</summary>

Hidden

</details>
`,
  )
  // Code may have less indentation than its block.
  assert.equal(
    indented('!!! note\n    ```\n  a\n    ```\n    b\n\nc'),
    '{% hint style="info" %}\n```\na\n```\nb\n{% endhint %}\n\nc',
  )
  assert.equal(
    indented('=== "Linux"\n\n    ```sh\n    apt\n    ```\n\n=== "macOS"\n\n    brew\n\nEnd'),
    '{% tabs %}\n{% tab title="Linux" %}\n\n```sh\napt\n```\n{% endtab %}\n\n{% tab title="macOS" %}\n\nbrew\n{% endtab %}\n{% endtabs %}\n\nEnd',
  )
})

test('blocks are read in linear time', () => {
  for (const unit of [':::note\n', ':::\n', '::: a {', ':::note[']) assertLinear(repeated(unit), colons)
  for (const unit of ['!!! note\n', '!!! note\n    a\n', '\n', '=== "a"\n    b\n', '!!! "'])
    assertLinear(repeated(unit), indented)
})
