import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  ContentRef,
  Document,
  Fragment,
  Inline,
  Text,
} from '../model.ts'
import { lineText } from '../text.ts'

/** The place of a reference: a type of block or inline, the dark variant of an image, or the type of a table's cell. */
export type ReferencePlace =
  | 'link'
  | 'mention'
  | 'button'
  | 'image'
  | 'image-dark'
  | 'file'
  | 'drawing'
  | 'content-ref'
  | 'reusable-content'
  | 'openapi'
  | 'cell-content-ref'
  | 'cell-image'
  | 'cell-file'
  | 'cell-user'

/** A reference of a document with the key of its block and the text that a reader sees for it, cut to 100 characters. */
export interface Reference {
  ref: ContentRef
  place: ReferencePlace
  key?: string
  text?: string
}

type Visit = (
  ref: ContentRef,
  place: ReferencePlace,
  key: string | undefined,
  node?: Block | Inline,
) => ContentRef

/** Distinguishes references, however their fields are ordered. */
export function referenceKey(ref: ContentRef): string {
  if (ref.kind === 'url') return `url ${ref.url}`
  return JSON.stringify(Object.entries(ref).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The document with every reference replaced by the result of `map`. */
export function mapReferences(
  document: Document,
  map: (ref: ContentRef, place: ReferencePlace) => ContentRef,
): Document {
  return { ...document, nodes: mapBlocks(document.nodes, map, undefined) }
}

/** Every reference of the document in order: links, images, mentions, buttons, files, includes, cells of tables. */
export function listReferences({ nodes }: Document): Reference[] {
  const found: Reference[] = []
  for (const block of nodes)
    eachReference(block, undefined, block.key, (ref, place, key, node) => {
      const text = node && labelText(node)
      found.push({ ref, place, ...(key === undefined ? {} : { key }), ...(text ? { text } : {}) })
    })
  return found
}

/** The blocks whose keys references have. */
export function referringBlocks({ nodes }: Document): Set<Block> {
  const blocks = new Set<Block>()
  for (const block of nodes)
    eachReference(block, block, undefined, (_ref, _place, _key, _node, within) => {
      if (within) blocks.add(within)
    })
  return blocks
}

type See = (
  ref: ContentRef,
  place: ReferencePlace,
  key: string | undefined,
  node: Block | Inline | undefined,
  within: Block | undefined,
) => void

/**
 * Passes each reference of a node on, in the order of `mapReferences`, which copies the node.
 * @param within the innermost block that can have a key: a line of code has none
 */
function eachReference(
  node: Block | Inline,
  within: Block | undefined,
  key: string | undefined,
  see: See,
): void {
  if (node.type === 'table' || PLACES[node.type] !== undefined)
    mapData(
      node,
      (ref, place, _key, at) => {
        see(ref, place, key, at, within)
        return ref
      },
      key,
    )
  const into = (block: Block) =>
    eachReference(block, block.type === 'code-line' ? within : block, block.key ?? key, see)
  for (const inner of node.nodes ?? []) {
    if (inner.object === 'block') into(inner)
    else if (inner.object === 'inline') eachReference(inner, within, key, see)
  }
  for (const fragment of node.fragments ?? []) for (const block of fragment.nodes) into(block)
}

const TEXT_LENGTH = 100

/** The text of a link, the label of a button, the alternative text of an image. */
function labelText(node: Block | Inline): string {
  if (node.type === 'link') return lineText(node.nodes).trim().slice(0, TEXT_LENGTH)
  const { label, alt, caption } = node.data as { label?: string; alt?: string; caption?: string }
  return (label ?? alt ?? caption ?? '').trim().slice(0, TEXT_LENGTH)
}

/** The names of the fields that hold references, by type of block and inline. */
const PLACES: Partial<Record<Block['type'] | Inline['type'], ReferencePlace>> = {
  link: 'link',
  mention: 'mention',
  button: 'button',
  'inline-image': 'image',
  image: 'image',
  file: 'file',
  drawing: 'drawing',
  'content-ref': 'content-ref',
  'reusable-content': 'reusable-content',
  swagger: 'openapi',
  'openapi-operation': 'openapi',
  'openapi-schemas': 'openapi',
  'openapi-webhook': 'openapi',
}

function mapBlocks(blocks: readonly Block[], visit: Visit, key: string | undefined): Block[] {
  return blocks.map((block) => mapNode(block, visit, block.key ?? key))
}

function mapNode<T extends Block | Inline>(node: T, visit: Visit, key: string | undefined): T {
  const mapped = { ...node, data: mapData(node, visit, key) } as T
  if (node.nodes) mapped.nodes = mapInside(node.nodes, visit, key) as T['nodes']
  if (node.fragments) mapped.fragments = node.fragments.map((fragment) => mapFragment(fragment, visit, key))
  return mapped
}

function mapInside(
  nodes: readonly (Block | Inline | Text)[],
  visit: Visit,
  key: string | undefined,
): (Block | Inline | Text)[] {
  return nodes.map((node) => {
    if (node.object === 'text') return node
    return node.object === 'block' ? mapNode(node, visit, node.key ?? key) : mapNode(node, visit, key)
  })
}

function mapFragment(fragment: Fragment, visit: Visit, key: string | undefined): Fragment {
  return { ...fragment, nodes: mapBlocks(fragment.nodes, visit, key) }
}

function mapData(node: Block | Inline, visit: Visit, key: string | undefined): object {
  if (node.type === 'table') return { ...node.data, records: mapRecords(node, visit, key) }
  const place = PLACES[node.type]
  if (place === undefined) return node.data

  const data = { ...node.data } as { ref?: ContentRef; refDark?: ContentRef }
  if (data.ref) data.ref = visit(data.ref, place, key, node)
  if (data.refDark) data.refDark = visit(data.refDark, 'image-dark', key, node)
  return data
}

function mapRecords(
  { data }: BlockOf<'table'>,
  visit: Visit,
  key: string | undefined,
): BlockOf<'table'>['data']['records'] {
  const records = Object.entries(data.records).map(([id, record]) => {
    const values = Object.entries(record.values).map(([column, value]) => {
      const map = CELLS[data.definition[column]?.type ?? 'text']
      return [column, map ? map(value, (ref, place) => visit(ref, place, key)) : value] as const
    })
    return [id, { ...record, values: Object.fromEntries(values) }] as const
  })
  return Object.fromEntries(records)
}

type MapCell = (value: CellValue, visit: (ref: ContentRef, place: ReferencePlace) => ContentRef) => CellValue

const CELLS: Partial<Record<ColumnDefinition['type'], MapCell>> = {
  'content-ref': (value, visit) => (isRef(value) ? visit(value, 'cell-content-ref') : value),
  image(value, visit) {
    if (isRef(value)) return visit(value, 'cell-image')
    if (typeof value !== 'object' || value === null || !('ref' in value)) return value
    return { ...value, ref: visit(value.ref, 'cell-image') }
  },
  files: (value, visit) => mapIds(value, (id) => fileId(visit(fileRef(id), 'cell-file'), id)),
  users: (value, visit) => mapIds(value, (user) => userId(visit({ kind: 'user', user }, 'cell-user'), user)),
}

function mapIds(value: CellValue, map: (id: string) => string): CellValue {
  return Array.isArray(value) ? value.map(map) : value
}

/** A cell of files holds ids; from Markdown it holds addresses until they are resolved. Ids have neither dot nor slash. */
function fileRef(value: string): ContentRef {
  return /^[\w-]+$/.test(value) ? { kind: 'file', file: value } : { kind: 'url', url: value }
}

function fileId(ref: ContentRef, before: string): string {
  if (ref.kind === 'file') return ref.file
  return ref.kind === 'url' ? ref.url : before
}

function userId(ref: ContentRef, before: string): string {
  return ref.kind === 'user' ? ref.user : before
}

function isRef(value: CellValue): value is ContentRef {
  return typeof value === 'object' && value !== null && 'kind' in value
}
