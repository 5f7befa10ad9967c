import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block, BlockOf, Document } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'
import { parsePage } from '../../document/parse.ts'
import { isFault, readDocument } from '../../document/shape/check.ts'
import { toDocument } from '../../document/to-document.ts'
import { editBlocks } from './edit-blocks.ts'

const paragraph = (text: string): Block => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})

const item = (text: string, checked?: boolean): BlockOf<'list-item'> => ({
  object: 'block',
  type: 'list-item',
  data: checked === undefined ? {} : { checked },
  nodes: [paragraph(text)],
})

type Items = Block[]

/** The items of the list that is the block at a path of indexes. */
function itemsAt({ nodes }: Document, path: readonly number[]): Items {
  return path.reduce((blocks, index) => blocks[index]!.nodes as Items, nodes)
}

/** Lists, an edit of the items of the list at a path, and the source after it. */
const EDITS: Record<string, [source: string, path: number[], edit: (items: Items) => void, after: string]> = {
  'adds an item with the sign of the others': [
    '- a\n- b\n\nText.\n',
    [0],
    (items) => items.push(item('New')),
    '- a\n- b\n- New\n\nText.\n',
  ],
  'adds an item before the first': [
    '+ a\n+ b\n',
    [0],
    (items) => items.unshift(item('New')),
    '+ New\n+ a\n+ b\n',
  ],
  'splits an item': [
    '- one two\n- b\n',
    [0],
    (items) => items.splice(0, 1, { ...items[0]!, nodes: [paragraph('one')] } as Block, item('two')),
    '- one\n- two\n- b\n',
  ],
  'changes an item and adds another behind it': [
    '- one\n- b\n',
    [0],
    (items) =>
      items.splice(1, 1, { ...items[1]!, nodes: [paragraph('b more')] } as Block, item('c'), item('d')),
    '- one\n- b more\n- c\n- d\n',
  ],
  'keeps an empty line between the items': [
    '* a\n\n* b\n',
    [0],
    (items) => items.splice(1, 0, item('New')),
    '* a\n\n* New\n\n* b\n',
  ],
  'keeps the space behind the signs': [
    '-   a\n\n    more\n-   b  \n',
    [0],
    (items) => items.push({ ...item('New'), nodes: [paragraph('New'), paragraph('lines')] }),
    '-   a\n\n    more\n-   b  \n-   New\n\n    lines\n',
  ],
  'renumbers the items behind a new one': [
    '1. a\n2. b\n3. c\n',
    [0],
    (items) => items.splice(1, 0, item('New')),
    '1. a\n2. New\n3. b\n4. c\n',
  ],
  'renumbers the items behind a deleted one': [
    '3) a\n4) b\n5) c\n',
    [0],
    (items) => items.splice(1, 1),
    '3) a\n4) c\n',
  ],
  'keeps numbers that do not ascend': [
    '1. a\n1. b\n',
    [0],
    (items) => items.splice(1, 0, item('New')),
    '1. a\n1. New\n1. b\n',
  ],
  'keeps a number that would become longer': [
    '8. a\n9. b\n\n   more\n',
    [0],
    (items) => items.splice(1, 0, item('New')),
    '8. a\n9. New\n9. b\n\n   more\n',
  ],
  'adds a task': [
    '- [x] a\n- [ ] b\n',
    [0],
    (items) => items.splice(1, 0, item('New', false)),
    '- [x] a\n- [ ] New\n- [ ] b\n',
  ],
  'deletes the first, the last and other items': [
    '- a\n- b\n- c\n- d\n\nText.\n',
    [0],
    (items) => {
      items.splice(3, 1)
      items.splice(0, 2)
    },
    '- c\n\nText.\n',
  ],
  'adds an item to a list in an item of a quote': [
    '> - a\n>   1.  b\n>   2.  c\n> - d\n',
    [0, 0, 0, 1],
    (items) => items.splice(1, 0, item('New')),
    '> - a\n>   1.  b\n>   2.  New\n>   3.  c\n> - d\n',
  ],
  'adds an item with the line breaks of Windows': [
    '- a\r\n- b\r\n',
    [0],
    (items) => items.splice(1, 0, item('New')),
    '- a\r\n- New\r\n- b\r\n',
  ],
  'adds a list to an item': [
    '-  a\n-  b\n',
    [0, 0],
    (blocks) => blocks.push({ object: 'block', type: 'list-unordered', data: {}, nodes: [item('New')] }),
    '-  a\n   * New\n-  b\n',
  ],
  'marks a task as done': [
    '- [ ] a\n- [ ] b\n',
    [0],
    (items) => {
      ;(items[1] as BlockOf<'list-item'>).data.checked = true
    },
    '- [ ] a\n- [x] b\n',
  ],
}

for (const [name, [source, path, edit, after]] of Object.entries(EDITS))
  test(name, () => {
    const { document } = parsePage(source)
    const sent = JSON.parse(JSON.stringify(toDocument(document))) as Document
    edit(itemsAt(sent, path))
    const wanted = readDocument(sent)
    assert(!isFault(wanted))
    const entries = wanted.nodes.map((block, nth) => ({
      block: { ...block, key: document.nodes[nth]!.key! },
    }))
    const result = editBlocks({ source, references: new Map(), entries })
    assert('source' in result)
    assert.deepEqual(parsePage(result.source).document.nodes.map(normalText), wanted.nodes.map(normalText))
    assert.equal(result.source, after)
  })
