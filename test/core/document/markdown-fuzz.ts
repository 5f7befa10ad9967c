import fc from 'fast-check'

import { assertCheap } from '../cost/cheap.ts'
import { handlePage } from '../cost/pages.ts'
import { damaged, partOf } from '../damage.ts'
import { assertReadable } from './reading-laws.ts'

/** Puts one construct inside another. */
type Around = (inner: string) => string

const signs =
  (open: string, close = open): Around =>
  (inner) =>
    open + inner + close
const element = (name: string, attributes = ''): Around =>
  signs(attributes === '' ? `<${name}>` : `<${name} ${attributes}>`, `</${name}>`)
const tag = (name: string, args = ''): Around =>
  signs(`{% ${args === '' ? name : `${name} ${args}`} %}\n`, `\n{% end${name} %}`)
const before =
  (first: string, rest: string): Around =>
  (inner) =>
    first + inner.replaceAll('\n', `\n${rest}`)

/** Every inline with content, in each spelling. */
const INLINE_AROUND: Around[] = [
  signs('**'),
  signs('__'),
  signs('*'),
  signs('_'),
  signs('~~'),
  signs('`'),
  signs('``'),
  signs('[', '](x.md)'),
  signs('[', '](x.md "mention")'),
  signs('[', '][r]'),
  signs('![', '](x.png "caption")'),
  signs('![a](x.png "', '")'),
  signs('[a](', ')'),
  signs('$$'),
  signs('<', '>'),
  signs('{% if a.b %}', '{% endif %}'),
  ...['b', 'strong', 'i', 'em', 's', 'del', 'sup', 'sub', 'kbd', 'u', 'code', 'span', 'button'].map((name) =>
    element(name),
  ),
  element('mark', 'style="color:red;background-color:blue"'),
  element('a', 'href="http://a.org"'),
  element('a', 'href="x.md" class="button primary" data-icon="star"'),
  element('a', 'data-mention href="x.md"'),
  element('a', 'data-footnote-ref href="#user-content-fn-1"'),
  element('a', 'id="x"'),
  element('i', 'class="fa-star" style="color:red"'),
  element('span', 'class="math"'),
  element('span', 'data-gb-custom-inline data-tag="emoji" data-code="1f600"'),
  element('code', 'class="expression"'),
  element('button', 'type="button" class="button primary" data-action="ask" data-query="q"'),
  (inner) => `<img src="x.png" alt="${inner}" title="${inner}">`,
]

/** Every inline that contains only text. */
const INLINE_LEAVES = [
  'text',
  '',
  'http://a.org',
  'www.a.org',
  'a@b.co',
  '<http://a.org>',
  '[a](http://a.org)',
  '[r]',
  '[^1]',
  '[^none]',
  ':smile:',
  ':x:x:',
  '&amp;',
  '&#x20;',
  '&zwnj;',
  '\\',
  '\\*',
  'a\\\nb',
  'a  \nb',
  'a\nb',
  '<br>',
  '<br/>',
  '<img src="x.png" data-size="line">',
  '<picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="x.png"></picture>',
  '<!-- comment -->',
  '</b>',
  '<b',
  '{{ x }}',
  '{% unknown %}',
  '{% endif %}',
  '{% if a %}',
  '{%if',
  '{% unless a %}',
  '{if visitor.a',
  '`{% if`',
  '{% embed url="',
  '(% if visitor.a %)',
  '{{#visitor.a}}',
  '{{#if visitor.a}}',
  '{{/if}}',
  '(% end %)',
  '{% include "x.md" %}',
  '|',
  '中文。',
  '😀',
  '\0',
  '\ud800',
]

/** Every block that contains others, in each spelling. */
const BLOCK_AROUND: Around[] = [
  before('* ', '  '),
  before('- [x] ', '  '),
  before('12) ', '    '),
  before('> ', '> '),
  before('[^1]: ', '    '),
  before('# ', ''),
  before('## ', ''),
  before('| a | b |\n| - | - |\n| c | ', ''),
  signs('', '\n==='),
  signs('```js\n', '\n```'),
  signs('$$\n', '\n$$'),
  signs('<details>\n\n<summary>a</summary>\n\n', '\n\n</details>'),
  signs('<details><summary>', '</summary>b</details>'),
  signs('<div align="center">\n\n', '\n\n</div>'),
  signs('<ul><li>', '</li></ul>'),
  signs('<ol start="3"><li data-checked="true">', '</li></ol>'),
  signs('<pre><code class="lang-js">', '</code></pre>'),
  signs('<pre class="language-js" data-title="a">', '</pre>'),
  signs('<figure><img src="x.png"><figcaption>', '</figcaption></figure>'),
  signs('<table><thead><tr><th>', '</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>'),
  signs('<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>', '</td></tr></tbody></table>'),
  signs(
    '<table data-view="cards"><thead><tr><th data-type="select">a<select><option value="v" label="l"></option></select></th><th data-type="content-ref" data-card-target></th></tr></thead><tbody><tr><td>',
    '</td><td><a href="x.md">x</a></td></tr></tbody></table>',
  ),
  signs('<table><tr><td>', '</td></tr></table>'),
  ...['p', 'h1', 'h2', 'h4', 'blockquote', 'center', 'div', 'section'].map((name) => element(name)),
  element('p', 'align="right"'),
  tag('hint', 'style="info"'),
  tag('code', 'title="a"'),
  tag('prompt', 'description="a"'),
  tag('if', 'a.b == true'),
  tag('embed', 'url="https://a.org"'),
  tag('file', 'src="x.pdf"'),
  tag('content-ref', 'url="x.md"'),
  tag('tabs'),
  tag('step'),
  (inner) => tag('tabs')(tag('tab', 'title="a"')(inner)),
  (inner) => tag('stepper')(tag('step')(inner)),
  (inner) => tag('columns')(tag('column', 'width="50%"')(inner)),
  (inner) => tag('updates')(tag('update', 'date="2026-01-31"')(inner)),
  (inner) => tag('swagger', 'method="get" path="/x"')(tag('swagger-response', 'status="200"')(inner)),
  (inner) => tag('api-method', 'method="get"')(tag('api-method-summary')(inner)),
  tag('openapi', 'src="x.yaml" path="/x" method="get"'),
]

const BLOCK_LEAVES = [
  'paragraph',
  '',
  '***',
  '---',
  '# heading <a href="#id" id="id"></a>',
  '###### deep',
  '    indented code',
  '```\ncode\n```',
  '~~~',
  '$$x$$',
  '![a](x.png "caption")',
  '<figure><img src="x.png"></figure>',
  '<img src="x.drawing.svg" class="gitbook-drawing">',
  '<hr>',
  '<p></p>',
  '<script>x</script>',
  '<!-- comment -->',
  '<![CDATA[x]]>',
  '| a |\n| - |\n| b |',
  '[r]: http://a.org "title"',
  '{% @mermaid/diagram content="graph" %}',
  '{% include "x.md" %}',
  '{% endhint %}',
  '</details>',
  '* a\n* b',
  '1. a\n\n   b',
]

/** Definitions for the references above. */
const DEFINITIONS = '\n\n[r]: http://a.org "title"\n\n[^1]: A *note* with [a link](x.md).\n'

/** Each inline in each inline and block, and each block in each, as a page with the definitions that they use. */
export function* everyPair(): Generator<string> {
  const inlines = [...INLINE_LEAVES, ...INLINE_AROUND.map((around) => around('text'))]
  const blocks = [...BLOCK_LEAVES, ...BLOCK_AROUND.map((around) => around('text'))]
  const pairs: [Around[], string[]][] = [
    [INLINE_AROUND, inlines],
    [INLINE_AROUND, INLINE_AROUND.map((around) => around('http://a.org'))],
    [BLOCK_AROUND, inlines],
    [BLOCK_AROUND, blocks],
    [INLINE_AROUND, blocks],
  ]
  for (const [arounds, inners] of pairs)
    for (const around of arounds) for (const inner of inners) yield around(inner) + DEFINITIONS
}

const inlineWithin = (depth: number): fc.Arbitrary<string> =>
  depth === 0
    ? fc.constantFrom(...INLINE_LEAVES)
    : fc
        .tuple(
          fc.constantFrom(...INLINE_AROUND),
          inlineWithin(depth - 1),
          fc.constantFrom('', ' ', ...INLINE_LEAVES),
        )
        .map(([around, inner, beside]) => around(inner) + beside)

const inlineAt = fc.oneof(inlineWithin(1), inlineWithin(2), inlineWithin(3))

const blockWithin = (depth: number): fc.Arbitrary<string> =>
  depth === 0
    ? fc.oneof(fc.constantFrom(...BLOCK_LEAVES), inlineAt)
    : fc
        .tuple(
          fc.constantFrom(...BLOCK_AROUND),
          blockWithin(depth - 1),
          fc.constantFrom('\n', '\n\n', ' '),
          fc.constantFrom(...BLOCK_LEAVES),
        )
        .map(([around, inner, gap, beside]) => around(inner) + gap + beside)

/** Constructs nested to a depth of three, in sequence. */
const nested: fc.Arbitrary<string> = fc
  .oneof(blockWithin(1), blockWithin(2), blockWithin(3), inlineAt)
  .map((source) => source + DEFINITIONS)

/** Parts of real pages, with pieces deleted, repeated, or inserted from constructs and other pages. */
function damagedPages(pages: readonly string[]): fc.Arbitrary<string> {
  const part = partOf(pages, 50, 1_500)
  const put = fc.oneof(
    fc.constantFrom('', '\n', '\n\n', ...INLINE_LEAVES, ...BLOCK_LEAVES),
    inlineWithin(1),
    blockWithin(1),
    part.map((text) => text.slice(0, 80)),
  )
  return damaged(part, put)
}

const REPEATS = fc.constantFrom(...Array.from({ length: 12 }, () => 1), 2, 10, 50)
/** Reads, prints and renders a source; fails if that costs far more than it does for real pages. */
const assertCheapPage = (source: string) => assertCheap(source.length, () => handlePage(source))

/** The laws of reading, as properties of nested constructs and of damaged pages. */
export function readingLaws(pages: readonly string[]): Record<string, fc.IProperty<unknown>> {
  const law = (sources: fc.Arbitrary<string>) => fc.property(sources, assertReadable) as fc.IProperty<unknown>
  const bounded = (sources: fc.Arbitrary<string>) =>
    fc.property(sources, assertCheapPage) as fc.IProperty<unknown>
  const of = (name: string, sources: fc.Arbitrary<string>) => ({
    [`reads${name}`]: law(sources),
    [`handles${name}Cheaply`]: bounded(
      fc.tuple(sources, REPEATS).map(([source, times]) => source.repeat(times)),
    ),
  })
  return {
    ...of('NestedConstructs', nested),
    ...of('DamagedPages', damagedPages(pages)),
  }
}
