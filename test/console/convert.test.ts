/** The editor of the console loses nothing: documents become nodes of ProseMirror and the same documents again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Node, NodeType, Schema } from 'prosemirror-model'
import type { Block } from '../../src/core/document/model.ts'
import { normal } from '../../src/core/document/normal-form.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { anyDocument } from '../core/documents.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../corpus.ts'
import { holds } from '../property.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { blockOf, nodeOf } = (await load('content/schema/convert.ts')) as {
  blockOf: (node: Node) => Block
  nodeOf: (block: Block) => Node
}
const { schema } = (await load('content/schema/schema.ts')) as { schema: Schema }

const said = (nodes: Block[]) => normal({ object: 'document', data: {}, nodes })

/** A block after it was a node, of which nothing is remembered. */
function forgotten(block: Block): Block {
  const node = schema.nodeFromJSON(nodeOf(block).toJSON())
  node.check()
  return blockOf(node)
}

function same(blocks: Block[]): void {
  for (const block of blocks) assert.equal(blockOf(nodeOf(block)), block)
  assert.deepEqual(said(blocks.map(forgotten)), said(blocks))
}

describe('a document that was shown in the editor', () => {
  for (const [type, { block }] of Object.entries(BLOCKS))
    test(`has the same ${type}`, () => {
      same([block])
    })

  test('says the same, whatever it says', () => {
    holds(
      fc.property(anyDocument, ({ nodes }) => {
        same(nodes)
      }),
    )
  })

  for (const corpus of CORPORA)
    test(`says the same in ${corpus}`, { skip: withoutCorpora }, () => {
      for (const [path, source] of pagesToTry(corpus, 1))
        try {
          same(parsePage(source).document.nodes)
        } catch (error) {
          throw new Error(path, { cause: error })
        }
    })

  test('has few blocks that cannot be edited', { skip: withoutCorpora }, () => {
    const others = new Map<string, number>()
    for (const [, source] of pagesToTry(CORPORA[0]!))
      for (const block of parsePage(source).document.nodes)
        nodeOf(block).descendants((node) => {
          if (node.type.name === 'other')
            others.set(node.attrs.block.type, (others.get(node.attrs.block.type) ?? 0) + 1)
        })
    assert.deepEqual(
      [...others].filter(([type]) => type !== 'table'),
      [],
    )
  })

  test('keeps two equal links beside each other, links around other inlines, and links without a text', () => {
    const text = (one: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: one, marks: [] }] })
    const link = (...nodes: object[]) => ({
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'url', url: 'https://example.com' } },
      nodes,
    })
    const emoji = { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f600' } }
    const note = {
      object: 'inline',
      type: 'annotation',
      data: {},
      nodes: [text('x'), link(text('y')), text('')],
    }
    const nodes = [
      text(''),
      link(text('a')),
      text(''),
      link(text('b'), emoji, text('')),
      text(''),
      link(text('')),
      text(''),
      note,
      text('z'),
    ]
    const block = { object: 'block', type: 'paragraph', data: {}, nodes } as unknown as Block
    same([block])
    assert.equal(schema.nodes.other !== undefined && nodeOf(block).type.name, 'paragraph')
  })
})

test('the editor knows which nodes have fields without having loaded these', async () => {
  const { blockType } = (await load('content/schema/node-names.ts')) as {
    blockType: (name: string) => string
  }
  const { FIELDS } = (await load('content/schema/fields.ts')) as { FIELDS: Record<string, readonly object[]> }
  const { hasFields } = (await load('content/schema/without-fields.ts')) as {
    hasFields: (type: NodeType) => boolean
  }
  for (const type of Object.values(schema.nodes))
    assert.equal(hasFields(type), (FIELDS[blockType(type.name)] ?? []).length > 0, type.name)
})
