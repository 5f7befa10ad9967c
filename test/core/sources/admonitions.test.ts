/** Blocks of static site generators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colonBlocks, indentedBlocks } from '../../../src/core/sources/markdown/admonitions.ts'
import { dialectLines } from '../../../src/core/sources/markdown/dialect.ts'
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

test('code that does not end is ended by the block that it is in', () => {
  const tabs = (code: string, shown: string) => {
    assert.equal(
      indented(`=== "Old"\n\n    Done.\n${code}\n=== "New"\n\n    \`\`\`sh\n    new\n    \`\`\`\n\nAfter`),
      `{% tabs %}\n{% tab title="Old" %}\n\nDone.\n${shown}{% endtab %}\n\n{% tab title="New" %}\n\n\`\`\`sh\nnew\n\`\`\`\n{% endtab %}\n{% endtabs %}\n\nAfter`,
    )
  }
  tabs('    ```\n', '')
  tabs('    ~~~~\n', '')
  tabs('    ```sh\n    old\n', '```sh\nold\n```\n')
  assert.equal(
    indented('!!! note\n    !!! tip\n        ```\n    a\n\nb'),
    '{% hint style="info" %}\n{% hint style="success" %}\n{% endhint %}\na\n{% endhint %}\n\nb',
  )
  assert.equal(
    indented('!!! note\n    ```a``` b\n\nc'),
    '{% hint style="info" %}\n```a``` b\n{% endhint %}\n\nc',
  )
})

test('blocks are read in linear time', () => {
  for (const unit of [':::note\n', ':::\n', '::: a {', ':::note[']) assertLinear(repeated(unit), colons)
  for (const unit of [
    '!!! note\n',
    '!!! note\n    a\n',
    '\n',
    '=== "a"\n    b\n',
    '!!! "',
    '!!! a\n    ```\nx\n',
    '!!! a\n    ```\n',
  ])
    assertLinear(repeated(unit), indented)
})
