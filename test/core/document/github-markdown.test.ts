/** What GitHub and most generators of sites add to Markdown is read in every source, also in pasted text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, paragraph, text } from '../../../src/core/document/build.ts'
import type { Block, Document } from '../../../src/core/document/model.ts'
import {
  editFrontMatter,
  printFrontMatter,
  readFrontMatter,
} from '../../../src/core/document/front-matter/front-matter.ts'
import { parseMarkdown, parsePage, titleSpan } from '../../../src/core/document/parse.ts'
import { printDocument, printPage } from '../../../src/core/document/print.ts'
import { blockText } from '../../../src/core/document/text.ts'
import { plainTitle } from '../../../src/core/repository/contents/inline-link.ts'
import { printedTitle } from '../../../src/core/repository/print/summary.ts'
import { parseSummary } from '../../../src/core/repository/contents/summary.ts'
import { assertLinear, repeated } from '../cost/growth.ts'
import { handlePage } from '../cost/pages.ts'
import { shownPage } from '../shown-page.ts'

const blocksOf = (source: string) => parseMarkdown(source).document.nodes
const typesIn = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ type, data, nodes }) => [
    'style' in data ? `${type} ${data.style}` : type,
    ...typesIn((nodes ?? []).filter((node) => node.object === 'block')),
  ])
const documentOf = (...nodes: Block[]): Document => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes,
})
const withoutKeys = (source: string) => parsePage(source, { keys: 'none' }).document.nodes

const CONTAINERS: Record<string, (inside: string) => string> = {
  'the page': (inside) => inside,
  'a list': (inside) => `- item\n\n  ${inside.replaceAll('\n', '\n  ')}`,
  'a quote': (inside) => `> ${inside.replaceAll('\n', '\n> ')}`,
  'a hint': (inside) => `{% hint style="info" %}\n${inside}\n{% endhint %}`,
  'a tab': (inside) => `{% tabs %}\n{% tab title="a" %}\n${inside}\n{% endtab %}\n{% endtabs %}`,
  'folding text': (inside) => `<details>\n\n<summary>a</summary>\n\n${inside}\n\n</details>`,
  'a wrapper': (inside) => `<center>\n\n${inside}\n\n</center>`,
}

const STYLES = { NOTE: 'info', TIP: 'success', IMPORTANT: 'warning', WARNING: 'warning', CAUTION: 'danger' }

for (const [where, put] of Object.entries(CONTAINERS)) {
  test(`alerts, formulas and ids of headings mean the same in ${where}`, () => {
    for (const [kind, style] of Object.entries(STYLES)) {
      const source = put(`> [!${kind}]\n> Text *bold*\n>\n> - item`)
      assert.ok(typesIn(withExpandables(blocksOf(source))).includes(`hint ${style}`), source)
      assert.ok(!shownPage(source, () => true).includes(`[!${kind}]`), source)
    }
    assert.ok(typesIn(withExpandables(blocksOf(put('```math\n\\sqrt{3}\n```')))).includes('math'))
    assert.match(
      shownPage(put('## Named {#custom}'), () => true),
      /id="custom"[^>]*>Named </,
    )
  })
}

/** The blocks, with those in the fragments of folding text. */
function withExpandables(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((one) => [one, ...(one.fragments ?? []).flatMap(({ nodes }) => nodes)])
}

test('an alert may have spaces, small letters, a hard break or nothing but a list below its first line', () => {
  for (const source of [
    '> [!note]\n> text',
    '> [!NOTE]  \n> text',
    '>[!NOTE]\r\n>text\r\n',
    '> [!NOTE]\ntext',
    '>    [!NOTE]\n>    text',
    '> [!NOTE]\n> \n> text',
    '> [!NOTE]\n> > text',
  ]) {
    const [hint] = blocksOf(source)
    assert.equal(hint?.type, 'hint', source)
    assert.equal(blockText(hint).trim(), 'text', source)
  }
  assert.deepEqual(typesIn(blocksOf('> [!NOTE]\n> - a')), [
    'hint info',
    'list-unordered',
    'list-item',
    'paragraph',
  ])
  assert.deepEqual(
    blocksOf('> [!NOTE]\n> **a** b').map((one) => blockText(one).trim()),
    ['a b'],
  )
})

test('a quote without the kind alone on its first line, and with text below it, is a quote', () => {
  for (const source of [
    '> [!NOTE] Title\n> text',
    '> [!NOTE]',
    '> [!OTHER]\n> text',
    '> \\[!NOTE]\n> text',
    '> **[!NOTE]**\n> text',
    '> text\n> [!NOTE]\n> text',
    '> `[!NOTE]`\n> text',
  ])
    assert.equal(blocksOf(source)[0]?.type, 'blockquote', source)
})

test('a formula, an id and a title are printed so that they are read again', () => {
  for (const source of [
    '> [!TIP]\n> text\n',
    '```math\na\n\n$$b$$\n```\n',
    '## Named {#custom}\n',
    '## **Bold** {#中文-1}\n',
    '# Title {#id}\n\ntext\n',
    '> \\[!NOTE]\n> text\n',
    '## Braces \\{#id}\n',
    '## {#id}\n',
  ])
    assert.deepEqual(withoutKeys(printPage(parsePage(source))), withoutKeys(source), source)

  const code = block('code', { syntax: 'math' }, [block('code-line', {}, [text('a')])])
  const literal = [
    code,
    block('heading-1', {}, paragraph('Text {#id}').nodes),
    block('blockquote', {}, [paragraph('[!NOTE]\ntext')]),
  ]
  assert.deepEqual(
    parsePage(printDocument(documentOf(...literal)), { keys: 'none' }).document.nodes.map(({ type }) => type),
    ['code', 'heading-1', 'blockquote'],
  )
  for (const title of ['A {#b}', 'A {#b_c}', 'A \\{#b}', 'A {{#if b}}', 'A {#b c}', '{#b} {#c}', 'A {#'])
    assert.equal(parsePage(printPage({ title, document: documentOf() })).title, title)
})

test('an id at the end of a heading is the anchor of the heading, unless it is an example or the whole heading', () => {
  const idOf = (source: string) => {
    const [heading] = withoutKeys(source)
    return [heading && blockText(heading), heading && 'id' in heading.data ? heading.data.id : undefined]
  }
  assert.deepEqual(idOf('## Named {#custom}'), ['Named', 'custom'])
  assert.deepEqual(idOf('## Named {#custom} ##'), ['Named', 'custom'])
  assert.deepEqual(idOf('Named {#custom}\n---'), ['Named', 'custom'])
  assert.deepEqual(idOf('## Named{#a.b:c_d}'), ['Named', 'a.b:c_d'])
  assert.deepEqual(idOf('## `code` {#x}'), ['code', 'x'])
  assert.deepEqual(idOf('## Named {#old} <a href="#new" id="new"></a>'), ['Named {#old}', 'new'])
  for (const literal of [
    'Named \\{#custom}',
    'Named `{#custom}`',
    'Named {#a b}',
    'Named {#}',
    '{#custom}',
    '{#a} b',
  ])
    assert.equal(idOf(`## ${literal}`)[1], undefined, literal)
})

test('the title of a page has neither the id at its end nor the names of emoji', () => {
  const title = (source: string) => parsePage(source).title
  assert.equal(title('# Start :rocket: {#start}\n'), 'Start 🚀')
  assert.equal(title('# **Bold** {#start}\n'), 'Bold')
  assert.equal(
    title('# Time 10:30:45 \\:rocket: `:rocket:` :nothing:\n'),
    'Time 10:30:45 :rocket: :rocket: :nothing:',
  )
  assert.equal(title('# Title {% if visitor.a %}{#x}{% endif %}\n'), 'Title')
  const source = '# Old *one* {#start} #\n'
  const span = titleSpan(source)
  assert.equal(source.slice(0, span?.start) + 'New' + source.slice(span?.end), '# New {#start} #\n')
  for (const written of [':rocket:', 'a :rocket: b', '🚀'])
    assert.equal(title(printPage({ title: written, document: documentOf() })), written)
})

test('a name of an emoji is the emoji in a paragraph, cell, column title, list, hint, tab, caption and heading', () => {
  for (const source of [
    'x :rocket: y',
    '| a |\n| - |\n| x :rocket: y |',
    '| x :rocket: y |\n| - |\n| a |',
    '<table><thead><tr><th>x :rocket: y</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>',
    '- x :rocket: y',
    '{% hint style="info" %}\nx :rocket: y\n{% endhint %}',
    '<figure><img src="a.png" alt=""><figcaption>x :rocket: y</figcaption></figure>',
    '<details>\n\n<summary>x :rocket: y</summary>\n\nz\n\n</details>',
    '## x :rocket: y',
    '<a href="a.md" class="button primary">x :rocket: y</a>',
    '{% tabs %}\n{% tab title="x :rocket: y" %}\nz\n{% endtab %}\n{% endtabs %}',
  ]) {
    const [html = ''] = shownPage(source, () => true).split('\n[')
    assert.match(html, /x (?:<span class="emoji">)?🚀/, source)
    assert.doesNotMatch(html.replace(/alt="[^"]*"/g, ''), /:rocket:/, source)
  }
})

test('a name of an emoji is the emoji in front matter and tables of contents, unless it has a backslash', () => {
  assert.equal(parsePage('---\ntitle: ":rocket: Start"\n---\n').title, '🚀 Start')
  assert.equal(parsePage("---\ntitle: 'Start \\:rocket:'\n---\n").title, 'Start :rocket:')
  const summary = '## :rocket: Group\n\n* [:rocket: `:smile:`](a.md ":open_mouth:")\n* \\:rocket: 10:30:45\n'
  const [group] = parseSummary(summary).entries
  assert.equal(group?.kind === 'group' && group.title, '🚀 Group')
  assert.deepEqual(group && 'children' in group && group.children.map(({ title }) => title), [
    '🚀 :smile:',
    ':rocket: 10:30:45',
  ])
})

test('a title that spells the name of an emoji is kept in tabs, front matter and tables of contents', () => {
  for (const title of [':rocket:', 'a \\:rocket: \\\\:smile:', ':nothing:', ':joy::rocket:', 'x:smile:y']) {
    const tabs = block('tabs', {}, [block('tabs-item', { title }, [paragraph('a')])])
    const [read] = withoutKeys(printDocument(documentOf(tabs)))
    const items = read?.nodes?.flatMap((node) => (node.object === 'block' ? [node.data] : []))
    assert.deepEqual(items, [{ title }], title)
    assert.equal(readFrontMatter(printFrontMatter({ title })).title, title)
    assert.equal(readFrontMatter(editFrontMatter('text', { title })).title, title)
    assert.equal(plainTitle(printedTitle(title)), title)
  }
  const source = '---\ntitle: ":rocket: Start"\n---\n'
  assert.equal(editFrontMatter(source, { title: '🚀 Start' }), source)
})

test('code between two dollars is a formula, as on GitHub', () => {
  const formula = (source: string) => {
    const html = shownPage(source, () => true)
    return /<math[\s>]/.test(html)
  }
  for (const source of [
    'a $`x^2`$ b',
    '$`x`$',
    '**a $`x`$**',
    '- $`x`$',
    '| a |\n| - |\n| $`x\\|y`$ |',
    '> [!NOTE]\n> ($`x`$)',
    '## $`x`$ {#id}',
    '[$`x`$](a.md)',
    '<details>\n\n<summary>a</summary>\n\n$`x`$\n\n</details>',
  ]) {
    assert.ok(formula(source), source)
    assert.ok(formula(printDocument(parseMarkdown(source).document)), source)
  }
  for (const source of ['\\$`x`$', 'US$`x`$', '$`x`$1', '$ `x` $', '`$x$`', '$`x`', '$`x`$$`y`$'])
    assert.ok(!formula(source), source)
  assert.equal(parsePage('# A $`x`$ b').title, 'A x b')
})

test('a condition around an alert, in one, or around an id hides what it holds', () => {
  for (const source of [
    '{% if visitor.a %}\n> [!NOTE]\n> secret\n{% endif %}\n',
    '> [!NOTE]\n> {% if visitor.a %}secret{% endif %}\n',
    '> [!NOTE]\n>\n> {% if visitor.a %}\n> secret\n> {% endif %}\n',
    '> {% if visitor.a %}\n> [!NOTE]\n> secret\n> {% endif %}\n',
    '## A {% if visitor.a %}{#secret}\n\nb {% endif %}\n',
    '## A {% if visitor.a %}b {#secret}{% endif %}\n',
    '{% if visitor.a %}\n```math\nsecret\n```\n{% endif %}\n',
  ])
    assert.ok(!shownPage(source, () => false).includes('secret'), source)
})

test('alerts, ids and titles are read in linear time', () => {
  for (const make of [
    repeated('> [!NOTE]\n> a\n\n'),
    repeated('> ', '', '[!NOTE]\n a'),
    repeated(' ', '> [!NOTE]', '\n> a'),
    repeated(' ', '> [!NOTE]\n> ', 'a'),
    repeated('a', '## A {#', '}'),
    repeated(' ', '## A', '{#a}'),
    repeated('{#a} ', '## A '),
    repeated('## A {#a}\n\n'),
    repeated(':rocket: ', '# A '),
    repeated(':', '# A '),
    repeated('```math\na\n```\n'),
    repeated('$`a`$ '),
    repeated('$`', '', '`$'),
    repeated('{% tab title=":rocket:" %}'),
    repeated(':rocket:', '{% tab title="', '" %}'),
    repeated('\\', '{% tab title="', ':rocket:" %}'),
  ])
    assertLinear(make, handlePage, 64_000)
})

test('a footnote that is used several times is one note, with a link back to each use', () => {
  const source =
    'one[^a] two[^a]\n\n- three[^b] four[^a]\n\n| five[^a] |\n| - |\n| six[^b] |\n\n[^a]: First\n[^b]: Second\n'
  const html = shownPage(source, () => true)
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => value)
  const uses = found(/id="(~note-ref-[\d-]+)"/g)
  assert.equal(new Set(uses).size, 5)
  assert.deepEqual(found(/href="#(~note-\d+)"/g), ['~note-1', '~note-1', '~note-2', '~note-1', '~note-2'])
  assert.deepEqual(found(/<li id="(~note-\d+)"/g), ['~note-1', '~note-2'])
  assert.deepEqual(found(/href="#(~note-ref-[\d-]+)"/g).toSorted(), uses.toSorted())
})

test('footnotes that are used often are shown in linear time', () => {
  assertLinear(repeated('a[^1] ', '', '\n\n[^1]: b\n'), handlePage, 64_000)
})
