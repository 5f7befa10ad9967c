import { canonical } from '../data/json.ts'
import { filled, isBlankLine, line, sameMarks } from './build.ts'
import type { InlineRun } from './build.ts'
import { withNaturalSpaces } from './markdown/print/natural-spaces.ts'
import type { Block, CellValue, Document, Fragment, Mark, TableData } from './model.ts'

/**
 * The document without what Markdown does not carry: keys, computed anchors, how a run of text is cut into leaves,
 * the order of marks, empty values, the space beside line breaks and at the ends of bold text, the names of columns and records. Two documents that say the same are equal
 * after it.
 */
export function normal(document: Document): Document {
  return plainJson({ ...document, data: {}, nodes: normalBlocks(document.nodes) })
}

/** Returns the normal form of a block as text: blocks with the same content have the same text. See `normal`. */
export function normalText(block: Block): string {
  return JSON.stringify(canonical(normalBlock(block)))
}

/** Through JSON, as documents are sent: keys without a value disappear. */
function plainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function normalBlocks(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => !isFootnote(block)).map(normalBlock)
}

/** The blocks within a block. One that has only definitions of footnotes is printed as an empty one. */
function normalInner(blocks: readonly Block[]): Block[] {
  const inner = normalBlocks(blocks)
  return blocks.length > 0 ? filled(inner) : inner
}

/** Whether a block is the definition of a footnote, whose content is in the annotations too. */
export function isFootnote(block: Block): boolean {
  return block.type === 'html' && block.data.html === '' && (block.data.markdown ?? '').startsWith('[^')
}

function normalBlock(block: Block): Block {
  const { key: _key, meta: _meta, ...rest } = block
  if (block.type === 'table') return normalTable(block)
  const nodes = block.nodes?.some((node) => node.object !== 'block')
    ? normalLine(block.nodes as Parameters<typeof normalLine>[0])
    : block.nodes && normalInner(block.nodes as Block[])
  const fragments = block.fragments?.map(normalFragment)
  return clean({ ...rest, nodes, fragments }) as Block
}

function normalFragment(fragment: Fragment): Fragment {
  const { key: _key, ...rest } = fragment
  return { ...rest, nodes: normalBlocks(fragment.nodes) }
}

function normalLine(nodes: Parameters<typeof runsOf>[0], isWhole = true): ReturnType<typeof line> {
  return line(withNaturalSpaces(runsOf(nodes), isWhole))
}

function runsOf(nodes: ReturnType<typeof line>): InlineRun[] {
  const runs: InlineRun[] = []
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const leaf of node.leaves) {
        const marks = sorted(leaf.marks)
        const last = runs.at(-1)
        if (last && 'marks' in last && sameMarks(last.marks, marks)) last.text += leaf.text
        else if (leaf.text !== '') runs.push({ text: leaf.text, marks })
      }
      continue
    }
    const { key: _key, ...rest } = node
    const inner = node.nodes && normalLine(node.nodes, false)
    runs.push(clean({ ...rest, nodes: inner, fragments: node.fragments?.map(normalFragment) }) as InlineRun)
  }
  return runs
}

function sorted(marks: readonly Mark[]): Mark[] {
  return marks
    .map((mark) => clean(mark) as Mark)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function normalTable(block: Block & { type: 'table' }): Block {
  // Markdown lists the visible columns first, then the hidden ones.
  const { definition, view: shown } = block.data
  const columns = Object.values(definition).toSorted((a, b) => place(a.id, shown) - place(b.id, shown))
  const names = new Map(columns.map((column, index) => [column.id, `c${index + 1}`]))
  const fragments: Fragment[] = []
  const named = new Map((block.fragments ?? []).map((one) => [one.fragment, one.nodes]))
  const ordered = Object.values(block.data.records).toSorted((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
  const records = ordered.map((record, index) => {
    const values = columns.flatMap((column): [string, CellValue][] => {
      const value = record.values[column.id] ?? null
      const name = names.get(column.id) ?? ''
      if (value === null || (Array.isArray(value) && value.length === 0)) return []
      if (column.type !== 'text') return [[name, value]]
      const nodes = typeof value === 'string' ? (named.get(value) ?? []) : []
      if (nodes.length === 0 || (nodes.length === 1 && isBlankLine(nodes[0]))) return []
      fragments.push({ object: 'fragment', fragment: `r${index + 1}-${name}`, nodes: normalBlocks(nodes) })
      return [[name, `r${index + 1}-${name}`]]
    })
    return [`r${index + 1}`, { orderIndex: String(index), values: Object.fromEntries(values) }] as const
  })
  const renamed = (id: string | undefined) => (id === undefined ? undefined : names.get(id))
  const { view } = block.data
  const data: TableData = {
    ...block.data,
    view: clean(
      view.type === 'grid'
        ? {
            ...view,
            columns: view.columns.map((id) => renamed(id) ?? id),
            columnWidths:
              view.columnWidths &&
              Object.fromEntries(
                Object.entries(view.columnWidths).map(([id, width]) => [renamed(id) ?? id, width]),
              ),
          }
        : {
            ...view,
            columns: view.columns.map((id) => renamed(id) ?? id),
            targetDefinition: renamed(view.targetDefinition),
            coverDefinition: renamed(view.coverDefinition),
            coverDefinitionDark: renamed(view.coverDefinitionDark),
          },
    ) as TableData['view'],
    records: Object.fromEntries(records),
    definition: Object.fromEntries(
      columns.map((column) => [renamed(column.id) ?? '', { ...column, id: renamed(column.id) ?? '' }]),
    ),
  }
  return clean({ ...block, key: undefined, meta: undefined, data: clean(data), fragments }) as Block
}

function place(column: string, view: TableData['view']): number {
  const index = view.columns.indexOf(column)
  return index === -1 ? view.columns.length : index
}

/** Removes keys whose value is undefined or an empty list of fragments. */
function clean(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, one]) => one !== undefined && !(key === 'fragments' && (one as unknown[]).length === 0),
    ),
  )
}
