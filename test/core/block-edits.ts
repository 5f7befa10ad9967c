/** Pages with blocks of every type, and random edits of their blocks as an editor sends them, for tests of writes. */
import fc from 'fast-check'
import type { BlockEntry } from '../../src/core/content/edit/edit-blocks.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import type { Block, BlockOf } from '../../src/core/document/model.ts'
import { isFootnote } from '../../src/core/document/normal-form.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { toDocument } from '../../src/core/document/to-document.ts'
import { BLOCKS } from './document/every-block.ts'
import { anyDocument } from './documents.ts'

/** Sources that nobody's editor prints: each has caused, or could cause, a fault. */
export const ODD_PAGES: readonly string[] = [
  '',
  '\n\n',
  '---\nicon: rocket\n---\n',
  '---\nicon: rocket\n---',
  '---\ntitle: From the front matter\n---\n\nOne line.\n',
  '# Only a title',
  '# Title\r\n\r\nOne line\r\nand more.\r\n\r\n* a\r\n* b\r\n\r\nEnd.\r\n',
  'One\r\n\nTwo\n\r\nThree\r\n',
  'No title, no line break at the end',
  '\ufeff# Title\n\nAfter a byte order mark.\n',
  'Title below\n===========\n\nHeading\n-------\n\ntext\n',
  'Same.\n\nSame.\n\nSame.\n\nSame.\n',
  '---\n\n---\n\n***\n\ntext\n\n---\n',
  'A word[^1] and another[^note].\n\nEnd[^1].\n\n[^1]: The first note.\n[^note]: The second\n    note of two lines.\n',
  'A word[^a].\n\n[^a]: Note.\n\n[^unused]: Nobody refers to this.\n\nBehind the notes.\n',
  'See [home] and [the other][2].\n\n[home]: https://a.example\n[2]: ../other.md "Title"\n\nEnd.\n',
  '<div align="center">\n\nIn the middle\n\n</div>\n\nBelow.\n',
  '<p>Raw <b>words</b></p>\n\ntext\n\n<!-- a comment\n\nof two parts -->\n\nmore\n',
  '<details>\n<summary>Why</summary>\n\nBecause.\n\n</details>\n\n<details><summary>And</summary>so</details>\n',
  '<table><thead><tr><th width="100">A</th><th data-hidden>B</th></tr></thead><tbody><tr><td>one</td><td>two</td></tr></tbody></table>\n\ntext\n',
  '| A | B |\n|---|:-:|\n| one | two |\n| three | four |\n\n|C|\n|-|\n|five|\n',
  '* a\n* b\n\n\n- c\n- d\n\n1. e\n2. f\n\n5) g\n\n- [ ] h\n- [x] i\n',
  '* a\n\n  * b\n\n    more of b\n* c\n\n  ```js\n  code()\n  ```\n',
  '> quoted\nlazy\n\n> more\n>\n> > deeper\n',
  '```js\nlet a = 1\n\nlet b = 2\n```\n\n    indented code\n\n~~~\nother\n~~~\n',
  '{% hint style="info" %}\nA hint.\n\n* in it\n{% endhint %}\n\n{% tabs %}\n{% tab title="One" %}\nfirst\n{% endtab %}\n{% tab title="Two" %}\nsecond\n{% endtab %}\n{% endtabs %}\n',
  '{% hint style="info" %}\nnever closed\n\ntext\n',
  'Words with *marks*, __more__ and `code`, <u>lines</u> and\\\nbreaks  \nof both kinds.\n\n$$\nx^2\n$$\n\n![](a.png)\n\n<figure><img src="b.png" alt=""><figcaption><p>Caption</p></figcaption></figure>\n',
  '中文字没有空格。第二句在这里。\n\n日本語のテキスト。\n',
  `${'<a>'.repeat(3000)}\n\nunreadable perhaps\n`,
  `${'*a '.repeat(200)}\n\nbehind a paragraph of signs\n`,
]

const HEADS = [
  '',
  '',
  '# Title\n\n',
  '---\nicon: rocket\ntags: [a]\n---\n\n#  Title\n\n\n',
  '---\ntitle: T\n---\n',
]

const everyBlock = Object.values(BLOCKS).map(({ block }): Block => block)
const printed = (nodes: Block[]) => printDocument({ object: 'document', data: {}, nodes })

/** The Markdown of pages. @param more sources besides */
export function anyPage(more: readonly string[] = []): fc.Arbitrary<string> {
  const body = fc.oneof(
    { weight: 3, arbitrary: anyDocument.map(printDocument) },
    { weight: 3, arbitrary: fc.shuffledSubarray(everyBlock, { maxLength: 6 }).map(printed) },
  )
  const made = fc
    .record({ head: fc.constantFrom(...HEADS), body, isWindows: fc.nat(5) })
    .map(({ head, body: text, isWindows }) =>
      isWindows === 0 ? (head + text).replace(/\r?\n/g, '\r\n') : head + text,
    )
  const fixed = [...ODD_PAGES, ...more]
  return fc.oneof({ weight: 2, arbitrary: made }, { weight: 1, arbitrary: fc.constantFrom(...fixed) })
}

/** One edit of a list of blocks, with numbers that are taken modulo the number of choices. */
export interface BlockStep {
  kind:
    | 'insert'
    | 'paragraph'
    | 'delete'
    | 'move'
    | 'add'
    | 'replace'
    | 'cut'
    | 'note'
    | 'extend'
    | 'shorten'
    | 'undo'
  on: number
  to: number
}

/** @param kinds the kinds of edits; by default all */
export function blockSteps(most: number, kinds?: BlockStep['kind'][]): fc.Arbitrary<BlockStep[]> {
  const kind = fc.constantFrom<BlockStep['kind']>(
    ...(kinds ??
      ([
        'insert',
        'paragraph',
        'delete',
        'move',
        'add',
        'add',
        'replace',
        'cut',
        'note',
        'extend',
        'shorten',
        'undo',
      ] as const)),
  )
  const number = fc.oneof(fc.nat(5), fc.nat(1000))
  return fc.array(fc.record({ kind, on: number, to: number }), { minLength: 1, maxLength: most })
}

/** An entry of a request, and the block that it stands for. */
export interface Draft {
  entry: BlockEntry
  block: Block
}

/** The blocks that an editor has of a page. */
export function draftsOf(source: string): Draft[] {
  const { nodes } = parsePage(source).document
  return nodes.map((block) => ({ entry: { keep: block.key! }, block }))
}

/** Applies the edits. Each new word begins with `name`, and is unlike all others of it. @returns the drafts and new words */
export function applySteps(
  drafts: readonly Draft[],
  steps: readonly BlockStep[],
  name: string,
  earlier: readonly (readonly Draft[])[] = [],
): Draft[] {
  let now = [...drafts]
  steps.forEach(({ kind, on, to }, i) => {
    const word = `${name}${i}x`
    const at = on % (now.length + 1)
    if (kind === 'undo') {
      const back = [drafts, ...earlier][to % (earlier.length + 1)]!
      now = [...back]
      return
    }
    if (kind === 'insert') {
      const block = withWord(everyBlock[to % everyBlock.length]!, to, 'add', word)
      if (block) now.splice(at, 0, { entry: { block }, block })
      return
    }
    if (kind === 'paragraph' || kind === 'note') {
      const block = kind === 'note' ? noted(word) : plain(word)
      now.splice(at, 0, { entry: { block }, block })
      return
    }
    const draft = now[at]
    if (!draft || isFootnote(draft.block)) return
    if (kind === 'delete') now.splice(at, 1)
    else if (kind === 'move') now.splice(to % now.length, 0, ...now.splice(at, 1))
    else {
      const block =
        kind === 'extend' || kind === 'shorten'
          ? withPart(draft.block, to, kind, word)
          : withWord(draft.block, to, kind, word)
      if (block) now[at] = { entry: { block }, block }
    }
  })
  return now
}

const text = (words: string) => ({
  object: 'text' as const,
  leaves: [{ object: 'leaf' as const, text: words, marks: [] }],
})
const plain = (word: string): Block => ({ object: 'block', type: 'paragraph', data: {}, nodes: [text(word)] })
const noted = (word: string): Block => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [
    text(`Text ${word}a`),
    {
      object: 'inline',
      type: 'annotation',
      data: {},
      nodes: [text(`of${word}`)],
      fragments: [{ object: 'fragment', type: 'annotation-body', nodes: [plain(`${word}b`)] }],
    },
    text(''),
  ],
})

/** The block as a client sends it, with a word more, in place of another, or less; undefined if it has no words. */
function withWord(
  block: Block,
  seed: number,
  kind: 'add' | 'replace' | 'cut',
  word: string,
): Block | undefined {
  const sent = sentBlock(block)
  const leaf = chosen(
    sent,
    seed,
    (one) => typeof one['text'] === 'string' && /[\p{L}\p{N}]/u.test(one['text']),
  )
  if (!leaf) return undefined
  const old = String(leaf['text'])
  const words = [...old.matchAll(/[\p{L}\p{N}]+/gu)]
  const { index, 0: was } = words[seed % words.length]!
  const fresh = { add: `${was} ${word}`, replace: word, cut: words.length > 1 ? '' : word }[kind]
  leaf['text'] = old.slice(0, index) + fresh + old.slice(index + was.length)
  return received(sent, block)
}

/** The block with an item, a line, a row or a column more or less; undefined if it has none. */
function withPart(block: Block, seed: number, kind: 'extend' | 'shorten', word: string): Block | undefined {
  const sent = sentBlock(block)
  const whole = chosen(
    sent,
    seed,
    ({ type, nodes }) => type === 'table' || (nodes as Node[] | undefined)?.[0]?.['object'] === 'block',
  )
  if (!whole) return undefined
  if (whole['type'] === 'table') changeTable(whole as unknown as BlockOf<'table'>, seed, kind, word)
  else {
    const nodes = whole['nodes'] as Node[]
    const at = seed % nodes.length
    if (kind === 'shorten' && nodes.length > 1) nodes.splice(at, 1)
    else {
      const copy = structuredClone(nodes[at]!)
      const leaf = chosen(copy, 0, (one) => typeof one['text'] === 'string')
      if (!leaf) return undefined
      leaf['text'] = word
      nodes.splice(at, 0, copy)
    }
  }
  return received(sent, block)
}

function changeTable(
  { data, fragments }: BlockOf<'table'>,
  seed: number,
  kind: 'extend' | 'shorten',
  word: string,
): void {
  const texts = Object.values(data.definition).filter(({ type }) => type === 'text')
  const column = texts[seed % Math.max(1, texts.length)]?.id
  if (column === undefined) return
  if (kind === 'shorten' && data.view.columns.length > 1) {
    delete data.definition[column]
    data.view.columns = data.view.columns.filter((id) => id !== column)
    for (const { values } of Object.values(data.records)) delete values[column]
    return
  }
  const orders = Object.values(data.records)
    .map(({ orderIndex }) => orderIndex)
    .toSorted()
  data.records[word] = {
    orderIndex: `${orders[seed % Math.max(1, orders.length)] ?? 'a'}5`,
    values: { [column]: `cell-${word}` },
  }
  fragments!.push({ object: 'fragment', fragment: `cell-${word}`, nodes: [plain(word)] })
}

type Node = Record<string, unknown>

const sentBlock = (block: Block) =>
  structuredClone(toDocument({ object: 'document', data: {}, nodes: [block] })).nodes[0] as unknown as Node

/** One of the nodes within a node, or itself, that are of a kind. */
function chosen(node: Node, seed: number, isOne: (node: Node) => boolean): Node | undefined {
  const found: Node[] = []
  const open = [node]
  for (let one = open.pop(); one; one = open.pop()) {
    if (isOne(one)) found.push(one)
    for (const inner of ['fragments', 'nodes', 'leaves'])
      for (const child of (one[inner] ?? []) as Node[]) open.push(child)
  }
  return found[seed % Math.max(1, found.length)]
}

/** The block as the server reads it. */
function received(sent: Node, { key }: Block): Block | undefined {
  const read = readDocument({ nodes: [JSON.parse(JSON.stringify(sent))] })
  return isFault(read) ? undefined : { ...read.nodes[0]!, ...(key === undefined ? {} : { key }) }
}
