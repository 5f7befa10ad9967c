import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../test/corpus.ts'
import { nastyText } from '../../../test/core/lines.ts'
import { normal } from './normal-form.ts'
import { parsePage } from './parse.ts'
import type { Block } from './model.ts'
import { printDocument } from './print.ts'
import { replaceSpans, retitle } from './splice.ts'
import { holds } from '../../../test/property.ts'

test('replaces ranges and leaves every other byte', () => {
  const edits = [
    { span: { start: 4, end: 5 }, text: 'E' },
    { span: { start: 0, end: 1 }, text: '' },
    { span: { start: 2, end: 2 }, text: '+' },
  ]
  assert.equal(replaceSpans('abcdefg', edits), 'b+cdEfg')
  assert.throws(
    () =>
      replaceSpans('abc', [
        { span: { start: 0, end: 2 }, text: '' },
        { span: { start: 1, end: 3 }, text: '' },
      ]),
    RangeError,
  )
})

/** A block as Markdown, to stand among others. */
function printBlock(block: Block): string {
  return printDocument({ object: 'document', data: {}, nodes: [block] }).replace(/\n$/, '')
}

for (const corpus of CORPORA) {
  test(`edits one block of a page of ${corpus} and no other`, { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(corpus, 1)) {
      const { spans } = parsePage(source)
      const index = path.length % Math.max(1, spans.length)
      const span = spans[index]
      if (!span) continue

      const edited = replaceSpans(source, [{ span, text: 'An edited block.' }])
      assert.equal(edited.slice(0, span.start), source.slice(0, span.start), path)
      assert.equal(edited.slice(edited.length - (source.length - span.end)), source.slice(span.end), path)
    }
  })

  test(
    `prints one block of a page of ${corpus} in place without a change to the document`,
    { skip: withoutCorpora },
    () => {
      for (const [path, source] of pagesToTry(corpus, 2)) {
        const { document, spans } = parsePage(source)
        const index = path.length % Math.max(1, spans.length)
        const [span, block] = [spans[index], document.nodes[index]]
        // A rule for lists: neighbours take turns in their signs, which a block by itself cannot know.
        if (!span || !block || block.type.startsWith('list-')) continue
        const again = parsePage(replaceSpans(source, [{ span, text: printBlock(block) }]))
        assert.deepEqual(normal(again.document), normal(document), path)
      }
    },
  )
}

test('changes the title in the heading, and nothing else', () => {
  assert.equal(
    retitle('---\na: b\n---\n\n# Old **x** #\n\ntext # y\n', 'New'),
    '---\na: b\n---\n\n# New #\n\ntext # y\n',
  )
  assert.equal(retitle('Old\n===\n\ntext', 'New'), 'New\n===\n\ntext')
  assert.equal(retitle('#\n\ntext', 'New'), '# New\n\ntext')
})

test('keeps the conditions that begin in the title, and not those that end in it', () => {
  const [x, y, end] = ['{% if visitor.claims.x %}', '{% if visitor.claims.y %}', '{% endif %}']
  assert.equal(retitle(`# Old ${x}\n\nhidden\n`, 'New'), `# New ${x}\n\nhidden\n`)
  assert.equal(retitle(`# Old ${x}\n\nhidden\n\n${end}\n`, 'New'), `# New ${x}\n\nhidden\n\n${end}\n`)
  assert.equal(retitle(`Old ${x}\n===\n\nhidden\n`, 'New'), `New ${x}\n===\n\nhidden\n`)
  assert.equal(retitle(`# ${x} Old ${y}\n\nhidden\n`, 'New'), `# New ${x} ${y}\n\nhidden\n`)
  assert.equal(retitle(`# A ${x}b${end} c ${y}\n\nhidden\n`, 'New'), `# New ${y}\n\nhidden\n`)
  assert.equal(retitle(`# A ${x}b${end}\n\nseen\n`, 'New'), `# New\n\nseen\n`)
  assert.equal(retitle(`# A \`${x}\`\n\nseen\n`, 'New'), `# New\n\nseen\n`)
  for (const source of [`# *Old ${x}* b\n\nhidden\n`, `---\na: b\n---\n\n# [Old ${x}](b.md)\n\nhidden\n`]) {
    const { document } = parsePage(retitle(source, 'New'))
    assert.deepEqual(
      document.nodes.map(({ type }) => type),
      ['if'],
      source,
    )
  }
})

test('changes the title in the front matter of a page without a heading, or adds a heading', () => {
  assert.equal(retitle('---\ntitle: Old\nx: y # z\n---\ntext', 'New'), '---\ntitle: New\nx: y # z\n---\ntext')
  assert.equal(retitle('text\n', 'New'), '# New\n\ntext\n')
  assert.equal(retitle('---\nx: y\n---\n\ntext\n', 'New'), '---\nx: y\n---\n\n# New\n\ntext\n')
})

test('gives a page any title of one line', () => {
  const titles = nastyText.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
  const pages = fc.constantFrom(
    '# Old\n\ntext',
    'text',
    '',
    '---\nicon: x\n---\n# Old',
    '---\ntitle: x\n---\ntext',
  )
  holds(
    fc.property(pages, titles, (source, title) =>
      assert.equal(parsePage(retitle(source, title)).title, title),
    ),
    { cases: 1000 },
  )
})
