/** A space with a page for everything that a book sets in its own way. */
import { PNG } from '../picture.ts'
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="teal"/></svg>'

const rows = Array.from(
  { length: 70 },
  (_, n) => `| Row ${n + 1} | value-${n + 1} | [guide](guide/install.md) |`,
)
const code = Array.from(
  { length: 90 },
  (_, n) => `const value${n + 1} = compute(${n}, "text") // line ${n + 1}`,
)

export const SAMPLE: Record<string, string | Uint8Array> = {
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)
* [Guide](guide/README.md)
  * [Install](guide/install.md)
  * [Blocks](guide/blocks.md)
* [Languages](languages.md)
* [Secret](secret.md)

## Reference

* [Table](table.md)
* [Code](code.md)
* [Formulas](formulas.md)
`,
  'README.md': `---
description: How everything begins
---

# Welcome

Start with [the guide](guide/README.md), go to [a step](guide/install.md#second-step), [here](#below) or to
[the web](https://example.com/path?a=1). A [link to a secret](secret.md) and a [broken link](nowhere.md).

## Below

{% if visitor.claims.unsigned.pro %}
Hidden sentence for professionals.
{% endif %}

![](assets/dot.png) and ![A remote picture](https://images.example.com/remote.png)

<figure><img src="assets/wide.svg" alt="A wide picture"><figcaption><p>The caption</p></figcaption></figure>
`,
  'guide/README.md': '# Guide\n\nThe guide has **bold**, *italic*, `code`, ~~struck~~ words and a note.\n',
  'guide/install.md':
    '# Install\n\n## First step\n\nDo this.\n\n## Second step\n\nDo [that](../README.md#below).\n',
  'guide/blocks.md': `# Blocks

{% hint style="warning" %}
Mind the gap.
{% endhint %}

{% tabs %}
{% tab title="npm" %}
Text of the first tab.
{% endtab %}

{% tab title="yarn" %}
Text of the second tab.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Open the lid

Lift it.
{% endstep %}

{% step %}
### Close the lid

Press it.
{% endstep %}
{% endstepper %}

<details>

<summary>Folded title</summary>

Folded text.

</details>

* [x] A finished task
* [ ] An open task

> A quotation.

{% code title="diagram" %}
\`\`\`mermaid
graph TD; A-->B
\`\`\`
{% endcode %}

<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>A card</td><td><a href="install.md">install.md</a></td></tr></tbody></table>

{% file src="../assets/report.pdf" %}
The report
{% endfile %}

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}
`,
  'languages.md': `# Languages

中文的文字和标点。日本語のテキストです。한국어 문장입니다. Кириллица и греческий: Ελληνικά. Emoji: 🚀 ✅.

هذه فقرة باللغة العربية مع كلمة English في وسطها.

זה משפט בעברית.

averyveryveryverylongwordwithoutanyspacesinsidewhichmustbreaksomewherebecausethelineendsbeforeitdoesitself
`,
  'secret.md': '---\nif: visitor.claims.unsigned.pro\n---\n\n# Secret\n\nThe secret text.\n',
  'table.md': `# Table\n\n| Name | Value | Link |\n|---|---:|---|\n${rows.join('\n')}\n`,
  'code.md': `# Code\n\n\`\`\`js\n${code.join('\n')}\n\`\`\`\n`,
  'formulas.md': `# Formulas

Inline $$e^{i\\pi} + 1 = 0$$ and

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6} \\qquad \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\qquad \\sqrt[3]{\\hat x + \\overline{y}}
$$

$$
f(x) = \\begin{cases} x & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases} \\quad \\left( \\frac{a}{b} \\right) \\mathbb{R} \\vec v
$$
`,
  'assets/dot.png': PNG,
  'assets/wide.svg': SVG,
  'assets/report.pdf': '%PDF-1.4 report',
}
