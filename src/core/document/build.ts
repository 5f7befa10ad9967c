import type {
  Align,
  Block,
  BlockData,
  BlockOf,
  BlockType,
  Fragment,
  Inline,
  InlineData,
  InlineOf,
  InlineType,
  TextLeaf,
  Mark,
  Text,
  VoidBlockType,
  VoidInlineType,
} from './model.ts'

/** A part of a line: a run of text with its marks, or an inline. */
export type InlineRun = { text: string; marks: Mark[] } | Inline

/** The inlines and texts of a paragraph, heading or code line. */
export type Line = (Text | Inline)[]

/** A block with child nodes. */
export function block<T extends Exclude<BlockType, VoidBlockType>>(
  type: T,
  data: BlockData[T],
  nodes: BlockOf<T>['nodes'],
): BlockOf<T> {
  return { object: 'block', type, data, nodes } as unknown as BlockOf<T>
}

/** A block without child nodes; fragments hold its caption, title, body or cells. */
export function voidBlock<T extends VoidBlockType>(
  type: T,
  data: BlockData[T],
  fragments: Fragment[] = [],
): BlockOf<T> {
  const void_ = { object: 'block', type, isVoid: true, data }
  return (fragments.length > 0 ? { ...void_, fragments } : void_) as unknown as BlockOf<T>
}

/** An inline without child nodes. */
export function voidInline<T extends VoidInlineType>(type: T, data: InlineData[T]): InlineOf<T> {
  return { object: 'inline', type, isVoid: true, data } as unknown as InlineOf<T>
}

/** An inline around other inlines. */
export function inline<T extends Exclude<InlineType, VoidInlineType>>(
  type: T,
  data: InlineData[T],
  nodes: Line,
  fragments: Fragment[] = [],
): InlineOf<T> {
  const around = { object: 'inline', type, data, nodes }
  return (fragments.length > 0 ? { ...around, fragments } : around) as unknown as InlineOf<T>
}

/** One text of one leaf. */
export function text(value: string, marks: Mark[] = []): Text {
  return { object: 'text', leaves: [leaf(value, marks)] }
}

/** A paragraph of plain text, or of the given line. */
export function paragraph(content: string | Line = '', align?: Align): BlockOf<'paragraph'> {
  const nodes = typeof content === 'string' ? [text(content)] : content
  return block('paragraph', align === undefined ? {} : { align }, nodes)
}

/** A fragment by name; `type` repeats the name where the API has both. */
export function fragment(name: string, nodes: Block[], type?: string): Fragment {
  return type === undefined
    ? { object: 'fragment', fragment: name, nodes }
    : { object: 'fragment', fragment: name, type, nodes }
}

/** Blocks to put in a container, which is never empty. */
export function filled(nodes: Block[]): Block[] {
  return nodes.length > 0 ? nodes : [paragraph()]
}

/** True for the block an empty container holds: a paragraph without text, inlines or alignment. */
export function isBlankLine(node: Block | undefined): boolean {
  return (
    node?.type === 'paragraph' &&
    node.data.align === undefined &&
    node.nodes.every((child) => child.object === 'text' && child.leaves.every((part) => part.text === ''))
  )
}

/**
 * Joins runs to a line. Neighbours with equal marks become one leaf, and empty runs are dropped. Every inline is
 * between two texts, so a line always begins and ends with a text.
 */
export function line(runs: readonly InlineRun[]): Line {
  const nodes: Line = []
  let leaves: TextLeaf[] = []

  for (const run of runs) {
    if (!('marks' in run)) {
      nodes.push({ object: 'text', leaves: leaves.length > 0 ? leaves : [leaf('', [])] }, run)
      leaves = []
      continue
    }
    if (run.text === '') continue
    const last = leaves.at(-1)
    if (last && sameMarks(last.marks, run.marks)) last.text += run.text
    else leaves.push(leaf(run.text, run.marks))
  }

  nodes.push({ object: 'text', leaves: leaves.length > 0 ? leaves : [leaf('', [])] })
  return nodes
}

/** True if both lists hold the same marks, whatever their order. */
export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark) => b.some((other) => sameMark(mark, other)))
}

/** True if both marks have one type and one colour. */
export function sameMark(a: Mark, b: Mark): boolean {
  if (a.type === 'color' && b.type === 'color')
    return a.data.text === b.data.text && a.data.background === b.data.background
  return a.type === b.type
}

/** The marks with one more. A colour inside a colour gives one mark, in which the inner colour takes precedence. */
export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  const outer = marks.find((other) => other.type === mark.type)
  const others = marks.filter((other) => other !== outer)
  if (mark.type !== 'color' || outer?.type !== 'color') return [...others, mark]
  return [...others, { ...mark, data: { ...outer.data, ...mark.data } }]
}

/** The object without the keys whose value is undefined, so that equal data are equal JSON. */
export function defined<T extends object>(data: T): T {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as T
}

function leaf(value: string, marks: Mark[]): TextLeaf {
  return { object: 'leaf', text: value, marks }
}
