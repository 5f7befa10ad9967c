import assert from 'node:assert/strict'
import test from 'node:test'

import type { Element, Nodes } from 'hast'
import { htmlToHast } from 'satteri'

import { raw } from '../text/html.ts'
import { renderDocument } from './html.ts'
import { EVERY_NODE } from '../../../test/core/document/every-node.ts'
import { HOSTILE_HTML, HOSTILE_URLS } from '../../../test/core/document/hostile.ts'
import type { RenderContext } from './html/renderer.ts'
import { CONTEXT, documentOf, paragraph, text } from '../../../test/core/document/sample.ts'
import type { Block, Document, Inline } from './model.ts'
import { parsePage } from './parse.ts'

const context: RenderContext = { ...CONTEXT, icon: () => raw('<svg class="icon"></svg>') }

function rendered(document: Document, world: RenderContext = context): string {
  return String(renderDocument(document, world).body)
}

// What a browser would run is looked for in the tree that a parser makes of the output.

for (const hostile of HOSTILE_HTML) {
  test(`renders inert, as a block and inline: ${JSON.stringify(hostile)}`, () => {
    const block: Block = { object: 'block', type: 'html', isVoid: true, data: { html: hostile } }
    const inline: Inline = { object: 'inline', type: 'inline-html', isVoid: true, data: { html: hostile } }
    assertInert(rendered(documentOf(block)))
    assertInert(rendered(documentOf(paragraph('a ', inline, text('<b onclick=x> onmouseover=alert(1) "')))))
  })

  test(`renders inert, through Markdown: ${JSON.stringify(hostile)}`, () => {
    for (const source of [
      hostile,
      `text ${hostile} text`,
      `* ${hostile}\n`,
      `<center>\n\n${hostile}\n\n</center>\n`,
      `<div>${hostile}\n\n[text](x.md)\n\n${hostile}</div>\n`,
      `| a |\n| - |\n| ${hostile} |\n`,
      `<details>\n<summary>${hostile}</summary>\n\n${hostile}\n\n</details>\n`,
      `{% hint style="info" %}\n${hostile}\n{% endhint %}\n`,
      `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>${hostile}</td></tr></tbody></table>\n`,
      `<figure><img src="a.png" alt=""><figcaption><p>${hostile}</p></figcaption></figure>\n`,
    ]) {
      assertInert(rendered(parsePage(source).document))
    }
  })

  test(`renders inert, as text in every place that takes a string: ${JSON.stringify(hostile)}`, () => {
    assertInert(rendered(poisoned(EVERY_NODE, hostile)))
  })
}

for (const address of HOSTILE_URLS) {
  test(`leads nowhere: ${JSON.stringify(address)}`, () => {
    const world: RenderContext = {
      ...context,
      href: () => ({ href: address }),
      image: () => ({ src: address }),
      file: () => ({ href: address, name: 'file' }),
    }
    assertInert(rendered(EVERY_NODE, world))
    assertInert(rendered(poisoned(EVERY_NODE, address)))
    assertInert(
      rendered(
        documentOf({
          object: 'block',
          type: 'html',
          isVoid: true,
          data: { html: `<a href="${address}">x</a><img src="${address}">` },
        }),
      ),
    )
    assertInert(
      rendered(
        parsePage(
          `[x](<${address}>) ![](<${address}>) <${address}>\n\n{% embed url="${address}" %}\n\n{% content-ref url="${address}" %}\n[x](${address})\n{% endcontent-ref %}\n`,
        ).document,
      ),
    )
  })
}

const HOSTILE_FORMULAS = [
  '\\href{javascript:alert(1)}{x}',
  '\\url{javascript:alert(1)}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\color{red;background:url(javascript:alert(1))}x',
  '\\class{site-header}{x}',
  '\\style{position:fixed}{x}',
  '\\data{frame=javascript:alert(1)}{x}',
  '\\includegraphics{javascript:alert(1)}',
  '\\def\\a{\\a\\a}\\a',
  '\\frac{'.repeat(1_000),
  '</math><img src=x onerror=alert(1)>',
]
for (const formula of HOSTILE_FORMULAS) {
  test(`renders a formula inert: ${formula.slice(0, 60)}`, () => {
    assertInert(rendered(documentOf({ object: 'block', type: 'math', isVoid: true, data: { formula } })))
    assertInert(
      rendered(
        documentOf(paragraph({ object: 'inline', type: 'inline-math', isVoid: true, data: { formula } })),
      ),
    )
  })
}

/** The document with every string of content replaced: text, titles, names, addresses. */
function poisoned<T>(value: T, poison: string): T {
  const structural = new Set(['object', 'type', 'kind', 'fragment', 'orderIndex', 'action', 'unit'])
  return visit(value, '') as T

  function visit(node: unknown, key: string): unknown {
    if (typeof node === 'string') return structural.has(key) ? node : poison
    if (Array.isArray(node)) return node.map((child) => visit(child, key))
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).map(([name, child]) => [name, name === 'html' ? child : visit(child, name)]),
    )
  }
}

const HARMLESS = new Set(
  (
    'a abbr audio b bdi bdo big blockquote br button caption center cite code col colgroup dd del details dfn div dl dt em ' +
    'figcaption figure h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp section small source ' +
    'span strike strong sub summary sup svg table tbody td tfoot th thead time tr tt u ul var video wbr ' +
    'math mfrac mi mn mo mrow mspace mstyle msub msubsup msup mtable mtd mtext mtr mover munder munderover menclose mpadded mphantom msqrt mroot'
  ).split(' '),
)
const ADDRESSES = [
  'href',
  'src',
  'poster',
  'cite',
  'dataFrame',
  'srcSet',
  'action',
  'formAction',
  'background',
  'xLinkHref',
  'data',
]

function assertInert(markup: string): void {
  const open: Nodes[] = [htmlToHast(markup, { fragment: true })]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') assertHarmless(node, markup)
    if (node.type === 'root' || node.type === 'element') open.push(...node.children)
  }
}

function assertHarmless({ tagName, properties }: Element, markup: string): void {
  const because = `in ${markup}`
  assert.ok(HARMLESS.has(tagName), `<${tagName}> ${because}`)
  for (const [name, value] of Object.entries(properties)) {
    assert.ok(!/^on/i.test(name), `${name} ${because}`)
    assert.ok(
      ![
        'style',
        'srcDoc',
        'is',
        'contentEditable',
        'target',
        'ping',
        'autoFocus',
        'autoPlay',
        'popoverTarget',
      ].includes(name),
      `${name} ${because}`,
    )
    if (!ADDRESSES.includes(name)) continue
    // The way a browser reads an address: it drops what is not printable before it looks for the scheme.
    const parsed = URL.parse(String(value), 'https://site.example/')
    assert.ok(
      parsed === null || ['http:', 'https:', 'mailto:', 'tel:'].includes(parsed.protocol),
      `${name}=${String(value)} ${because}`,
    )
  }
  const id = properties.id
  if (tagName === 'button') assert.equal(properties.type, 'button', because)
  assert.ok(id !== 'lectern', because)
}
