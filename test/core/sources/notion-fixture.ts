/** A small workspace as Notion exports it. */
const A = '0123456789abcdef0123456789abcdea'
const B = '0123456789abcdef0123456789abcdeb'
const C = '0123456789abcdef0123456789abcdec'
const D = '0123456789abcdef0123456789abcded'
const E = '0123456789abcdef0123456789abcdee'
const HOME = `Export-1/Our handbook ${A}`

/** The files of an export as Markdown and CSV. */
export function notionMarkdownExport(): Record<string, string> {
  return {
    [`${HOME}.md`]: `# Our handbook

<aside>
⚠️ Read **this** first.

- one
</aside>

[Zeta](Our%20handbook%20${A}/Zeta%20${B}.md)

[Alpha](Our%20handbook%20${A}/Alpha%20${C}.md)

[Tasks](Our%20handbook%20${A}/Tasks%20${D}.csv)

![Untitled](Our%20handbook%20${A}/Untitled%20(1).png)

\`\`\`markdown
<aside>
[Zeta](Our%20handbook%20${A}/Zeta%20${B}.md)
\`\`\`
`,
    [`${HOME}/Zeta ${B}.md`]: `# Zeta\n\nBack [home](../Our%20handbook%20${A}.md), [out](https://example.com/a_(b)) \`[x](y)\`\n`,
    [`${HOME}/Alpha ${C}.md`]: '# Alpha\n\nText\n',
    [`${HOME}/Tasks ${D}.csv`]: '\ufeffName,Status\nBuy,Done\n',
    [`${HOME}/Tasks ${D}_all.csv`]: '\ufeffName,Status,Note\nBuy,Done,"milk, ""fresh"""\nSell,Open,\n',
    [`${HOME}/Tasks ${D}/Buy ${E}.md`]: '# Buy\n\nStatus: Done\nOwner: Ada\n\nFrom the shop\n',
    [`${HOME}/Untitled (1).png`]: 'png',
  }
}

const page = (title: string, body: string, head = '') =>
  `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${title}</title><style>h1{}</style></head><body><article id="x" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">🚀</span></div><h1 class="page-title">${title}</h1><p class="page-description"></p>${head}</header><div class="page-body">${body}</div></article><span class="sans" style="font-size:14px;padding-top:2em"></span></body></html>`

/** The files of an export as HTML. */
export function notionHtmlExport(): Record<string, string> {
  return {
    'index.html': '<html><body><ul><li>Our handbook</li></ul></body></html>',
    [`Our handbook ${A}.html`]: page(
      'Our handbook',
      `<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="c"><div style="font-size:1.5em"><span class="icon">✅</span></div><div style="width:100%"><p>All <strong>good</strong></p></div></figure>
<ul id="t" class="toggle"><li><details open=""><summary>Open me</summary><p>Hidden</p></details></li></ul>
<ul id="l1" class="bulleted-list"><li style="list-style-type:disc">One</li></ul><ul id="l2" class="bulleted-list"><li style="list-style-type:disc">Two<ul class="bulleted-list"><li>Below</li></ul></li></ul>
<ol type="1" id="n1" class="numbered-list" start="1"><li>First</li></ol><ol type="1" id="n2" class="numbered-list" start="2"><li>Second</li></ol>
<ul id="d" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span><div class="indented"></div></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Open</span></li></ul>
<pre id="p" class="code"><code class="language-JavaScript">const a = 1</code></pre>
<figure id="i" class="image"><a href="Our%20handbook%20${A}/plan.png"><img style="width:100px" src="Our%20handbook%20${A}/plan.png"/></a><figcaption>The plan</figcaption></figure>
<figure class="link-to-page"><a href="Our%20handbook%20${A}/Zeta%20${B}.html"><span class="icon">📄</span> Zeta</a></figure>
<figure id="e" class="equation"><style>@import url('katex.css')</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span></span></span></div></figure>
<figure id="b"><a href="https://example.com/" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">Example</div></div></div></a></figure>
<div class="column-list"><div style="width:50%" class="column"><p>Left</p></div><div style="width:50%" class="column"><p>Right</p></div></div>`,
    ),
    [`Our handbook ${A}/Zeta ${B}.html`]: page(
      'Zeta',
      '<h2 class="">Part</h2><p>Text</p>',
      '<table class="properties"><tbody><tr class="property-row property-row-select"><th><span class="icon property-icon"><svg></svg></span>Status</th><td><span class="selected-value select-value-color-red">Done</span></td></tr></tbody></table>',
    ),
    [`Our handbook ${A}/plan.png`]: 'png',
  }
}
