/** Exports of Notion become pages without the ids in their names. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCsv } from '../../../src/core/sources/notion/csv.ts'
import { mapAddressesIn } from '../../../src/core/sources/markdown/dialect.ts'
import { convertNotion } from '../../../src/core/sources/notion/notion.ts'
import { assertLinear, repeated } from '../cost/growth.ts'
import { notionHtmlExport, notionMarkdownExport } from './notion-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'

describe('an export as Markdown', () => {
  const texts = textsOf(convertNotion(bytesIn(notionMarkdownExport())))

  test('has the pages in the order of their links, without ids, and its databases as tables', () => {
    assert.equal(
      texts['SUMMARY.md'],
      `# Table of contents

* [Our handbook](<our-handbook.md>)
  * [Zeta](<our-handbook/zeta.md>)
  * [Alpha](<our-handbook/alpha.md>)
  * [Tasks](<our-handbook/tasks.md>)
    * [Buy](<our-handbook/tasks/buy.md>)
`,
    )
    assert.equal(
      texts['our-handbook/tasks.md'],
      `# Tasks

| Name | Status | Note |
| --- | --- | --- |
| [Buy](tasks/buy.md) | Done | milk, "fresh" |
| Sell | Open |  |
`,
    )
    assert.equal(
      texts['our-handbook/tasks/buy.md'],
      '# Buy\n\n* **Status:** Done\n* **Owner:** Ada\n\nFrom the shop\n',
    )
    assert.equal(texts['our-handbook/Untitled (1).png'], 'png')
  })

  test('has callouts as hints and links between its pages, and keeps code', () => {
    assert.equal(
      texts['our-handbook.md'],
      `# Our handbook

{% hint style="warning" %}
Read **this** first.

- one
{% endhint %}

[Zeta](our-handbook/zeta.md)

[Alpha](our-handbook/alpha.md)

[Tasks](our-handbook/tasks.md)

![Untitled](our-handbook/Untitled%20%281%29.png)

\`\`\`markdown
<aside>
[Zeta](Our%20handbook%200123456789abcdef0123456789abcdea/Zeta%200123456789abcdef0123456789abcdeb.md)
\`\`\`
`,
    )
    assert.equal(
      texts['our-handbook/zeta.md'],
      '# Zeta\n\nBack [home](../our-handbook.md), [out](<https://example.com/a_(b)>) `[x](y)`\n',
    )
  })
})

test('an export as HTML has its blocks', () => {
  const texts = textsOf(convertNotion(bytesIn(notionHtmlExport())))
  assert.deepEqual(Object.keys(texts).toSorted(), [
    'SUMMARY.md',
    'our-handbook.md',
    'our-handbook/plan.png',
    'our-handbook/zeta.md',
  ])
  assert.equal(texts['our-handbook/zeta.md'], '# Zeta\n\n* **Status:** Done\n\n## Part\n\nText\n')
  assert.equal(
    texts['our-handbook.md'],
    `# Our handbook

{% hint style="success" %}
All **good**
{% endhint %}

<details open>

<summary>Open me</summary>

Hidden

</details>

* One
* Two
  * Below

1. First
2. Second

* [x] Done
* [ ] Open

\`\`\`javascript
const a = 1
\`\`\`

<figure><img src="our-handbook/plan.png" alt=""><figcaption><p>The plan</p></figcaption></figure>

[📄 Zeta](our-handbook/zeta.md)

$$
x^2
$$

[Example](https://example.com/)

{% columns %}
{% column %}
Left
{% endcolumn %}

{% column %}
Right
{% endcolumn %}
{% endcolumns %}
`,
  )
})

test('other archives are refused, and the message says what to export', () => {
  assert.throws(() => convertNotion(bytesIn({ 'a.md': '# A' })), /"Markdown & CSV" or "HTML"/)
})

test('CSV and addresses are read in linear time', () => {
  assert.deepEqual(readCsv('a,"b\n""c"""\r\n\r\n1,\n'), [
    ['a', 'b\n"c"'],
    ['1', ''],
  ])
  for (const unit of ['a,b\n', '""', '"', ',"a"b', ',']) assertLinear(repeated(unit), readCsv)
  for (const unit of ['](', '](<', '`](', '[a](b) ', '](((', '](a\\'])
    assertLinear(repeated(unit), (line) => mapAddressesIn(line, (address) => address))
})
