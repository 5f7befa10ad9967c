import assert from 'node:assert/strict'
import test from 'node:test'

import { html, raw } from '../text/html.ts'
import { renderDocument } from './html.ts'
import { codeIn } from './html/code.ts'
import { BLOCKS } from '../../../test/core/document/every-block.ts'
import { CARDS, INLINES } from '../../../test/core/document/every-node.ts'
import type { RenderContext } from './html/renderer.ts'
import {
  code,
  CONTEXT,
  documentOf,
  heading,
  page,
  paragraph,
  text,
} from '../../../test/core/document/sample.ts'
import type { Block, Document, Inline, Mark } from './model.ts'

const context: RenderContext = { ...CONTEXT, icon: () => raw('<svg class="icon"></svg>') }

function rendered(document: Document, world: RenderContext = context): string {
  return String(renderDocument(document, world).body)
}

/** White space that a browser would not show is taken out, so that tests say what is in the page and not how it is laid out. */
function squeezed(markup: string): string {
  return markup.replace(/\s+/g, ' ').replace(/ ?([<>]) ?/g, '$1')
}

for (const [type, { block, shows }] of Object.entries(BLOCKS)) {
  test(`shows a block of type ${type}`, () => assert.match(squeezed(rendered(documentOf(block))), shows))
}

for (const [type, { inline, shows }] of Object.entries(INLINES)) {
  test(`shows an inline of type ${type}`, () => {
    assert.match(squeezed(rendered(documentOf(paragraph(inline)))), shows)
  })
}

const MARKS: [Mark, string][] = [
  [{ object: 'mark', type: 'bold' }, '<strong>x</strong>'],
  [{ object: 'mark', type: 'italic' }, '<em>x</em>'],
  [{ object: 'mark', type: 'code' }, '<code>x</code>'],
  [{ object: 'mark', type: 'keyboard' }, '<kbd>x</kbd>'],
  [{ object: 'mark', type: 'strikethrough' }, '<s>x</s>'],
  [{ object: 'mark', type: 'superscript' }, '<sup>x</sup>'],
  [{ object: 'mark', type: 'subscript' }, '<sub>x</sub>'],
  [{ object: 'mark', type: 'color', data: { text: '$danger' } }, '<span class="ink-danger">x</span>'],
  [
    { object: 'mark', type: 'color', data: { text: 'red', background: 'yellow' } },
    '<mark class="wash-yellow ink-red">x</mark>',
  ],
  [{ object: 'mark', type: 'color', data: { text: 'red;x:y' } }, 'x'],
]
for (const [mark, expected] of MARKS) {
  test(`shows text marked ${JSON.stringify(mark.type === 'color' ? mark.data : mark.type)}`, () => {
    assert.equal(rendered(documentOf(paragraph(text('x', mark)))).trim(), `<p>${expected}</p>`)
  })
}

test('shows a table as cards: a link of the name of the card over it, covers for each theme, no link to what is gone', () => {
  const markup = squeezed(rendered(documentOf(CARDS)))
  assert.match(
    markup,
    /<ul class="cards">.*<img[^>]*card-cover only-light[^>]*c\.png.*card-cover fit-contain only-dark[^>]*d\.png.*<strong>Get started<\/strong>.*Pages.*12.*<a[^>]*class="card-link"[^>]*href="\/install"[^>]*aria-label="Get started"/,
  )
  assert.equal(markup.match(/class="card-link"/g)?.length, 1)
})

test('the cover of a card can be the first of some files', () => {
  const definition = { cover: { id: 'cover', title: 'Cover', type: 'files' as const } }
  const table: Block = {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'cards', cardSize: 'medium', columns: [], coverDefinition: 'cover' },
      definition,
      records: { one: { orderIndex: 'a', values: { cover: ['photo', 'other'] } } },
    },
    fragments: [],
  }
  const image = (ref: { kind: string }) => ({ src: `/files/${'file' in ref ? String(ref.file) : ''}.png` })
  assert.match(
    rendered(documentOf(table), { ...context, image }),
    /<img[^>]*card-cover[^>]*\/files\/photo\.png/,
  )
})

test('leaves out a node of a type it does not know', () => {
  const unknown = { object: 'block', type: 'constructor', data: {}, nodes: [] } as unknown as Block
  const inline = { object: 'inline', type: 'toString', data: {}, nodes: [] } as unknown as Inline
  assert.equal(rendered(documentOf(unknown, paragraph('still here', inline))).trim(), '<p>still here</p>')
})

test('gives every heading an anchor of its own, and lists it in the outline', () => {
  const { body, outline } = renderDocument(
    documentOf(
      heading('heading-1', 'Setup'),
      heading('heading-1', 'Setup'),
      heading('heading-1', '入门'),
      heading('heading-1', 'X', 'custom.id'),
    ),
    context,
  )
  assert.deepEqual(
    outline.map(({ id }) => id),
    ['setup', 'setup-1', '入门', 'custom.id'],
  )
  for (const { id } of outline) assert.ok(String(body).includes(`id="${id}"`))
})

test('gives no heading an id of the frame of the page or of a note', () => {
  const note: Inline = {
    object: 'inline',
    type: 'annotation',
    data: {},
    nodes: [text('word')],
    fragments: [{ object: 'fragment', nodes: [paragraph('A note')] }],
  }
  const markup = rendered(
    documentOf(
      heading('heading-1', 'Content'),
      heading('heading-1', 'Note 1'),
      heading('heading-1', 'Own', '~content'),
      paragraph(note),
    ),
  )
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.deepEqual(ids.toSorted(), ['content', 'content-1', 'note-1', '~note-1', '~note-ref-1'].toSorted())
})

test('shows a heading without words as neither heading nor link, and an empty one not at all', () => {
  const icon: Inline = { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'rocket' } }
  const only: Block = { object: 'block', type: 'heading-3', data: {}, nodes: [text(''), icon] }
  const empty: Block = { object: 'block', type: 'heading-3', data: {}, nodes: [text('')] }
  const { body, outline } = renderDocument(documentOf(only, empty), context)
  assert.equal(String(body).trim(), '<div class="heading-3"><svg class="icon"></svg></div>')
  assert.deepEqual(outline, [])
})

test('shows the title of the target where the text of a link is its address', () => {
  const link = (words: string): Inline => ({
    object: 'inline',
    type: 'link',
    data: { ref: page('install') },
    nodes: [text(words)],
  })
  assert.match(
    rendered(documentOf(paragraph(link('https://docs.example.org/install')))),
    /<a href="\/install">Installation<\/a>/,
  )
  assert.match(rendered(documentOf(paragraph(link('How to')))), /<a href="\/install">How to<\/a>/)
})

test('says where a link leads whose words do not', () => {
  const targets: Record<string, { href: string; title?: string }> = {
    page: { href: '/install', title: 'Install & run' },
    site: { href: 'https://example.com/a' },
    here: { href: '#part' },
  }
  const linked = (words: string, name: string, more: Partial<RenderContext> = {}) => {
    const link: Inline = {
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'url', url: name } },
      nodes: [text(words)],
    }
    const world = { ...context, href: () => targets[name]!, ...more }
    return rendered(documentOf(paragraph(link)), world)
  }
  assert.match(
    linked('Read more', 'page'),
    />Read more<span class="unseen"> \(Install &amp; run\)<\/span><\/a>/,
  )
  assert.match(linked('here.', 'site'), />here\.<span class="unseen"> \(example\.com\)<\/span><\/a>/)
  assert.match(linked('这里', 'page'), /unseen/)
  for (const [words, name] of [
    ['here', 'here'],
    ['here is more', 'page'],
    ['Install', 'site'],
  ] as const)
    assert.doesNotMatch(linked(words, name), /unseen/, words)
  assert.doesNotMatch(linked('here', 'page', { outsidePage: true }), /unseen/, 'it would be seen in a feed')
})

test('never skips a level of headings, whatever the writer skipped', () => {
  const markup = rendered(
    documentOf(heading('heading-3', 'a'), heading('heading-1', 'b'), heading('heading-3', 'c')),
  )
  assert.deepEqual(markup.match(/<h\d/g), ['<h2', '<h2', '<h3'])
})

test('keeps headings that may be folded away out of the outline', () => {
  const inside = heading('heading-1', 'Inside')
  const tabs: Block = {
    object: 'block',
    type: 'tabs',
    data: {},
    nodes: [{ object: 'block', type: 'tabs-item', data: { title: 'A' }, nodes: [inside] }],
  }
  assert.deepEqual(renderDocument(documentOf(tabs), context).outline, [])
})

test('shows a link without a target as text', () => {
  const link: Inline = { object: 'inline', type: 'link', data: { ref: page('gone') }, nodes: [text('Gone')] }
  assert.match(rendered(documentOf(paragraph(link))), /<span class="missing"[^>]*>Gone<\/span>/)
})

test('shows nothing of a condition that does not hold, or cannot be known', () => {
  for (const expression of ['false', 'visitor.claims.unknown']) {
    const block: Block = { object: 'block', type: 'if', data: { expression }, nodes: [paragraph('secret')] }
    assert.equal(rendered(documentOf(block)).trim(), '')
  }
})

test('ends reusable contents that hold one another, and documents nested without end', () => {
  const ref = { kind: 'reusable-content', reusableContent: 'r' } as const
  const loop = documentOf(paragraph('turn'), {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref },
  })
  const shown = rendered(documentOf(...loop.nodes), { ...context, reusable: () => loop })
  assert.equal(shown.match(/turn/g)?.length, 2)
  assert.match(shown, /<p class="missing" role="note">This content includes itself/)

  let deep: Block = paragraph('bottom')
  for (let depth = 0; depth < 20_000; depth++)
    deep = { object: 'block', type: 'blockquote', data: {}, nodes: [deep] }
  assert.ok(!rendered(documentOf(deep)).includes('bottom'))
})

test('joins raw HTML that is spread over several inlines', () => {
  const open: Inline = { object: 'inline', type: 'inline-html', isVoid: true, data: { html: '<u>' } }
  const close: Inline = { object: 'inline', type: 'inline-html', isVoid: true, data: { html: '</u>' } }
  const bold = text('b', { object: 'mark', type: 'bold' })
  assert.equal(
    rendered(documentOf(paragraph('a ', open, bold, close, ' c'))).trim(),
    '<p>a <u><strong>b</strong></u> c</p>',
  )
})

test('loses no text to raw HTML that would swallow it', () => {
  const swallow: Inline = {
    object: 'inline',
    type: 'inline-html',
    isVoid: true,
    data: { html: '<a title="' },
  }
  assert.match(rendered(documentOf(paragraph('before ', swallow, 'after'))), /before .*after/s)
})

test('cuts highlighted code where marks and notes begin', () => {
  const line: Block = {
    object: 'block',
    type: 'code-line',
    data: { highlighted: true },
    nodes: [text('va'), text('r x', { object: 'mark', type: 'bold' })],
  }
  const block: Block = { object: 'block', type: 'code', data: { syntax: 'js' }, nodes: [line] }
  assert.match(
    rendered(documentOf(block)),
    /<span class="line highlighted"><span class="tk">va<\/span><strong><span class="tk">r<\/span> x<\/strong><\/span>/,
  )
})

test('finds all code of a document, also in tabs and reusable content', () => {
  const inTab: Block = {
    object: 'block',
    type: 'tabs',
    data: {},
    nodes: [{ object: 'block', type: 'tabs-item', data: {}, nodes: [code({ syntax: 'js' }, 'a', 'b')] }],
  }
  const found = codeIn(documentOf(inTab, BLOCKS.code.block, BLOCKS['reusable-content'].block), () =>
    documentOf(code({ syntax: 'sql' }, 'select 1')),
  )
  assert.deepEqual(
    found.map(({ syntax }) => syntax),
    ['js', 'csharp', 'sql'],
  )
  assert.equal(found[0]?.code, 'a\nb')
})

test('escapes what is interpolated into markup, in text and in attributes', () => {
  const hostile = `"'><b>&`
  assert.equal(
    String(html`<p title="${hostile}">${hostile}${[hostile, null, false]}</p>`),
    `<p title="${E}">${E}${E}</p>`,
  )
  const forged = { toString: () => '<b>' } as unknown as string
  assert.throws(() => html`${forged}`)
})
const E = '&quot;&#39;&gt;&lt;b&gt;&amp;'
