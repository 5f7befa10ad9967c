import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import { leastCost } from '../../../../test/cpu.ts'
import { BLOCKS } from '../../../../test/core/document/every-block.ts'
import { isOneLine, type WordEdit, wordEdits } from '../../../../test/core/word-edits.ts'
import { isLongRun, stepOf } from '../../../../test/effort.ts'
import { holds } from '../../../../test/property.ts'
import type { Block, ContentRef, Document } from '../../document/model.ts'
import { isFootnote, normalText } from '../../document/normal-form.ts'
import { parsePage } from '../../document/parse.ts'
import { mapReferences, referenceKey } from '../../document/links/references.ts'
import { type BlockEntry, editBlocks, type EditedBlocks } from './edit-blocks.ts'
import { because } from '../../languages/reasons.ts'

function edited(
  source: string,
  entries: BlockEntry[],
  references = new Map<string, ContentRef>(),
): EditedBlocks {
  const result = editBlocks({ source, references, entries })
  assert('source' in result, JSON.stringify(result))
  return result
}

const keysOf = (source: string) => parsePage(source).document.nodes.map(({ key }) => key!)
const paragraphOf = (text: string, key?: string): { block: Block } => ({
  block: {
    object: 'block',
    type: 'paragraph',
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    ...(key === undefined ? {} : { key }),
  },
})

const PAGE = `---
icon: rocket
---

#  Title

One __bold__ line
that wraps.
* a
* b

[Far](../far.md)   and wide.

`

test('keeps bytes, and writes one changed word', () => {
  const [first, list, far] = keysOf(PAGE) as [string, string, string]
  const same = edited(PAGE, [{ keep: first }, { keep: list }, { keep: far }])
  assert.equal(same.source, PAGE)
  assert.deepEqual(same.origins, [first, list, far])

  const { block } = { block: structuredClone(parsePage(PAGE).document.nodes[0]!) }
  const last = (block.nodes as { leaves: { text: string }[] }[]).at(-1)!.leaves.at(-1)!
  last.text = last.text.replace('wraps', 'ends')
  assert.equal(edited(PAGE, [{ block }, { keep: list }, { keep: far }]).source, PAGE.replace('wraps', 'ends'))
})

test('inserts, deletes and moves blocks', () => {
  const [first, list, far] = keysOf(PAGE) as [string, string, string]
  const head = PAGE.slice(0, PAGE.indexOf('One'))
  const line = 'One __bold__ line\nthat wraps.'
  const link = '[Far](../far.md)   and wide.'
  assert.equal(
    edited(PAGE, [{ keep: far }, paragraphOf('New *text*'), { keep: list }, { keep: first }]).source,
    `${head}${link}\n\nNew \\*text\\*\n\n* a\n* b\n\n${line}\n`,
  )
  assert.equal(edited(PAGE, [{ keep: list }, { keep: far }]).source, `${head}* a\n* b\n\n${link}\n\n`)
  assert.equal(edited(PAGE, []).source, '---\nicon: rocket\n---\n\n#  Title\n')
  assert.equal(edited('', [paragraphOf('First')]).source, 'First\n')
})

test('refuses keys that the page does not have, or twice', () => {
  const [first = ''] = keysOf(PAGE)
  const fault = (entries: BlockEntry[]) => editBlocks({ source: PAGE, references: new Map(), entries })
  assert.deepEqual(fault([{ keep: first }, { keep: 'x' }]), {
    entry: 1,
    ...because('block-not-of-page', { key: 'x' }),
  })
  assert.deepEqual(fault([{ keep: first }, { keep: first }]), {
    entry: 1,
    ...because('block-kept-twice', { key: first }),
  })
})

test('keeps line breaks of Windows, footnotes, definitions, and lists apart', () => {
  const windows = '# T\r\n\r\nOne word\r\n\r\nTwo\r\n'
  const [one, two] = keysOf(windows) as [string, string]
  assert.equal(
    edited(windows, [paragraphOf('Two words', one), { keep: two }, paragraphOf('Three')]).source,
    '# T\r\n\r\nTwo words\r\n\r\nTwo\r\n\r\nThree\r\n',
  )

  const noted = 'A word[^1] and [a link][home].\n\nEnd.\n\n[^1]: The note.\n\n[home]: https://a.example\n'
  const { nodes } = parsePage(noted).document
  const [text] = structuredClone(nodes) as [Block]
  const leaf = (text.nodes as { leaves?: { text: string }[] }[])[2]!.leaves![0]!
  leaf.text = leaf.text.replace('and', 'or')
  const rest = nodes.slice(1).map(({ key }) => ({ keep: key! }))
  assert.equal(edited(noted, [{ block: text }, ...rest]).source, noted.replace('and', 'or'))
  // Without its definitions, the text is printed with what they said.
  const alone = edited(noted, [{ keep: nodes[0]!.key! }, { keep: nodes[1]!.key! }]).source
  assert.match(alone, /A word\[\^2\] and \[a link\]\(https:\/\/a\.example\/?\)/)
  assert.match(alone, /\[\^2\]: The note\./)

  const lists = 'Between\n\n* a\n* b\n\nText\n\n* c\n'
  const [between, ab, , c] = keysOf(lists) as [string, string, string, string]
  const apart = edited(lists, [{ keep: between }, { keep: ab }, { keep: c }])
  assert.deepEqual(
    parsePage(apart.source).document.nodes.map(({ type }) => type),
    ['paragraph', 'list-unordered', 'list-unordered'],
  )
})

test('a block that Markdown cannot say as it is sent does not reformat the others', () => {
  const [first, list, far] = keysOf(PAGE) as [string, string, string]
  const blocks: Block[] = [
    { object: 'block', type: 'list-unordered', data: {}, nodes: [] },
    { object: 'block', type: 'paragraph', data: {}, nodes: [] },
    { object: 'block', type: 'list-item', data: {}, nodes: [paragraphOf('a').block, paragraphOf('b').block] },
    { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: 'short' } } },
    ...Object.values(BLOCKS).map(({ block }) => block),
  ]
  for (const block of blocks) {
    const { source, entryOf } = edited(PAGE, [{ keep: first }, { block }, { keep: list }, { keep: far }])
    for (const kept of ['One __bold__ line\nthat wraps.', '* a\n* b', '[Far](../far.md)   and wide.'])
      assert(source.includes(kept), `${block.type}: ${source}`)
    assert.deepEqual([...new Set(entryOf)], entryOf.includes(1) ? [0, 1, 2, 3] : [0, 2, 3], block.type)
  }
})

function readsBack({ wanted, references, path }: WordEdit, source: string): void {
  const read = mapReferences(parsePage(source).document, (ref) => references.get(referenceKey(ref)) ?? ref)
  const says = ({ nodes }: Document) =>
    nodes.flatMap((block) => (isFootnote(block) ? [] : [normalText(block)]))
  assert.deepEqual(says(read), says(wanted), path)
}

const MANUAL = new URL('../../../../docs/', import.meta.url)
const manual = readdirSync(MANUAL)
  .filter((name) => name.endsWith('.md'))
  .map((name): [string, string] => [name, readFileSync(new URL(name, MANUAL), 'utf8')])

test(
  'edits of one word in real pages read back equal, change one line, and rewrite no link',
  { skip: withoutCorpora },
  () => {
    const pages = [...CORPORA.flatMap((corpus) => pagesToTry(corpus)), ...manual].filter(
      (_, nth) => nth % stepOf(2, 3) === 0,
    )
    for (const isWhole of [false, true]) {
      let [all, exact] = [0, 0]
      for (const edit of wordEdits(pages, isWhole)) {
        const { source } = edited(edit.source, edit.entries, edit.references)
        readsBack(edit, source)
        const isOne = isOneLine(edit.source, source)
        all++
        if (isOne) exact++
        const addresses = (text: string) => (text.match(/\]\([^)\s]*\)/g) ?? []).toSorted()
        if (!addresses(source).some((address) => address.includes('Changed')) && isOne)
          assert.deepEqual(addresses(source), addresses(edit.source), edit.path)
      }
      assert(exact >= 0.98 * all, `${exact} of ${all} edits change one line`)
    }
  },
)

test('any order of kept, changed and new blocks reads back equal', { skip: withoutCorpora }, () => {
  const pages = [...pagesToTry(CORPORA[0]!), ...manual].filter(([, source]) => source.length < 20_000)
  const moves = fc.array(
    fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('delete', 'move', 'insert', 'change')),
    { maxLength: 8 },
  )
  holds(
    fc.property(fc.nat(pages.length - 1), moves, (at, edits) => {
      const [path, source] = pages[at]!
      const nodes = parsePage(source).document.nodes.filter(
        (block) => !isFootnote(block) && block.type !== 'html',
      )
      if (nodes.length < parsePage(source).document.nodes.length) return
      let entries: { entry: BlockEntry; block: Block }[] = nodes.map((block) => ({
        entry: { keep: block.key! },
        block,
      }))
      for (const [from, to, kind] of edits) {
        const [start, end] = [from % (entries.length + 1), to % (entries.length + 1)]
        const fresh = paragraphOf(`New ${from} * ${to}`)
        if (kind === 'insert') entries.splice(start, 0, { entry: fresh, block: fresh.block })
        if (start === entries.length) continue
        if (kind === 'delete') entries.splice(start, 1)
        if (kind === 'move') entries.splice(Math.min(end, entries.length), 0, ...entries.splice(start, 1))
        if (kind === 'change') {
          const { entry } = entries[start]!
          const other = paragraphOf(`Now ${to}`, 'keep' in entry ? entry.keep : entry.block.key)
          entries[start] = { entry: other, block: other.block }
        }
      }
      const wanted: Document = { object: 'document', data: {}, nodes: entries.map(({ block }) => block) }
      const { source: after } = edited(
        source,
        entries.map(({ entry }) => entry),
      )
      readsBack({ path, source, references: new Map(), wanted, entries: [] }, after)
    }),
    { cases: 3000 },
  )
})

test('a large page costs in proportion to its size', async () => {
  const page = (count: number) =>
    Array.from({ length: count }, (_, i) => `Paragraph ${i} with *some* words.\n\n`).join('')
  const cost = async (count: number) => {
    const source = page(count)
    const entries: BlockEntry[] = keysOf(source).map((keep) => ({ keep }))
    entries[3] = paragraphOf('Changed', keysOf(source)[3])
    return leastCost(0, () => edited(source, entries))
  }
  const small = isLongRun() ? 2_000 : 1_000
  assert((await cost(4 * small)) < 16 * (await cost(small)) + 5)
})

/** The words of a document that are under no condition, and those that are. */
function wordsOf({ nodes }: Document): { shown: string; hidden: string } {
  const found = { shown: '', hidden: '' }
  const addAll = (all: readonly { type?: string; text?: string }[], place: 'shown' | 'hidden') => {
    for (const node of all) {
      found[place] += (node.text ?? '').replace(/[^a-z]+/gi, ' ').trim()
      const inner = node as { nodes?: []; leaves?: []; type?: string }
      addAll([...(inner.leaves ?? []), ...(inner.nodes ?? [])], inner.type === 'if' ? 'hidden' : place)
    }
  }
  addAll(nodes, 'shown')
  return found
}

test('HTML or a condition without an end in a page hides and opens no words of blocks that are added', () => {
  const pages = [
    '<!--\n',
    '<?x\n',
    '<script>\n',
    '<!-- {% if a %}\n\nSecret\n',
    '{% if a %}\n\n<!--\n\nSecret\n',
    '{% if a %}\n\nSecret\n\n{% endif %}\n\n<!--\n',
    'Words\n\n{% if a %}\n\nSecret\n',
    'Words\n\n<!-- done -->\n',
  ]
  const html = (written: string): Block => ({
    object: 'block',
    type: 'html',
    isVoid: true,
    data: { html: written },
  })
  const added: Block[] = [
    paragraphOf('New words').block,
    html('<b>--></b>'),
    html('-->'),
    { object: 'block', type: 'if', data: { expression: 'c' }, nodes: [paragraphOf('Another secret').block] },
  ]
  let refused = 0
  for (const source of pages)
    for (const block of added) {
      const { document } = parsePage(source)
      const { nodes } = document
      for (let at = 0; at <= nodes.length; at++) {
        const kept = nodes.map(({ key }): BlockEntry => ({ keep: key! }))
        const result = editBlocks({
          source,
          references: new Map(),
          entries: kept.toSpliced(at, 0, { block }),
        })
        if ('message' in result) {
          assert.equal(result.entry, -1)
          refused++
          continue
        }
        const meant = wordsOf({ ...document, nodes: nodes.toSpliced(at, 0, block) })
        assert.deepEqual(
          wordsOf(parsePage(result.source).document),
          meant,
          `${source} with ${JSON.stringify(block)}`,
        )
      }
    }
  assert(refused > 0)
  const appended = (source: string) => {
    const entries = [...keysOf(source).map((keep) => ({ keep })), paragraphOf('New')]
    return editBlocks({ source, references: new Map(), entries })
  }
  assert.match((appended('Words\n\n<!-- note\n') as { message?: string }).message ?? '', /has no end/)
  assert('source' in appended('Words\n\n<!-- note -->\n'))
})

test('regions of a change that begin before the one before them ends are written too', () => {
  const [before, now] = ['a\n#\n#\n# a\n#', 'C\n#\n#\na\nt\n\n*']
  const keys = keysOf(before)
  const fresh = parsePage(now).document.nodes
  const entries = fresh.map((block, i) => ({ block: { ...block, ...(keys[i] && { key: keys[i] }) } }))
  const { source } = edited(before, entries)
  assert.deepEqual(parsePage(source).document.nodes.map(normalText), fresh.map(normalText))
})
