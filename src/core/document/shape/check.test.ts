import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import { anyDocument } from '../../../../test/core/documents.ts'
import { normal } from '../normal-form.ts'
import { isFault, readDocument } from './check.ts'
import { parseMarkdown, parsePage } from '../parse.ts'
import { printDocument } from '../print.ts'
import { holds } from '../../../../test/property.ts'

/** As documents travel. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const documentOf = (...nodes: object[]) => ({ object: 'document', data: {}, nodes })

test('reads every document of the model as it is', () => {
  holds(
    fc.property(anyDocument, (document) => {
      const read = readDocument(sent(document))
      assert(!isFault(read), JSON.stringify(read))
      assert.deepEqual(normal(read), normal(document))
    }),
    { cases: 800 },
  )
})

for (const corpus of CORPORA) {
  test(`reads the documents of the pages of ${corpus} as they are`, { skip: withoutCorpora }, () => {
    // Every third: what a page holds repeats itself.
    for (const [path, source] of pagesToTry(corpus, 2)) {
      const { document } = parsePage(source)
      const read = readDocument(sent(document))
      assert(!isFault(read), `${path}: ${JSON.stringify(read)}`)
      assert.deepEqual(normal(read), normal(document), path)
    }
  })
}

test('whatever comes is refused, or is a document that can be printed and read', () => {
  const key = fc.constantFrom(
    'object',
    'type',
    'data',
    'nodes',
    'leaves',
    'marks',
    'fragments',
    'ref',
    'view',
  )
  const junk = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.integer(),
    fc.constant([]),
    fc.constant({}),
    fc.constant([{}]),
  )
  holds(
    fc.property(
      anyDocument,
      fc.array(fc.tuple(key, junk, fc.nat(30)), { minLength: 1, maxLength: 3 }),
      (document, hits) => {
        let value = sent(document)
        for (const [name, to, nth] of hits) value = spoiled(value, name, to, nth)
        const read = readDocument(value)
        if (isFault(read)) assert.match(read.path, /^[\w.$-]*$/u)
        else parseMarkdown(printDocument(read))
      },
    ),
    { cases: 1000 },
  )
  holds(fc.property(fc.jsonValue(), (value) => void readDocument(value)))
})

/** The value with the nth field of that name being something else. */
function spoiled(value: unknown, name: string, to: unknown, nth: number): unknown {
  let left = nth
  return JSON.parse(
    JSON.stringify(value, (key, field: unknown) => (key === name && left-- === 0 ? to : field)) ?? 'null',
  )
}

const SECRET = 'A {% if visitor.claims.a %}SECRET{% endif %}'
const tabs = (title: string) => ({
  object: 'block',
  type: 'tabs',
  nodes: [{ object: 'block', type: 'tabs-item', data: { title }, nodes: [paragraph('a')] }],
})
const inLine = (type: string, data: object) => ({
  ...paragraph('a'),
  nodes: [...paragraph('a').nodes, { object: 'inline', type, data, nodes: paragraph('b').nodes }],
})
const url = { kind: 'url', url: 'https://example.com/a' }
/** Blocks with a condition where nothing evaluates it, each with the place of the condition. */
const CONDITIONAL: [block: object, path: string][] = [
  [tabs(SECRET), 'nodes.0.data.title'],
  [{ object: 'block', type: 'embed', data: { url: `https://example.com/${SECRET}` } }, 'data.url'],
  [
    { object: 'block', type: 'integration', data: { integration: 'a', block: 'b', props: { c: [SECRET] } } },
    'data.props',
  ],
  [inLine('inline-image', { ref: url, alt: '{%- if a -%}SECRET' }), 'nodes.1.data.alt'],
  [inLine('link', { ref: { kind: 'url', url: `https://example.com/${SECRET}` } }), 'nodes.1.data.ref'],
  [
    {
      object: 'block',
      type: 'images',
      nodes: [{ object: 'block', type: 'image', data: { ref: url, alt: SECRET } }],
    },
    'nodes.0.data.alt',
  ],
]

test('accepts texts that only name a tag, and conditions as text and within a condition', () => {
  for (const block of [
    tabs('How to use {% if … %}'),
    paragraph(SECRET),
    ...CONDITIONAL.slice(3).map(([inner]) => ({
      object: 'block',
      type: 'if',
      data: { expression: 'a' },
      nodes: [inner],
    })),
  ]) {
    const read = readDocument(documentOf(block))
    assert(!isFault(read), JSON.stringify(read))
  }
})

const html = (data: object) => ({ object: 'block', type: 'html', data: { html: '', ...data } })
const hiding = (...nodes: object[]) => ({ object: 'block', type: 'if', data: { expression: 'a' }, nodes })
const line = (...nodes: object[]) => ({ ...paragraph(''), nodes })
const inlineHtml = (source: string) => ({ object: 'inline', type: 'inline-html', data: { html: source } })
const secretInLine = {
  object: 'inline',
  type: 'inline-if',
  data: { expression: 'a' },
  nodes: paragraph('SECRET').nodes,
}

test('refuses HTML because of which a condition would not hide what it hides', () => {
  const faults: [object[], string][] = [
    [[hiding(html({ html: '<div>{% endif %}</div>' }), paragraph('SECRET'))], 'nodes.0.nodes.0.data.html'],
    [[hiding(html({ html: '<i>{%- endif -%}</i>' }), paragraph('SECRET'))], 'nodes.0.nodes.0.data.html'],
    [[hiding(html({ html: '{% else %}' }), paragraph('SECRET'))], 'nodes.0.nodes.0.data.html'],
    [[hiding(html({ markdown: '{% endif %}' }), paragraph('SECRET'))], 'nodes.0.nodes.0.data.markdown'],
    [[hiding(line(inlineHtml('<br>{% endif %}')), paragraph('SECRET'))], 'nodes.0.nodes.0.nodes.0.data.html'],
    [[html({ html: '```' }), hiding(paragraph('SECRET'))], 'nodes.0.data.html'],
    [[line(inlineHtml('<!--'), secretInLine, inlineHtml('-->'))], 'nodes.0.nodes.0.data.html'],
    [[line(inlineHtml('\\'), secretInLine)], 'nodes.0.nodes.0.data.html'],
  ]
  for (const [nodes, path] of faults) {
    const read = readDocument(documentOf(...nodes))
    assert(isFault(read) && read.path === path, `${path}: ${JSON.stringify(read)}`)
  }
})

test('refuses a part of a page that would end or swallow conditions around it', () => {
  for (const data of [{ markdown: '{% endif %}' }, { html: '<div>{% endif %}</div>' }, { html: '<!--' }]) {
    assert(isFault(readDocument(documentOf(html(data)), { isPart: true })), JSON.stringify(data))
    assert(!isFault(readDocument(documentOf(html(data)))), JSON.stringify(data))
  }
})

test('accepts what is read from Markdown with tags, comments and other HTML beside and within conditions', () => {
  const inside = [
    '<div class="a"><custom-tag>text &amp; more</custom-tag></div>',
    '<!-- {% if a %}x{% endif %} -->',
    'a <br> \\{% endif %} <u>b</u>',
    '<div>\\{% endif %}</div>',
    '[r]: https://example.com "{% if b %}"',
    '<a\nb> `{% endif %}` <http://example.com>',
  ]
  const sources = inside.flatMap((one) => [one, `{% if a %}\n${one}\n\n{% endif %}\n\nx\n`])
  for (const source of [...sources, 'a\n\n{% endif %}\n\nb', '{% if a %}\n\nx\n\n{% endif %}\n\n<!-- x']) {
    const { document } = parsePage(source)
    const read = readDocument(sent(document))
    assert(!isFault(read), `${source}: ${JSON.stringify(read)}`)
    assert.deepEqual(normal(read), normal(document), source)
  }
})

test('names the place of what is wrong', () => {
  const faults: [object, string][] = [
    [[], ''],
    [{ object: 'paragraph' }, 'object'],
    [documentOf({ object: 'block', type: 'poem' }), 'nodes.0.type'],
    [
      documentOf(paragraph('a'), { object: 'block', type: 'hint', data: { style: 'loud' }, nodes: [] }),
      'nodes.1.data.style',
    ],
    [
      documentOf({ object: 'block', type: 'tabs', data: {}, nodes: [paragraph('a')] }),
      'nodes.0.nodes.0.type',
    ],
    [documentOf({ object: 'block', type: 'list-item', data: {}, nodes: [paragraph('a')] }), 'nodes.0.type'],
    [documentOf({ object: 'block', type: 'embed', data: {} }), 'nodes.0.data.url'],
    [
      documentOf({ object: 'block', type: 'file', data: { ref: { kind: 'place' } } }),
      'nodes.0.data.ref.kind',
    ],
    [documentOf({ object: 'block', type: 'list-unordered', data: {}, nodes: [] }), 'nodes.0.nodes'],
    ...CONDITIONAL.map(([block, path]): [object, string] => [documentOf(block), `nodes.0.${path}`]),
  ]
  for (const [value, path] of faults) {
    const read = readDocument(value)
    assert(isFault(read) && read.path === path, `${path}: ${JSON.stringify(read)}`)
  }
})

test('refuses what is nested deeper than Markdown can hold, however deep', () => {
  let block: object = paragraph('a')
  for (let depth = 0; depth < 100_000; depth += 1)
    block = { object: 'block', type: 'blockquote', data: {}, nodes: [block] }
  assert.match((readDocument(documentOf(block)) as { message: string }).message, /nested deeper/)
})
