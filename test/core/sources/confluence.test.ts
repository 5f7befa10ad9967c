/** The HTML export of a Confluence space becomes pages, with its macros as blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertConfluence } from '../../../src/core/sources/confluence/confluence.ts'
import { confluenceExport } from './confluence-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'

test('the index is the page tree, and attachments have their names', () => {
  const texts = textsOf(convertConfluence(bytesIn(confluenceExport())))
  assert.deepEqual(Object.keys(texts).toSorted(), [
    '.gitbook/assets/124/notes.pdf',
    '.gitbook/assets/124/plan (1).png',
    'SUMMARY.md',
    'home.md',
    'home/install.md',
    'home/install/on-linux.md',
    'lost-page.md',
  ])
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* [Home](<home.md>)
  * [Install](<home/install.md>)
    * [On Linux](<home/install/on-linux.md>)
* [Lost page](<lost-page.md>)
`,
  )
  assert.equal(
    texts['home.md'],
    '# Home\n\nStart with [Install](home/install.md) or [Linux](home/install/on-linux.md#onlinux-steps).\n',
  )
})

test('an attachment that no page uses is kept and listed', () => {
  const { problems } = convertConfluence(bytesIn(confluenceExport()))
  assert.deepEqual(
    problems.map(({ kind, path }) => `${kind} ${path}`),
    ['unused-file attachments/124/131.pdf'],
  )
})

test('macros become blocks', () => {
  const texts = textsOf(convertConfluence(bytesIn(confluenceExport())))
  assert.equal(
    texts['home/install.md'],
    `# Install

{% hint style="danger" %}
**Mind the gap**

It is hot.
{% endhint %}

{% hint style="info" %}
**Box**

In a panel
{% endhint %}

{% code title="Main.java" %}
\`\`\`java
int a = 1 < 2;

done();
\`\`\`
{% endcode %}

<details>

<summary>More</summary>

Hidden text

</details>

* [x] Buy
* [ ] Read **IN PROGRESS**

{% columns %}
{% column %}
Left
{% endcolumn %}

{% column %}
Right, Ada ✅ ⚠️❤️👍
{% endcolumn %}
{% endcolumns %}

<figure><img src="../.gitbook/assets/124/plan%20%281%29.png" alt=""><figcaption></figcaption></figure>

| Key | Value |
| --- | --- |
| a | 1 |

$$
\\frac{1}{2}
$$

So $$x<1$$ and $$y^2$$.

$$
\\sum_i i
$$
`,
  )
})

test('other exports are refused, and the message says which one to make', () => {
  assert.throws(() => convertConfluence(bytesIn({ 'entities.xml': '<x/>' })), /XML export.*"HTML"/)
  assert.throws(() => convertConfluence(bytesIn({ 'a.md': '# A' })), /choose "Export space" and "HTML"/)
})
