/** The dialects of Markdown of Docusaurus, MkDocs and VitePress: tabs, titles, snippets and anchors. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertDocusaurus } from '../../../src/core/sources/projects/docusaurus.ts'
import { convertMkDocs } from '../../../src/core/sources/projects/mkdocs.ts'
import { convertVitePress } from '../../../src/core/sources/projects/vitepress.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

const DOCUSAURUS = {
  'docs/a.mdx': `---
title: A
---
import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';
import Part from './_part.mdx';
import {
  a,
} from 'b';

export const x = 1;

{/* a comment */}

<Tabs
  groupId="os"
  defaultValue="a"
  values={[
    {label: 'Apple > pie', value: 'a'},
    {value: "o", label: "Orange"},
  ]}>
  <TabItem value="a">

    Apples

    \`\`\`js title="app.js" showLineNumbers {1,3}
    const a = 1
    \`\`\`

  </TabItem>
  <TabItem value="o">Oranges</TabItem>
</Tabs>

<Tabs><TabItem value='x' label={'X'}>

:::info[Title]

Nested

:::

</TabItem></Tabs>

<Admonition type="tip" title="Try">
  Text
</Admonition>

<Part />

<Unknown a="b" />

## Heading {#custom-id}

\`\`\`jsx
<Tabs>
import x from 'y'
\`\`\`

:::danger Take care

Text

:::
`,
  'docs/_part.mdx': 'Shared [b](./b.md)\n',
  'docs/b.md':
    '# B\n\n<details>\n<summary>More</summary>\n\nText\n\n</details>\n\n<Tabs>\n<TabItem value="a">\nopen\n',
}

const MKDOCS = {
  'mkdocs.yml':
    'nav:\n  - index.md\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [shared]\n',
  'docs/index.md': `# Home

!!! tip inline end "Title"

    Text with \`code\`

    \`\`\` py title="a.py" linenums="1" hl_lines="2"
    import a

    b = 1
    \`\`\`

??? note

    Hidden

???+ warning "Open"
    Shown

    !!! danger
        Nested

=== "C"

    \`\`\`c
    int a;
    \`\`\`

=== "C++"

    1. One
    2. Two

After :material-check:{ .ok } [Button](b.md){ .md-button .md-button--primary }
![x](a.png){ width="300" }

## Heading { #own-id }

--8<-- "part.md"

--8<-- "docs/part2.md"

\`\`\` { .python .annotate title="x" }
--8<-- "code.py"
\`\`\`

--8<-- "gone.md"

{% include-markdown "./part2.md" %}

> [!WARNING]
> Alert
`,
  'docs/b.md': '# B',
  'docs/part2.md': 'P2\n',
  'shared/part.md': 'P1 [b](../docs/b.md)\n',
  'shared/code.py': 'def a():\n  pass\n',
  'docs/a.png': 'x',
}

const VITEPRESS = {
  'docs/.vitepress/config.ts': '',
  'docs/index.md': `# Home

<script setup>
import a from 'b'
</script>

[[toc]]

::: code-group

\`\`\`js [config.js]
export default {}
\`\`\`

\`\`\`ts:line-numbers {1} [config.ts]
export default {}
\`\`\`

:::

\`\`\`js:line-numbers {1}
a
\`\`\`

::: info Custom **title**
Text
:::

:::: details Click {open}
::: warning
Nested
:::
::::

<<< @/snippets/a.js#part{2} [A file]

<!--@include: ./parts/x.md-->

## T {#t}
`,
  'docs/snippets/a.js': 'x\n// #region part\nlet b\n// #endregion part\ny\n',
  'docs/parts/x.md': 'Part\n',
}

test('Docusaurus: tabs, admonitions, partials, titles of code and anchors; modules and comments are removed', () => {
  const texts = textsOf(convertDocusaurus(bytesIn(DOCUSAURUS)))
  assert.equal(
    texts['a.md'],
    `---
title: A
---

{% tabs %}
{% tab title="Apple > pie" %}
Apples

{% code title="app.js" lineNumbers="true" %}
\`\`\`js
const a = 1
\`\`\`
{% endcode %}
{% endtab %}
{% tab title="Orange" %}
Oranges
{% endtab %}
{% endtabs %}

{% tabs %}
{% tab title="X" %}
{% hint style="info" %}
**Title**


Nested

{% endhint %}
{% endtab %}
{% endtabs %}

{% hint style="success" %}
**Try**

Text
{% endhint %}

{% include "_part.md" %}



## Heading <a href="#custom-id" id="custom-id"></a>

\`\`\`jsx
<Tabs>
import x from 'y'
\`\`\`

{% hint style="danger" %}
**Take care**


Text

{% endhint %}
`,
  )
  assert.equal(
    texts['b.md'],
    `# B

<details>
<summary>More</summary>

Text

</details>

{% tabs %}
{% tab title="a" %}
open
{% endtab %}
{% endtabs %}
`,
  )
  assert.equal(
    texts['_part.md'],
    `# Part

Shared [b](b.md)
`,
  )
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* [A](<a.md>)
* [B](<b.md>)
`,
  )
})

test('MkDocs: admonitions, tabs, titles of code, snippets and attributes', () => {
  const texts = textsOf(convertMkDocs(bytesIn(MKDOCS)))
  assert.equal(
    texts['docs/index.md'],
    `# Home

{% hint style="success" %}
**Title**


Text with \`code\`

{% code title="a.py" lineNumbers="true" %}
\`\`\`py
import a

b = 1
\`\`\`
{% endcode %}
{% endhint %}

<details>

<summary>Note</summary>


Hidden

</details>

<details>

<summary>Open</summary>

Shown

{% hint style="danger" %}
Nested
{% endhint %}

</details>

{% tabs %}
{% tab title="C" %}

\`\`\`c
int a;
\`\`\`
{% endtab %}

{% tab title="C++" %}

1. One
2. Two
{% endtab %}
{% endtabs %}

After  [Button](b.md)
![x](a.png)

## Heading <a href="#own-id" id="own-id"></a>

{% include "../shared/part.md" %}

{% include "part2.md" %}

{% code title="x" %}
\`\`\`python
def a():
  pass
\`\`\`
{% endcode %}

--8<-- "gone.md"

{% include "part2.md" %}

> [!WARNING]
> Alert
`,
  )
  assert.equal(
    texts['shared/part.md'],
    `# Part

P1 [b](../docs/b.md)
`,
  )
  assert.equal(
    texts['docs/SUMMARY.md'],
    `# Table of contents

* [Home](<index.md>)
* [B](<b.md>)
* [Part2](<part2.md>)
`,
  )
})

test('VitePress: containers, groups of code, snippets and includes; scripts are removed', () => {
  const texts = textsOf(convertVitePress(bytesIn(VITEPRESS)))
  assert.equal(
    texts['index.md'],
    `# Home



{% tabs %}
{% tab title="config.js" %}
\`\`\`js
export default {}
\`\`\`
{% endtab %}
{% tab title="config.ts" %}
\`\`\`ts
export default {}
\`\`\`
{% endtab %}
{% endtabs %}

{% code lineNumbers="true" %}
\`\`\`js
a
\`\`\`
{% endcode %}

{% hint style="info" %}
**Custom title**

Text
{% endhint %}

<details>

<summary>Click</summary>

{% hint style="warning" %}
Nested
{% endhint %}

</details>

{% code title="A file" %}
\`\`\`js
let b
\`\`\`
{% endcode %}

{% include "parts/x.md" %}

## T <a href="#t" id="t"></a>
`,
  )
  assert.equal(
    texts['parts/x.md'],
    `# X

Part
`,
  )
})

test('a snippet that does not exist, or that leads outside, stays as it is written', () => {
  const texts = textsOf(
    convertMkDocs(
      bytesIn({
        'mkdocs.yml': 'site_name: A',
        'docs/a.md': '# A\n\n--8<-- "../../etc/passwd"\n\n--8<-- "/etc/passwd"\n\n--8<-- "a.md"\n',
      }),
    ),
  )
  assert.equal(
    texts['docs/a.md'],
    '# A\n\n--8<-- "../../etc/passwd"\n\n--8<-- "/etc/passwd"\n\n{% include "a.md" %}\n',
  )
})

test('snippets do not make a page endlessly long', () => {
  const code = 'x'.repeat(400_000)
  const page = `# A\n\n\`\`\`\n${'--8<-- "code.py"\n'.repeat(500)}\`\`\`\n`
  const files = { 'mkdocs.yml': 'site_name: A', 'docs/a.md': page, 'code.py': code }
  const text = textsOf(convertMkDocs(bytesIn(files)))['docs/a.md']!
  assert.equal(text.split(code).length - 1, 2)
  assert(text.length < 1_000_000)
})

const CONVERTERS = {
  Docusaurus: (text: string) => convertDocusaurus(bytesIn({ 'docs/a.mdx': text })),
  MkDocs: (text: string) => convertMkDocs(bytesIn({ 'mkdocs.yml': 'site_name: A', 'docs/a.md': text })),
  VitePress: (text: string) => convertVitePress(bytesIn({ 'a.md': text })),
}
const FAMILIES = {
  'open tabs': repeated('<Tabs>\n'),
  'tabs in a line': repeated('<Tabs><TabItem value="a">x</TabItem></Tabs>'),
  'open attributes': repeated('<Tabs values={[\n'),
  'open quotes': repeated('<TabItem label="\n'),
  'closing tags': repeated('</TabItem>'),
  modules: repeated('import a from "b"\n\n'),
  'ids of headings': repeated('## a \\{#b\\}\n'),
  'open comments': repeated('{/* '),
  fences: repeated('```js title="a" [b]\n'),
  'titles of code': repeated('title="a ', '```js '),
  'groups of code': repeated('::: code-group\n'),
  'open braces': repeated('{#', '## a '),
  'open attributes of links': repeated('){ .a '),
  icons: repeated(':material-a'),
  'includes without an end': repeated('<!--@include: a '),
  'code of other files': repeated('<<< a{'),
  scripts: repeated('<script>\n'),
}

describe('converting pages of site generators is linear', () => {
  for (const [tool, convert] of Object.entries(CONVERTERS))
    for (const [name, make] of familiesOf(FAMILIES, 3))
      test(`${tool}: ${name}`, () => assertLinear(make, convert))
})
