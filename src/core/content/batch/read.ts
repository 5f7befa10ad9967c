/** Reads the changes of a batch and checks everything that does not depend on the content. */
import { given, type MetaChange, readPageFields } from '../fields/page.ts'
import { refuseBatch } from './refused.ts'
import { isFault, readDocument } from '../../document/check.ts'
import type { ContentRef, Document, PageMeta } from '../../document/model.ts'
import { type DocumentLinks, linksOf } from '../../document/links-in.ts'
import { frontMatterEnd } from '../../document/front-matter.ts'
import { documentProblem } from '../../document/limits.ts'
import { parsePage } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import { mapReferences } from '../../document/references.ts'
import { relink } from '../../document/relink.ts'
import { excessOf, sourceProblem } from '../limits.ts'
import type { FileRecord } from '../revision.ts'

/** A body in a request: Markdown, a document, or neither for an empty page. */
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

/** A parsed body: `source` is stored unless the change sets fields that it holds too, and `links` are its references. */
export type ReadBody =
  | {
      kind: 'markdown'
      source: string
      links: DocumentLinks
      title?: string
      meta: Omit<PageMeta, 'title'>
      /** Why the body is shown as its source. */
      unreadable?: string
    }
  | { kind: 'document'; source: string }
  | { kind: 'empty' }

/** A file of the batch, without its creation time. */
export type NewFile = Omit<FileRecord, 'createdAt'>

export type ReadChange =
  | ({ operation: 'insert_page'; id: string; ref?: string; body: ReadBody; meta: MetaChange } & Placing)
  | ({ operation: 'update_page'; page: string; body?: ReadBody; meta: MetaChange } & Placing)
  | { operation: 'delete_page'; page: string }
  | { operation: 'revert_page'; page: string; revision?: string; blocks?: string[] }
  | { operation: 'insert_files'; files: NewFile[] }

/** The pages and files that a batch creates, by the names that it gives them. */
type Names = Map<string, { kind: 'page' | 'file'; id: string }>

/**
 * Reads all changes. New pages and files get ids, and links by a batch name become links by id. Submitted Markdown is
 * otherwise unchanged.
 * @param stored the files whose bytes are stored, by change and position in it
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
  const name = titleOfChange(change)
  const body = change.document && readBody(change.document, names, index, name)
  const meta = readMeta(change, index)
  if (change.operation === 'insert_page')
    return { operation: 'insert_page', id, ...given(change, ['ref', 'into', 'at']), body: body!, meta }
  const { operation, page } = change
  return { operation, page, ...given(change, ['into', 'at']), ...(body && { body }), meta }
}

/** The ids of the pages and files that a change creates. Each batch name must be unique. */
function idsOf(change: SentChange, index: number, names: Names, newId: () => string): string[] {
  const name = (ref: string | undefined, field: string, kind: 'page' | 'file') => {
    const id = newId()
    if (ref === undefined) return id
    if (names.has(ref)) refuseBatch(index, field, `"${ref}" is the name of something else in this batch`)
    names.set(ref, { kind, id })
    return id
  }
  if (change.operation === 'insert_page') return [name(change.ref, 'ref', 'page')]
  if (change.operation !== 'insert_files') return []
  return change.files.map(({ ref }, i) => name(ref, `files.${i}.ref`, 'file'))
}

/** The name of a page for messages before its text is parsed. */
function titleOfChange(change: Sent<'insert_page'> | Sent<'update_page'>): string {
  const { title, document } = change
  if (title !== undefined) return title
  const markdown = document?.markdown ?? ''
  const [, heading] = /^\s*# (.{1,200})$/m.exec(markdown.slice(frontMatterEnd(markdown)).slice(0, 500)) ?? []
  return heading ?? (change.operation === 'update_page' ? change.page : (change.ref ?? 'Untitled'))
}

function readBody({ markdown, document }: SentBody, names: Names, index: number, name: string): ReadBody {
  if (markdown !== undefined && document !== undefined)
    refuseBatch(index, 'document', 'must have "markdown" or "document", not both')
  if (document !== undefined) return readJson(document, names, index, name)
  const problem = sourceProblem(name, markdown ?? '')
  if (problem !== undefined) refuseBatch(index, 'document', problem)
  return readMarkdown(markdown, names, index, name)
}

function readMarkdown(markdown: string | undefined, names: Names, index: number, page: string): ReadBody {
  if (markdown === undefined || markdown === '') return { kind: 'empty' }
  const source = relink(markdown, (name, isPage) => addressOf(names.get(name), isPage))
  const read = parsePage(source)
  const { title, meta, unreadable } = read
  const problem = excessOf(title ?? page, read.excess)
  if (problem !== undefined) refuseBatch(index, 'document', problem)
  const { title: _title, ...others } = meta
  const links = linksOf(read, source)
  return {
    kind: 'markdown',
    source,
    links,
    meta: others,
    ...(title === undefined ? {} : { title }),
    ...(unreadable === undefined ? {} : { unreadable }),
  }
}

function readJson(value: unknown, names: Names, index: number, name: string): ReadBody {
  const read = readDocument(value)
  if (isFault(read)) {
    const field = ['document', 'document', read.path].filter(Boolean).join('.')
    return refuseBatch(index, field, read.message)
  }
  const problem = excessOf(name, documentProblem(read))
  if (problem !== undefined) refuseBatch(index, 'document', problem)
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

/** Replaces references by a batch name, written as an address or in place of an id, with references by id. */
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

/** @throws BatchRefused */
function readMeta(change: MetaChange, index: number): MetaChange {
  const read = readPageFields(change)
  return 'fault' in read ? refuseBatch(index, read.field, read.fault) : read.fields
}
