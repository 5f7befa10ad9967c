/**
 * A construct means the same wherever it stands. In captions and in the titles of folding text, which are HTML, the element of
 * HTML for it does; the manual says so.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'
import { shownPage } from '../shown-page.ts'

/** A part of a line in Markdown and in HTML (the same if it has no signs), and what a site shows for it. */
type Construct = [markdown: string, html: string, shown: RegExp]

const CONSTRUCTS: Record<string, Construct> = {
  bold: ['x **b** y', 'x <strong>b</strong> y', /x <strong>b<\/strong> y/],
  italic: ['x _b_ y', 'x <em>b</em> y', /x <em>b<\/em> y/],
  'struck text': ['x ~~b~~ y', 'x <del>b</del> y', /x <s>b<\/s> y/],
  code: ['x `b` y', 'x <code>b</code> y', /x <code>b<\/code> y/],
  'a link': [
    'x [b](https://b.org) y',
    'x <a href="https://b.org">b</a> y',
    /x <a [^>]*href="https:\/\/b.org"[^>]*>b/,
  ],
  'an address': [
    'x https://b.org y',
    'x <a href="https://b.org">https://b.org</a> y',
    /x <a [^>]*href="https:\/\/b.org"[^>]*>https:\/\/b.org/,
  ],
  'an address in CJK text': [
    '看https://b.org。',
    '看<a href="https://b.org">https://b.org</a>。',
    /看<a [^>]*href="https:\/\/b.org"[^>]*>https:\/\/b.org<\/a>。/,
  ],
  'a footnote': [
    'x word[^1] y',
    'x <a data-footnote-ref href="#user-content-fn-1">word</a> y',
    /<a class="annotation"[^>]*>word<\/a>/,
  ],
  'an emoji': ['x :rocket: y', 'x :rocket: y', /x (?:<span class="emoji">)?🚀/],
  'a formula': ['x $$b$$ y', 'x <span class="math">b</span> y', /<math/],
  'a formula of GitHub': ['x $`b`$ y', 'x <span class="math">b</span> y', /<math/],
  'an image': ['x ![b](b.png) y', 'x <img src="b.png" alt="b"> y', /<img[^>]*src="b.png"/],
  'a line break': ['x<br>y', 'x<br>y', /x<br>\s*y/],
  'a mention': [
    'x [b](https://b.org "mention") y',
    'x <a data-mention href="https://b.org">b</a> y',
    /class="mention"/,
  ],
  'an expression': [
    'x <code class="expression">space.vars.b</code> y',
    'x <code class="expression">space.vars.b</code> y',
    /x VALUE y/,
  ],
  'a condition': [
    'x {% if visitor.claims.b %}b{% endif %} y',
    'x {% if visitor.claims.b %}b{% endif %} y',
    /x b y/,
  ],
  'HTML within a line': [
    'x <sub>b</sub> <kbd>c</kbd> <u>d</u> y',
    'x <sub>b</sub> <kbd>c</kbd> <u>d</u> y',
    /x <sub>b<\/sub> <kbd>c<\/kbd> <u>d<\/u> y/,
  ],
  'a button': [
    'x <a href="https://b.org" class="button primary">b</a> y',
    'x <a href="https://b.org" class="button primary">b</a> y',
    /class="button primary"/,
  ],
}

type Around = (inside: string) => string

const tag =
  (name: string, args: string): Around =>
  (inside) =>
    `{% ${name}${args} %}\n${inside}\n{% end${name} %}`
const within =
  (outer: string, inner: Around): Around =>
  (inside) =>
    `{% ${outer} %}\n${inner(inside)}\n{% end${outer} %}`
const lines =
  (first: string, rest: string): Around =>
  (inside) =>
    first + inside.replaceAll('\n', `\n${rest}`)

/** Places for blocks. */
const CONTAINERS: Record<string, Around> = {
  'the page': (inside) => inside,
  'a list': lines('- ', '  '),
  'an ordered list': lines('1. ', '   '),
  'a quote': lines('> ', '> '),
  'an alert': (inside) => `> [!NOTE]\n${lines('> ', '> ')(inside)}`,
  'a hint': tag('hint', ' style="info"'),
  'a tab': within('tabs', tag('tab', ' title="a"')),
  'a step': within('stepper', tag('step', '')),
  'a column': within('columns', tag('column', '')),
  'an update': within('updates', tag('update', ' date="2026-01-31"')),
  'folding text': (inside) => `<details>\n\n<summary>a</summary>\n\n${inside}\n\n</details>`,
  'a wrapper of HTML': (inside) => `<center>\n\n${inside}\n\n</center>`,
  'a cell of HTML': (inside) => `<table><tbody><tr><td>\n\n${inside}\n\n</td></tr></tbody></table>`,
  'a footnote': (inside) => `word[^2]\n\n${lines('[^2]: ', '    ')(inside)}`,
}

/** Places for a line of Markdown. */
const LINES: Record<string, Around> = {
  ...CONTAINERS,
  'a heading': (inside) => `## ${inside}`,
  'a task': (inside) => `- [ ] ${inside}`,
  'a cell': (inside) => `| a |\n| - |\n| ${inside} |`,
  'the caption of an embed': tag('embed', ' url="https://e.org"'),
}

/** Places for a line of HTML. */
const HTML_LINES: Record<string, Around> = {
  'the caption of an image': (inside) =>
    `<figure><img src="a.png" alt=""><figcaption>${inside}</figcaption></figure>`,
  'the caption of an image as a paragraph': (inside) =>
    `<figure><img src="a.png" alt=""><figcaption><p>${inside}</p></figcaption></figure>`,
  'the title of folding text': (inside) => `<details>\n\n<summary>${inside}</summary>\n\na\n\n</details>`,
  'a cell in one line of HTML': (inside) =>
    `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>${inside}</td></tr></tbody></table>`,
  'an item of HTML': (inside) => `<ul><li>${inside}</li></ul>`,
  'a paragraph of HTML': (inside) => `<p>${inside}</p>`,
}

/** A footnote in a footnote is text, so that no note leads to itself. */
const isFootnoteInNote = (name: string, place: string) => name === 'a footnote' && place === 'a footnote'

/** What a site shows of a page, and of the same page after it was printed. */
function shownForms(source: string): string[] {
  const whole = `${source}\n\n[^1]: note\n`
  const evaluate = (expression: string) => (expression.startsWith('space') ? 'VALUE' : true)
  return [whole, printPage(parsePage(whole))].map((one) => shownPage(one, evaluate).split('\n[')[0] ?? '')
}

for (const [name, [markdown, html, shown]] of Object.entries(CONSTRUCTS)) {
  test(`${name} means the same in every place`, () => {
    for (const [place, put] of Object.entries(LINES))
      if (!isFootnoteInNote(name, place))
        for (const one of shownForms(put(markdown))) assert.match(one, shown, `${place}\n${put(markdown)}`)
    for (const [place, put] of Object.entries(HTML_LINES))
      for (const one of shownForms(put(html))) assert.match(one, shown, `${place}\n${put(html)}`)
  })
}

const BLOCKS: Record<string, [markdown: string, shown: RegExp]> = {
  'an alert': ['> [!WARNING]\n> text', /class="hint warning"/],
  'a hint': ['{% hint style="danger" %}\ntext\n{% endhint %}', /class="hint danger"/],
  'a block of code': ['```js\nlet b\n```', /<pre[^>]*>.*let b/s],
  'a formula': ['$$\nb^2\n$$', /<math[^>]*display="block"/],
  'a formula in a block of code': ['```math\nb^2\n```', /<math[^>]*display="block"/],
  'a table': ['| b | c |\n| - | - |\n| d | e |', /<th[^>]*>b<\/th>/],
  'a list': ['- b\n- c', /<ul>\s*<li>b<\/li>/],
  'a list of tasks': ['- [x] b', /class="check done"/],
  'an image': ['![b](b.png)', /<img[^>]*src="b.png"/],
  tabs: ['{% tabs %}\n{% tab title="b" %}\nc\n{% endtab %}\n{% endtabs %}', /role="tab"[^>]*>b/],
}

for (const [name, [markdown, shown]] of Object.entries(BLOCKS)) {
  test(`${name} as a block means the same in every place`, () => {
    for (const [place, put] of Object.entries(CONTAINERS))
      for (const one of shownForms(put(markdown))) assert.match(one, shown, `${place}\n${put(markdown)}`)
  })
}
