/** HTML becomes Markdown with the blocks that Lectern has. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertHtml } from '../../../src/core/sources/html-site.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'
import { bytesIn, textsOf } from './sources.ts'

/** The Markdown of one page of HTML. */
function markdownOf(html: string): string {
  const texts = textsOf(convertHtml(bytesIn({ 'page.html': html })))
  const text = texts['page.md'] ?? assert.fail('the page is missing')
  // What was printed is read as it was meant.
  const { document, title } = parsePage(text)
  const body = text.replace(/^# .*\n\n?/, '')
  assert.equal(printDocument(document), title === undefined ? text : body)
  return text
}

describe('a page of HTML', () => {
  test('has its title from the heading, else from the head without the name of the site', () => {
    assert.equal(markdownOf('<title>A – Site</title><h1>One <a href="#one">#</a></h1><p>x'), '# One\n\nx\n')
    assert.equal(markdownOf('<title>Set up | Our site</title><p>x'), '# Set up\n\nx\n')
    assert.equal(markdownOf('<p>x'), 'x\n')
  })

  test('has its content from main, without navigation, scripts, styles and handlers', () => {
    const html = `<!doctype html><html><head><script>alert(1)</script><style>p{}</style></head><body onload="x()">
      <nav><a href="/">Home</a></nav><header>Brand</header>
      <main><h1>Title</h1><p onclick="steal()">Text<script>alert(2)</script></p>
      <a href="javascript:alert(3)">run</a> <a href="java\nscript:alert(4)">run</a> <img src="data:text/html,x" alt="no">
      <template><p>hidden</p></template><iframe srcdoc="<script>x</script>"></iframe></main>
      <aside>ads</aside><footer>Imprint</footer></body></html>`
    assert.equal(markdownOf(html), '# Title\n\nText\n\nrun run no\n')
  })

  test('keeps marks, breaks and links, and collapses white space', () => {
    const html = `<p>  a <b> bold</b>, <em>i</em> <code>x  y</code><br>
      <kbd>Ctrl</kbd> <del>old</del> H<sub>2</sub>O
      <a href="https://example.com/"> a link </a>.`
    assert.equal(
      markdownOf(html),
      'a **bold**, _i_ `x y`\\\n<kbd>Ctrl</kbd> ~~old~~ H<sub>2</sub>O [a link](https://example.com/) .\n',
    )
  })

  test('keeps lists in lists, tasks, terms, quotes and rules', () => {
    const html = `<ul><li>a<ul><li>b</ul><li><p>c</p><pre>d</pre></ul><ol start=3><li>x</ol>
      <ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>
      <dl><dt>Term<dd>What it means</dl><blockquote><p>Q</blockquote><hr>`
    assert.equal(
      markdownOf(html),
      `* a
  * b

* c

  \`\`\`
  d
  \`\`\`

3. x

* [x] done
* [ ] open

- **Term**

  What it means

> Q

***
`,
    )
  })

  test('keeps code with its language as highlighters write it', () => {
    const blocks = [
      '<pre><code class="language-js">const a = 1\n</code></pre>',
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>a = 1\n</pre></div></div>',
      '<div class="highlight highlight-source-shell"><pre>ls</pre></div>',
      '<pre class="brush: java; gutter: true">int a;</pre>',
      '<div class="sourceCode"><pre class="sourceCode rust"><code class="sourceCode rust"><span>let a;</span></code></pre></div>',
      '<table class="highlighttable"><tr><td class="linenos"><pre>1</pre></td><td class="code"><pre class="language-c">int</pre></td></tr></table>',
      '<pre>a\n\n\n  b &lt;c&gt;</pre>',
    ]
    const text = markdownOf(blocks.join('\n'))
    assert.deepEqual(text.trimEnd().split('\n\n```').length, 7)
    assert.deepEqual(
      [...text.matchAll(/^```(\w+)$/gm)].map(([, language]) => language),
      ['js', 'python', 'shell', 'java', 'rust', 'c'],
    )
    assert.match(text, /```\na\n\n\n {2}b <c>\n```\n$/)
  })

  test('keeps callouts whose classes name them, and collapsible text', () => {
    const html = `<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot</p></div>
      <div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Save time</p><p>Do</p></div>
      <div class="alert alert-danger" role="alert">Gone</div>
      <aside class="note">Mind</aside><p class="note">Mind</p><div class="content note-list">No</div>
      <details open><summary>More <b>here</b></summary><p>Text</p></details>`
    assert.equal(
      markdownOf(html),
      `{% hint style="warning" %}
Hot
{% endhint %}

{% hint style="success" %}
**Save time**

Do
{% endhint %}

{% hint style="danger" %}
Gone
{% endhint %}

{% hint style="info" %}
Mind
{% endhint %}

{% hint style="info" %}
Mind
{% endhint %}

No

<details open>

<summary>More <strong>here</strong></summary>

Text

</details>
`,
    )
  })

  test('keeps tables: a header, spans, lists in cells; a table of one cell is a frame', () => {
    const html = `<table><thead><tr><th>A<th style="text-align:right">B</thead><tr><td>1<td>2<tr><td colspan=2>3</table>
      <table><tr><td>only</table>
      <table><tr><td rowspan=2>x<td><ul><li>y</ul><tr><td>z</table>`
    assert.equal(
      markdownOf(html),
      `| A | B |
| --- | ---: |
| 1 | 2 |
| 3 |  |

only

<table data-header-hidden=""><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>x</td><td><ul><li>y</li></ul></td></tr><tr><td></td><td>z</td></tr></tbody></table>
`,
    )
  })

  test('keeps tabs, films, formulas and footnoted anchors', () => {
    const html = `<div><ul role=tablist><li role=tab>npm<li role=tab>yarn</ul>
      <div><div role=tabpanel>one</div><div role=tabpanel hidden>two</div></div></div>
      <iframe src="https://www.youtube.com/embed/x"></iframe>
      <p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span aria-hidden="true">x2</span></span>.</p>
      <section id="Deep-Part"><h2>A part</h2><p><a href="#Deep-Part">up</a></section><h3 id="same">Same</h3>`
    assert.equal(
      markdownOf(html),
      `{% tabs %}
{% tab title="npm" %}
one
{% endtab %}

{% tab title="yarn" %}
two
{% endtab %}
{% endtabs %}

{% embed url="https://www.youtube.com/embed/x" %}

So $$x^2$$.

## A part <a href="#deep-part" id="deep-part"></a>

[up](#deep-part)

### Same
`,
    )
  })
})

describe('an archive of HTML', () => {
  test('keeps folders, links between pages, images and files, and stores images that pages hold', () => {
    const { files, problems } = convertHtml(
      bytesIn({
        'site/index.html':
          '<h1>Home</h1><a href="guide/setup.html#Step%20One">go</a> <a href="/guide/">guide</a>',
        'site/guide/index.html':
          '<h1>Guide</h1><p><a href="../files/a b.pdf">file</a> <a href="gone.html">gone</a>',
        'site/guide/setup.html':
          '<h1>Set up</h1><h2 id="Step One">First</h2><img src="../img/a.png" alt="A"><p><img src="data:image/png;base64,iVBORw0KGgo=">',
        'site/img/a.png': 'png',
        'site/files/a b.pdf': 'pdf',
        'site/notes.md': '# Notes',
      }),
    )
    const texts = textsOf({ files, problems })
    assert.deepEqual(Object.keys(texts).toSorted(), [
      'files/a b.pdf',
      'guide/images/4caece539b039b16.png',
      'guide/index.md',
      'guide/setup.md',
      'img/a.png',
      'index.md',
    ])
    assert.equal(texts['index.md'], '# Home\n\n[go](guide/setup.md#step-one) [guide](guide/index.md)\n')
    assert.equal(texts['guide/index.md'], '# Guide\n\n[file](../files/a%20b.pdf) [gone](gone.html)\n')
    assert.match(texts['guide/setup.md']!, /## First <a href="#step-one" id="step-one"><\/a>/)
    assert.match(texts['guide/setup.md']!, /<img src="..\/img\/a.png" alt="A">/)
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['notes.md'],
    )
  })

  test('is refused without a page, and if elements are nested too deeply', () => {
    assert.throws(() => convertHtml(bytesIn({ 'a.md': '# A' })), /use the source "zip"/)
    const deep = '<div>'.repeat(600)
    assert.throws(() => convertHtml(bytesIn({ 'a.html': deep })), ImportRefused)
  })
})
