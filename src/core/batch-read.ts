/** Reads the changes of a batch before anything is looked up: what needs no content to be judged is judged here. */
import { refuse } from './batch-refused.ts'
import { isFault, readDocument } from './document/check.ts'
import type { ContentRef, Document, PageMeta } from './document/model.ts'
import { type DocumentLinks, linksOf } from './document/links-in.ts'
import { parsePage } from './document/parse.ts'
import { printDocument } from './document/print.ts'
import { mapReferences } from './document/references.ts'
import { relink } from './document/relink.ts'
import { parseExpression } from './expression.ts'
import { cleanSlug } from './repository/page-slug.ts'
import { type FileRecord, LIMITS } from './revision.ts'

/** What a change says of a page beside its body; null and empty texts clear. */
export interface MetaChange {
  title?: string
  /** Empty: the one that the title gives. */
  slug?: string
  emoji?: string | null
  icon?: string | null
  description?: string | null
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  condition?: string | null
}

/** A body as it is sent: Markdown, a document, or neither for an empty page. */
export interface SentBody {
  markdown?: string
  document?: unknown
}

interface Placing {
  /** A page, by its id or a name of the batch; null is the top level. */
  into?: string | null
  at?: number
}

export type SentChange =
  | ({ operation: 'insert_page'; document: SentBody; ref?: string } & Placing & MetaChange)
  | ({ operation: 'update_page'; page: string; document?: SentBody } & Placing & MetaChange)
  | { operation: 'delete_page'; page: string }
  | { operation: 'revert_page'; page: string; revision?: string; block?: string[] }
  | { operation: 'insert_files'; files: { ref?: string }[] }

/** A body that was read; `source` is what is stored of it unless the change says more, and `links` are what it links to. */
export type ReadBody =
  | {
      kind: 'markdown'
      source: string
      links: DocumentLinks
      title?: string
      meta: Omit<PageMeta, 'title'>
    }
  | { kind: 'document'; source: string }
  | { kind: 'empty' }

/** A file of the batch but for when it was made. */
export type NewFile = Omit<FileRecord, 'createdAt'>

export type ReadChange =
  | ({ operation: 'insert_page'; id: string; ref?: string; body: ReadBody; meta: MetaChange } & Placing)
  | ({ operation: 'update_page'; page: string; body?: ReadBody; meta: MetaChange } & Placing)
  | { operation: 'delete_page'; page: string }
  | { operation: 'revert_page'; page: string; revision?: string; blocks?: string[] }
  | { operation: 'insert_files'; files: NewFile[] }

/** The names that a batch gives to what it makes, and what they stand for. */
type Names = Map<string, { kind: 'page' | 'file'; id: string }>

/**
 * Reads every change. What is made gets its id, and links by its name become links by that id; nothing else of
 * submitted Markdown changes.
 * @param stored by change and place in it, the files whose bytes are stored
 * @throws BatchRefused
 */
export function readBatch(
  changes: readonly SentChange[],
  stored: readonly (readonly Omit<NewFile, 'id'>[])[],
  newId: () => string,
): ReadChange[] {
  const names: Names = new Map()
  const ids = changes.map((change, index) => idsOf(change, index, names, newId))
  return changes.map((change, index) => {
    const [first = ''] = ids[index]!
    if (change.operation === 'insert_files') {
      const files = (stored[index] ?? []).map((file, i) => ({ ...file, id: ids[index]![i]! }))
      return { operation: 'insert_files', files }
    }
    return readPageChange(change, first, names, index)
  })
}

type Sent<O extends SentChange['operation']> = Extract<SentChange, { operation: O }>

function readPageChange(
  change: Exclude<SentChange, Sent<'insert_files'>>,
  id: string,
  names: Names,
  index: number,
): ReadChange {
  if (change.operation === 'delete_page') return { operation: 'delete_page', page: change.page }
  if (change.operation === 'revert_page') {
    const { operation, page, block } = change
    return { operation, page, ...given(change, ['revision']), ...(block && { blocks: block }) }
  }
  const body = change.document && readBody(change.document, names, index)
  const meta = readMeta(change, index)
  if (change.operation === 'insert_page')
    return { operation: 'insert_page', id, ...given(change, ['ref', 'into', 'at']), body: body!, meta }
  const { operation, page } = change
  return { operation, page, ...given(change, ['into', 'at']), ...(body && { body }), meta }
}

/** The ids of what a change makes; each name is given once. */
function idsOf(change: SentChange, index: number, names: Names, newId: () => string): string[] {
  const name = (ref: string | undefined, field: string, kind: 'page' | 'file') => {
    const id = newId()
    if (ref === undefined) return id
    if (names.has(ref)) refuse(index, field, `"${ref}" is the name of something else in this batch`)
    names.set(ref, { kind, id })
    return id
  }
  if (change.operation === 'insert_page') return [name(change.ref, 'ref', 'page')]
  if (change.operation !== 'insert_files') return []
  return change.files.map(({ ref }, i) => name(ref, `files.${i}.ref`, 'file'))
}

function readBody({ markdown, document }: SentBody, names: Names, index: number): ReadBody {
  if (markdown !== undefined && document !== undefined)
    refuse(index, 'document', 'must have "markdown" or "document", not both')
  const body = document === undefined ? readMarkdown(markdown, names) : readJson(document, names, index)
  if (body.kind === 'empty') return body
  const bytes = new TextEncoder().encode(body.source).length
  if (bytes > LIMITS.documentBytes)
    refuse(index, 'document', `has ${bytes} bytes as Markdown; at most ${LIMITS.documentBytes} are taken`)
  return body
}

function readMarkdown(markdown: string | undefined, names: Names): ReadBody {
  if (markdown === undefined || markdown === '') return { kind: 'empty' }
  const source = relink(markdown, (name, isPage) => addressOf(names.get(name), isPage))
  const { title, meta, document } = parsePage(source)
  const { title: _title, ...others } = meta
  const links = linksOf(document)
  return { kind: 'markdown', source, links, meta: others, ...(title === undefined ? {} : { title }) }
}

function readJson(value: unknown, names: Names, index: number): ReadBody {
  const read = readDocument(value)
  if (isFault(read)) {
    const field = ['document', 'document', read.path].filter(Boolean).join('.')
    return refuse(index, field, read.message)
  }
  const source = printDocument(linked(read, names))
  return source === '' ? { kind: 'empty' } : { kind: 'document', source }
}

function addressOf(
  named: { kind: 'page' | 'file'; id: string } | undefined,
  isPage: boolean,
): string | undefined {
  if (named?.kind === 'page') return `/pages/${named.id}`
  return named && !isPage ? `/files/${named.id}` : undefined
}

const BY_NAME = /^\.\/([\w-]+)(\.md)?(?:#(.+))?$/

/** The document with references by a name of the batch, as an address or in place of an id, made references by id. */
function linked(document: Document, names: Names): Document {
  if (names.size === 0) return document
  const idOf = (name: string | undefined, kind: 'page' | 'file') => {
    const named = name === undefined ? undefined : names.get(name)
    return named?.kind === kind ? named.id : undefined
  }
  return mapReferences(document, (ref): ContentRef => {
    if (ref.kind === 'page' || ref.kind === 'anchor') {
      const page = idOf(ref.page, 'page')
      return page === undefined ? ref : { ...ref, page }
    }
    if (ref.kind === 'file') return { ...ref, file: idOf(ref.file, 'file') ?? ref.file }
    const [, name, extension, anchor] = (ref.kind === 'url' && BY_NAME.exec(ref.url)) || []
    const page = idOf(name, 'page')
    if (page !== undefined)
      return anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', anchor, page }
    const file = extension === undefined && anchor === undefined ? idOf(name, 'file') : undefined
    return file === undefined ? ref : { kind: 'file', file }
  })
}

const META = [
  'title',
  'slug',
  'emoji',
  'icon',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
] as const

/** How many characters a change may give. */
export const LONGEST = {
  title: 1000,
  slug: 100,
  emoji: 50,
  icon: 50,
  description: 10_000,
  condition: 1024,
  fileName: 256,
} as const

/** What a change says of a page, with its spaces tidied. @throws BatchRefused */
export function readMeta(change: MetaChange, index: number): MetaChange {
  const meta = given(change, META)
  const { slug, condition } = meta
  if (slug && cleanSlug(slug) !== slug) {
    refuse(
      index,
      'slug',
      `can hold lower-case letters, digits, ".", "_", "+" and "-"; use "${cleanSlug(slug)}"`,
    )
  }
  const parsed = condition ? parseExpression(condition) : undefined
  if (parsed && !parsed.ok) refuse(index, 'condition', `is not a condition: ${parsed.error}`)
  for (const name of ['title', 'description', 'icon', 'emoji', 'condition'] as const)
    if (meta[name]) meta[name] = meta[name].replace(/\s+/g, ' ').trim()
  return meta
}

/** The fields of these names that are there. */
function given<T extends object, K extends keyof T>(
  value: T,
  names: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(
    names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as never
}
