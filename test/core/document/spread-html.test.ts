/** Elements of HTML with blank lines in them hold the blocks between their tags, as other renderers of Markdown show them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToHast } from 'satteri'
import type { Nodes } from 'hast'
import { renderDocument } from '../../../src/core/document/html.ts'
import type { RenderContext } from '../../../src/core/document/html/renderer.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'
import { visibleDocument } from '../../../src/core/document/shown/visible.ts'
import { shownPage } from '../shown-page.ts'

const CONTEXT: RenderContext = {
  href: (ref) => (ref.kind === 'url' ? { href: ref.url } : undefined),
  image: (ref) => (ref.kind === 'url' ? { src: ref.url } : undefined),
  file: () => undefined,
  reusable: () => undefined,
  highlight: () => undefined,
  evaluate: () => true,
}

/** The names of the elements around the text `inner`, from the outermost, without those that the site adds. */
function around(markup: string): string[] {
  const open: { node: Nodes; names: string[] }[] = [
    { node: htmlToHast(markup, { fragment: true }), names: [] },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, names } = next
    if (node.type === 'text' && node.value.includes('inner')) return names
    if (node.type !== 'root' && node.type !== 'element') continue
    const isAdded = node.type === 'root' || String(node.properties.className) === 'raw'
    for (const child of node.children)
      open.push({ node: child, names: isAdded ? names : [...names, node.tagName] })
  }
  return ['nothing']
}

const shown = (source: string) => String(renderDocument(parsePage(source).document, CONTEXT).body)
const visible = (source: string) =>
  printDocument(visibleDocument(parsePage(source).document, CONTEXT, (path) => path))

/** A wrapper, and the elements in which the site shows a paragraph between its tags. */
const WRAPPERS: Record<string, [open: string, close: string, elements: string[]]> = {
  'a div': ['<div>', '</div>', ['div']],
  'an aligned div': ['<div align="center">', '</div>', ['div']],
  'two divs': ['<div><div>', '</div></div>', ['div', 'div']],
  'divs apart': ['<div>\n\n<div>', '</div>\n\n</div>', ['div', 'div']],
  'centered content': ['<center>', '</center>', ['center']],
  'a section': ['<section>', '</section>', ['section']],
  'an article, which sites show as its content': ['<article>', '</article>', []],
  'a paragraph, which cannot hold blocks': ['<p align="center">', '</p>', ['div']],
  'a heading': ['<h3 align="center">', '</h3>', ['h3']],
  'a cell': [
    '<table><tbody><tr><td>a</td><td>',
    '</td></tr></tbody></table>',
    ['table', 'tbody', 'tr', 'td'],
  ],
  'a cell over two columns': [
    '<table><tr><td colspan="2">',
    '</td></tr></table>',
    ['table', 'tbody', 'tr', 'td'],
  ],
  'cells apart': ['<table>\n\n<tr>\n\n<td>', '</td>\n\n</tr>\n\n</table>', ['table', 'tbody', 'tr', 'td']],
  'a heading of a table': ['<table><tr><th>', '</th></tr></table>', ['table', 'tbody', 'tr', 'th']],
  'an item of a list': ['<ul>\n<li>', '</li>\n</ul>', ['ul', 'li']],
  'an item without its end': ['<ol>\n<li>', '</ol>', ['ol', 'li']],
  'a definition': ['<dl><dt>a</dt><dd>', '</dd></dl>', ['dl', 'dd']],
  'a quote': ['<blockquote>', '</blockquote>', ['blockquote']],
  'a link': ['<a href="https://a.org">', '</a>', ['a']],
  'a figure': ['<figure>', '</figure>', ['figure']],
}
const NAMES = Object.entries(WRAPPERS)

for (const [name, [open, close, elements]] of NAMES) {
  test(`${name} with blank lines holds the blocks between its tags`, () => {
    const source = `before\n\n${open}\n\n**inner**\n\n- two\n\n${close}\n\nafter\n`
    assert.deepEqual(around(shown(source)), [...elements, 'p', 'strong'])
    assert.deepEqual(around(shown(visible(source))), [...elements, 'p', 'strong'], visible(source))
    assert.deepEqual(around(shown(source).replaceAll('inner', '').replace('after', 'inner')), ['p'])
  })

  test(`${name} is printed as it is read, and so is what a visitor sees of it`, () => {
    const source = `${open}\n\n**inner**\n\n${close}\n`
    const { nodes } = parsePage(source, { keys: 'none' }).document
    const printed = printDocument(parsePage(source).document)
    assert.deepEqual(parsePage(printed, { keys: 'none' }).document.nodes, nodes)
    assert.equal(visible(visible(source)), visible(source))
  })

  test(`a condition in ${name} with blank lines hides its content`, () => {
    const source = `${open}\n\n{% if visitor.a %}\n**inner**\n{% endif %}\n\n${close}\n`
    assert.ok(
      !shownPage(source, () => false)
        .split('\n[')[0]!
        .includes('inner'),
    )
    assert.deepEqual(around(shown(source)), [...elements, 'p', 'strong'])
    const hiding = `{% if visitor.a %}\n${open}\n\n**inner**\n\n${close}\n{% endif %}\n`
    assert.ok(!shownPage(hiding, () => false).includes('inner'))
  })
}

test('a wrapper may end in the last paragraph that it holds', () => {
  for (const [name, [open, close, elements]] of NAMES) {
    if (/<(?!\/(?:a|b)>)[^>]*>\n/.test(close) || name === 'a link') continue
    const source = `${open}\n\n**inner** text${close}\n\nafter\n`
    assert.deepEqual(around(shown(source)), [...elements, 'p', 'strong'], name)
    const printed = printDocument(parsePage(source).document)
    assert.deepEqual(
      parsePage(printed, { keys: 'none' }).document.nodes,
      parsePage(source, { keys: 'none' }).document.nodes,
      name,
    )
  }
})

test('folding text may end in its last paragraph', () => {
  const [block] = parsePage('<details><summary>Title</summary>\n\ntext **bold**</details>\n').document.nodes
  assert.equal(block?.type, 'expandable')
})

test('a wrapper in a list, a quote, a hint, a tab or a step holds the blocks between its tags', () => {
  const inside = '<center>\n\n**inner**\n\n</center>'
  const lines = (first: string, others: string) => first + inside.replaceAll('\n', `\n${others}`)
  const sources = [
    lines('- ', '  '),
    lines('> ', '> '),
    `{% hint style="info" %}\n${inside}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="a" %}\n${inside}\n{% endtab %}\n{% endtabs %}`,
    `{% stepper %}\n{% step %}\n${inside}\n{% endstep %}\n{% endstepper %}`,
    `<details>\n\n<summary>a</summary>\n\n${inside}\n\n</details>`,
  ]
  for (const source of sources) {
    assert.deepEqual(around(shown(source)).slice(-3), ['center', 'p', 'strong'], source)
    assert.deepEqual(around(shown(visible(source))).slice(-3), ['center', 'p', 'strong'], source)
  }
})

test('a wrapper that is not shown with its content, or has no end, loses none of the blocks behind it', () => {
  for (const open of ['<select>', '<svg>', '<template>', '<object>', '<div>', '<table>', '<p title="'])
    for (const close of [open.replace('<', '</'), '', '</b>', '<!-- '])
      assert.notDeepEqual(around(shown(`${open}\n\ninner\n\n${close}\n`)), ['nothing'], open + close)
})

test('comments in HTML stand for none of the blocks that it holds', () => {
  const source = '<!--slot-0--><!--slot-1--><center>\n\n**inner**\n\n<b>x</b><!--slot-1-->\n\n</center>\n'
  assert.equal(shown(source).match(/inner/g)?.length, 1)
})

test('a page of one wrapper keeps the outline, the notes and the anchors of its blocks', () => {
  const source = '<center>\n\n## One\n\na[^1]\n\n## One\n\n</center>\n\n[^1]: note\n'
  const { body, outline } = renderDocument(parsePage(source).document, CONTEXT)
  assert.deepEqual(
    outline.map(({ id }) => id),
    ['one', 'one-1'],
  )
  assert.equal(String(body).match(/role="doc-noteref"/g)?.length, 1)
})
