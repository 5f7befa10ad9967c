/** What reviews say about changes that are not in the text of a block. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineChanges, restyledTexts } from '../../src/console/app/diff/inline-changes.ts'
import {
  formatSettings,
  inlineSettings,
  type SettingChange,
  settingChanges,
} from '../../src/console/app/diff/setting-changes.ts'
import { nameOfField, pageSettings } from '../../src/console/app/diff/page-settings.ts'
import { compareTables } from '../../src/console/app/diff/table-changes.ts'
import { diffBlocks, diffEffort } from '../../src/core/content/edit/block-diff.ts'
import { wordChanges } from '../../src/core/content/edit/word-merge.ts'
import { leafText } from '../../src/core/document/leaf-text.ts'
import type { Block } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { inEnglish } from './words.ts'

function blockOf(source: string): Block {
  const [block] = parsePage(source).document.nodes
  assert(block, source)
  return block
}

/** A line for each setting: the part that has it, its name and both values. */
const lines = (changes: readonly SettingChange[]) =>
  changes.map(({ of, label, before, after }) =>
    [
      of ? `${inEnglish(of.what)} ${of.name}` : '',
      label ? inEnglish(label) : '',
      JSON.stringify(before),
      JSON.stringify(after),
    ].join('|'),
  )

const settingsOf = (before: string, after: string) => lines(settingChanges(blockOf(before), blockOf(after)))

function textOf(before: string, after: string) {
  const [was, is] = [blockOf(before), blockOf(after)]
  const words = wordChanges(leafText(was), leafText(is))
  return lines([...inlineSettings(inlineChanges(was, is)), ...formatSettings(restyledTexts(was, is, words))])
}

test('the settings of a block that differ are named as in the editor', () => {
  assert.deepEqual(
    settingsOf('{% hint style="info" %}\nA\n{% endhint %}', '{% hint style="danger" %}\nA\n{% endhint %}'),
    ['|Kind of hint|"info"|"danger"'],
  )
  assert.deepEqual(
    settingsOf(
      '{% code title="a.js" %}\n```js\n1\n```\n{% endcode %}',
      '{% code overflow="wrap" %}\n```ts\n1\n```\n{% endcode %}',
    ),
    ['|Language|"js"|"ts"', '|Title|"a.js"|', '|Long lines||"wrap"'],
  )
  assert.deepEqual(
    settingsOf(
      '<details>\n\n<summary>A</summary>\n\nB\n\n</details>',
      '<details open>\n\n<summary>A</summary>\n\nB\n\n</details>',
    ),
    ['|Open at first||true'],
  )
  const captioned = (caption: string) => `{% embed url="https://a.example" %}\n${caption}\n{% endembed %}`
  assert.deepEqual(settingsOf(captioned('One'), captioned('Two')), ['|Caption|"One"|"Two"'])
})

test('a value that is set to the default is no change', () => {
  const { paragraph } = BLOCKS
  const start = { ...paragraph.block, data: { align: 'start' as const } }
  assert.deepEqual(settingChanges(start, { ...paragraph.block, data: {} }), [])
  assert.equal(settingChanges(start, paragraph.block).length, 1)
})

test('the settings of every block with data are compared', () => {
  const unsaid = Object.values(BLOCKS).flatMap(({ block }) => {
    // The settings of a table are those of its view and columns.
    if (block.type === 'table' || JSON.stringify(block.data) === '{}') return []
    const without = { ...block, data: {} } as unknown as Block
    return settingChanges(without, block).length > 0 ? [] : [block.type]
  })
  assert.deepEqual(unsaid, [])
})

test('a task that is done, and lines that are highlighted, are settings', () => {
  const items = (source: string) => (blockOf(source) as { nodes: Block[] }).nodes[0]!
  assert.deepEqual(lines(settingChanges(items('- [ ] A'), items('- [x] A'))), ['|Task|false|true'])
  const code = (...highlighted: number[]): Block => ({
    ...BLOCKS.code.block,
    nodes: [1, 2, 3, 4].map((line) => ({
      ...BLOCKS['code-line'].block,
      data: highlighted.includes(line) ? { highlighted: true } : {},
    })),
  })
  assert.deepEqual(lines(settingChanges(code(1), code(1, 3, 4))), ['|Highlighted lines|"1"|"1, 3–4"'])
})

test('a link whose text stays has another address', () => {
  const url = (name: string) => JSON.stringify({ kind: 'url', url: `https://${name}.example` })
  assert.deepEqual(
    textOf(
      'See [a](https://a.example), [b](https://b.example).',
      'See [a](https://c.example), [b](https://b.example).',
    ),
    [`Link a||${url('a')}|${url('c')}`],
  )
  // Its text may change too, and a text may get a link or lose it.
  assert.deepEqual(textOf('See [a](https://a.example).', 'See [b](https://b.example).'), [
    `Link b||${url('a')}|${url('b')}`,
  ])
  assert.deepEqual(textOf('See a.', 'See [a](https://a.example).'), [`Link a|||${url('a')}`])
  assert.deepEqual(textOf('See [a](https://a.example).', 'See a.'), [`Link a||${url('a')}|`])
})

test('texts whose formatting differs are found, without those that moved', () => {
  assert.deepEqual(textOf('It is **very good** now.', 'It really is very *good* now.'), [
    `Text very ||${marks('bold')}|[]`,
    `Text good||${marks('bold')}|${marks('italic')}`,
  ])
  assert.deepEqual(textOf('It is **good** now.', 'Now it is **good**.'), [])
})

const marks = (type: string) => JSON.stringify([{ object: 'mark', type }])

test('inlines that a text shows are paired, and need no words', () => {
  const [was, is] = [blockOf('A $$a$$ and $$b$$ and $$c$$.'), blockOf('A $$a$$ and $$d$$ and $$c$$.')]
  const changes = inlineChanges(was, is)
  assert.deepEqual(
    changes.map((one) => [one.was?.inline.data, one.is?.inline.data, one.is?.start]),
    [[{ formula: 'b' }, { formula: 'd' }, 7]],
  )
  assert.deepEqual(inlineSettings(changes), [])
  const [change] = diffBlocks([was], [is])
  assert.equal(change?.change, 'changed')
})

test('the look of a table and the settings of its columns are compared', () => {
  const table = (attributes: string, column: string) => {
    const block = blockOf(
      `<table${attributes}><thead><tr><th>Name</th><th${column}>Price</th></tr></thead><tbody><tr><td>Lamp</td><td>3</td></tr></tbody></table>`,
    )
    assert(block.type === 'table')
    return block
  }
  const settings = (was: [string, string], is: [string, string]) => {
    const changes = compareTables(table(...was), table(...is), diffEffort())
    return { lines: lines(changes.settings), isChanged: changes.isChanged }
  }
  assert.deepEqual(settings(['', ''], [' data-view="cards"', '']), {
    lines: ['|Shown as|"grid"|"cards"', '|Size of cards||"medium"'],
    isChanged: false,
  })
  // A value that stays is no change of its cell, although its column has another type.
  assert.deepEqual(settings(['', ''], ['', ' data-type="number"']), {
    lines: ['Column Price|Type|"text"|"number"'],
    isChanged: false,
  })
  assert.deepEqual(settings(['', ' data-type="number"'], ['', ' data-type="number" data-hidden']).lines, [
    'Column Price|Hidden from readers||true',
  ])
  assert.deepEqual(settings(['', ' data-type="number"'], ['', ' data-type="number"']).lines, [])
})

test('the fields of a page are named as in its options, with their settings one by one', () => {
  const look = { width: 'default', cover: true, outline: true }
  assert.deepEqual(lines(pageSettings('layout', look, { ...look, width: 'wide', outline: false })), [
    'Layout |Width|"default"|"wide"',
    'Layout |Contents of the page|true|false',
  ])
  const url = (name: string) => ({ kind: 'url', url: `https://${name}.example` })
  assert.deepEqual(
    lines(pageSettings('cover', { ref: url('a'), yPos: 0 }, { ref: url('b'), yPos: 0, height: 200 })),
    [`Cover |Image|${JSON.stringify(url('a'))}|${JSON.stringify(url('b'))}`, 'Cover |Height||200'],
  )
  assert.deepEqual(lines(pageSettings('tags', null, [{ tag: 'a' }, { tag: 'b', primary: true }])), [
    '|Tags||["a","b"]',
    '|Main tag||"b"',
  ])
  assert.deepEqual(lines(pageSettings('variables', { a: 1, b: true }, { b: true, c: 'x' })), [
    'Variable a||"1"|',
    'Variable c|||"x"',
  ])
  assert.deepEqual(lines(pageSettings('hidden', undefined, true)), ['|Hide it in the navigation||true'])
  assert.deepEqual(
    ['if', 'coverY', 'owner', 'constructor'].map((name) => inEnglish(nameOfField(name))),
    ['Who sees this page', 'Cover', 'owner', 'constructor'],
  )
})
