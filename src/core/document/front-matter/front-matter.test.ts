import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import {
  editFrontMatter,
  frontMatterEnd,
  frontMatterOf,
  printFrontMatter,
  readFrontMatter,
} from './front-matter.ts'
import type { PageMeta } from '../model.ts'
import { holds } from '../../../../test/property.ts'
import { cpuTime } from '../../../../test/cpu.ts'

const META: PageMeta = {
  description: 'Some: text',
  icon: 'book',
  hidden: true,
  noIndex: true,
  noRobotsIndex: true,
  layout: { width: 'wide', title: false, tableOfContents: true, cover: true, coverSize: 'hero' },
  cover: {
    ref: { kind: 'url', url: '../a b.png' },
    refDark: { kind: 'url', url: 'd.png' },
    yPos: -12.5,
    height: 300,
  },
  tags: [{ tag: 'a' }, { tag: 'b', primary: true }],
  variables: { version: '1.0', count: 2, on: true },
  condition: 'visitor.claims.x == true',
}

test('reads what it prints', () => assert.deepEqual(readFrontMatter(printFrontMatter(META)), META))

test('reads every key that means something and leaves out what is not valid', () => {
  const source =
    '---\ndescription: >-\n  a\n  b\nhidden: "true"\nnoIndex: maybe\ncover: x.png\ncoverY: 10\nlayout:\n  title:\n    visible: false\n  width: huge\ntags: no\nname: kept\n---\n'
  assert.deepEqual(readFrontMatter(source), {
    description: 'a b',
    hidden: true,
    layout: { title: false },
    cover: { ref: { kind: 'url', url: 'x.png' }, yPos: 10 },
  })
})

test('reads what is before a fault', () => {
  assert.equal(readFrontMatter('---\nicon: x\ndescription: a: b: [\n---\n').icon, 'x')
})

test('takes a rule above text for a rule', () => {
  for (const source of [
    '---\n\nSome text\n\n---\n',
    '---\na: b\n',
    'x\n---\na: b\n---\n',
    `---\na: ${'x'.repeat(200_000)}\n---\n`,
  ])
    assert.deepEqual([frontMatterEnd(source), readFrontMatter(source)], [0, {}])
  assert.equal(frontMatterEnd('\ufeff---\r\na: b\r\n---\r\nx'), 17)
  assert.equal(frontMatterEnd('---\n---\nx'), 8)
})

test('is not blown up by aliases or nesting', () => {
  const bomb = [
    'a: &a [x, x]',
    ...Array.from(
      { length: 40 },
      (_, index) =>
        `k${index + 1}: &k${index + 1} [*${index === 0 ? 'a' : `k${index}`}, *${index === 0 ? 'a' : `k${index}`}]`,
    ),
  ]
  const start = cpuTime()
  assert.deepEqual(readFrontMatter(`---\n${bomb.join('\n')}\n---\n`), {})
  assert.deepEqual(readFrontMatter(`---\na: ${'['.repeat(50_000)}\n---\n`), {})
  assert.ok(cpuTime() - start < 5_000)
})

test('sets and takes away keys and leaves every other byte', () => {
  const source =
    '---\n# note\ndescription: >-\n  a\n  b\n\nicon: x # c\ntags:\n- a\n- b\nname:   kept\n---\n\n# T\n'
  assert.equal(
    editFrontMatter(source, { description: 'D', tags: undefined, hidden: true, name: 'kept' }),
    '---\n# note\ndescription: D\n\nicon: x # c\nname:   kept\nhidden: true\n---\n\n# T\n',
  )
  assert.equal(editFrontMatter('text', { icon: 'x' }), '---\nicon: x\n---\n\ntext')
  assert.equal(editFrontMatter('---\nicon: x\n---\n\ntext', { icon: undefined }), 'text')
  assert.equal(
    editFrontMatter('---\r\na: b\r\n---\r\nx', { icon: 'y' }),
    '---\r\na: b\r\nicon: y\r\n---\r\nx',
  )
  assert.equal(editFrontMatter('x', { icon: undefined }), 'x')
})

test('reads back any value that it sets', () => {
  const value = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((text) => text.toWellFormed().trim())
    .filter((text) => text !== '' && !text.includes('\0'))
  const source = '---\nname: kept\ndescription: old\nafter: |\n  a\n  b\n---\nbody\n'
  holds(
    fc.property(value, (description) => {
      const edited = editFrontMatter(source, { description })
      assert.equal(readFrontMatter(edited).description, description)
      assert.ok(
        edited.startsWith('---\nname: kept\n') && edited.endsWith('\nafter: |\n  a\n  b\n---\nbody\n'),
      )
    }),
  )
})

test('says what a page means in keys, with undefined for what it does not say', () => {
  const keys = frontMatterOf({ hidden: false, description: 'D' })
  assert.deepEqual([keys.description, keys.hidden, 'icon' in keys], ['D', undefined, true])
})

for (const corpus of CORPORA) {
  test(`sets a key of every page of ${corpus} and changes nothing else`, { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(corpus, 2)) {
      const edited = editFrontMatter(source, { icon: 'test-icon' })
      assert.equal(readFrontMatter(edited).icon, 'test-icon', path)
      assert.deepEqual(
        { ...readFrontMatter(edited), icon: undefined },
        { ...readFrontMatter(source), icon: undefined },
        path,
      )
      assert.ok(edited.endsWith(source.slice(frontMatterEnd(source))), path)
      assert.equal(editFrontMatter(source, frontMatterOf(readFrontMatter(source))), source, path)
    }
  })
}
