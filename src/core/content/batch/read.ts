/** Reads the changes of a batch and checks everything that does not depend on the content. */
import { given } from '../fields/given.ts'
import { type MetaChange, readPageFields, type SentMeta } from '../fields/page.ts'
import { emptiedSource } from './emptied.ts'
import { addressNamed, idNamed, type Kind, linked, linkedRef, type Names } from './names.ts'
import { isNamedChange, type NamedChange, readNamedChange } from './named-values.ts'
import { refuseBatch } from './refused.ts'
import {
  BatchConflicts,
  deletionConflicts,
  entriesWithKeys,
  goneConflict,
  type PageConflict,
  readFields,
  readWrite,
  type WrittenBody,
} from './write.ts'
import type { BlockEntry } from '../edit/edit-blocks.ts'
import type { NewText, WritingTo } from '../edit/write-page.ts'
import { isRecord } from '../../data/is-record.ts'
import { append, needItem } from '../../data/lists.ts'
import { isFault, readDocument } from '../../document/shape/check.ts'
import type { ContentRef, Document, PageMeta } from '../../document/model.ts'
import { type DocumentLinks, linksOf } from '../../document/links/links-in.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import { documentProblem } from '../../document/shape/limits.ts'
import { hiddenParts, type ReadingProblem, readingProblems } from '../../document/shown/unshown.ts'
import { parseMarkdown, parsePage } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import { relink } from '../../document/links/relink.ts'
import { excessOf, sourceProblem } from '../limits.ts'
import type { FileRecord } from '../revision.ts'
import { because } from '../../languages/reasons.ts'

/** A body in a request: Markdown, a document, blocks among those that the page has, or none for an empty page. */
export interface SentBody {
  markdown?: string
  document?: unknown
  blocks?: unknown[]
}

interface Placing {
  /** A page, by its id or a name of the batch; null is the top level. */
  into?: string | null
  at?: number
}

export type SentChange =
  | ({ operation: 'insert_page'; document: SentBody; ref?: string } & Placing & SentMeta)
  | ({ operation: 'update_page'; page: string; document?: SentBody } & Placing & SentMeta)
  | ({ operation: 'insert_group'; title: string; ref?: string; at?: number } & MetaChange)
  | ({ operation: 'insert_link'; title: string; target: ContentRef; ref?: string } & Placing & MetaChange)
  | { operation: 'delete_page'; page: string }
  | { operation: 'revert_page'; page: string; revision?: string; block?: string[] }
  | { operation: 'insert_files'; files: { ref?: string }[] }
  | { operation: 'update_file'; file: string; name?: string }
  | { operation: 'delete_files'; files: string[] }
  | { operation: 'insert_reusable_content'; document: SentBody; title?: string; ref?: string }
  | { operation: 'update_reusable_content'; reusableContent: string; document?: SentBody; title?: string }
  | { operation: 'delete_reusable_content'; reusableContent: string }
  | NamedChange

/** A parsed body: `source` is stored unless the change sets fields that it holds too, and `links` are its references. */
export type ReadBody =
  | {
      kind: 'markdown'
      source: string
      links: DocumentLinks
      title?: string
      meta: Omit<PageMeta, 'title'>
      /** What is not shown as its author meant it. */
      problems: readonly ReadingProblem[]
    }
  | { kind: 'document'; source: string; problems?: readonly ReadingProblem[] }
  /** `printed` replaces it if an earlier change of the batch changes the page. */
  | (WrittenBody & { printed?: string })
  | { kind: 'empty' }

/** A file of the batch, without its creation time. */
export type NewFile = Omit<FileRecord, 'createdAt'>

export type ReadChange =
  | ({ operation: 'insert_page'; id: string; ref?: string; body: ReadBody; meta: MetaChange } & Placing)
  | ({ operation: 'update_page'; page: string; body?: ReadBody; meta: MetaChange } & Placing)
  | ({ operation: 'insert_group' | 'insert_link'; id: string; ref?: string; meta: MetaChange } & Placing)
  | { operation: 'delete_page'; page: string }
  | { operation: 'revert_page'; page: string; revision?: string; blocks?: string[] }
  | { operation: 'insert_files'; files: NewFile[] }
  | { operation: 'update_file'; file: string; name?: string; bytes?: Omit<NewFile, 'id'> }
  | { operation: 'delete_files'; files: string[] }
  | { operation: 'insert_reusable_content'; id: string; ref?: string; title?: string; body: ReadBody }
  | { operation: 'update_reusable_content'; reusableContent: string; title?: string; body?: ReadBody }
  | { operation: 'delete_reusable_content'; reusableContent: string }
  | NamedChange

/**
 * Reads all changes. New pages and files get ids, and links by a batch name become links by id. Submitted Markdown is
 * otherwise unchanged.
 * @param stored the files whose bytes are stored, by change and position in it; `update_file` has none or one
 * @param pages the pages whose text a change writes, by the index of the change
 * @param known the conflicts that were found before
 * @throws BatchRefused
 * @throws BatchConflicts
 */
export function readBatch(
  changes: readonly SentChange[],
  stored: readonly (readonly Omit<NewFile, 'id'>[])[],
  newId: () => string,
  pages: ReadonlyMap<number, WritingTo> = new Map(),
  known: readonly PageConflict[] = [],
): ReadChange[] {
  const names: Names = new Map()
  const withIds = changes.map((change, index) => ({ change, ids: idsOf(change, index, names, newId) }))
  const conflicts = [...known]
  const read = withIds.map(({ change, ids }, index): ReadChange => {
    const [first = ''] = ids
    if (isNamedChange(change)) return readNamedChange(change, (ref) => linkedRef(ref, names), index)
    const reading = { names, index, page: pages.get(index) ?? {}, conflicts }
    if (isSentItem(change)) return readItemChange(change, ids, stored[index] ?? [], reading)
    return readPageChange(change, first, reading)
  })
  if (conflicts.length > 0) throw new BatchConflicts(conflicts)
  return read
}

/** Where a change is read. */
interface Reading {
  names: Names
  index: number
  page: WritingTo
  /** Those found so far. */
  conflicts: PageConflict[]
}

type Sent<O extends SentChange['operation']> = Extract<SentChange, { operation: O }>

/** A change of files or reusable contents. */
type SentItemChange = Exclude<
  SentChange,
  NamedChange | { page: string } | { operation: `insert_${'page' | 'group' | 'link'}` }
>

function isSentItem(change: Exclude<SentChange, NamedChange>): change is SentItemChange {
  return !('page' in change) && !insertsPage(change)
}

function readItemChange(
  change: SentItemChange,
  ids: readonly string[],
  stored: readonly Omit<NewFile, 'id'>[],
  reading: Reading,
): ReadChange {
  const { names, index, page: to, conflicts } = reading
  const { operation } = change
  if ('reusableContent' in change) refuseUnread(reading, 'reusableContent', change.reusableContent)
  const idOf = (name: string, kind: Kind) => idNamed(names, name, kind) ?? name
  if (operation === 'insert_files')
    return { operation, files: stored.map((file, i) => ({ ...file, id: needItem(ids, i) })) }
  if (operation === 'update_file') {
    const [bytes] = stored
    return { operation, file: idOf(change.file, 'file'), ...given(change, ['name']), ...(bytes && { bytes }) }
  }
  if (operation === 'delete_files') return { operation, files: change.files.map((one) => idOf(one, 'file')) }
  if (operation === 'insert_reusable_content') {
    const { title, document, ref = 'Untitled' } = change
    refuseBlocks(document, index)
    const body = readBody(document, names, index, title ?? ref)
    return { operation, id: needItem(ids, 0), ...given(change, ['ref', 'title']), body }
  }
  const reusableContent = idOf(change.reusableContent, 'reusable-content')
  if (operation === 'delete_reusable_content') {
    append(conflicts, deletionConflicts(to))
    return { operation, reusableContent }
  }
  const { title, document } = change
  if (isGone(document, reading)) return { operation, reusableContent }
  const fields = readFields(to, given(change, ['title']))
  append(conflicts, fields.conflicts)
  const body = document && readUpdate(document, title ?? reusableContent, reading)
  return { operation, reusableContent, ...given(fields.meta, ['title']), ...(body && { body }) }
}

/** True if others have deleted what the writer changes, which conflicts. */
function isGone(document: SentBody | undefined, { names, index, page, conflicts }: Reading): boolean {
  const { current, base } = page
  if (current || !base) return false
  const { title } = base.record
  const sentText = ({ blocks, document: sent, markdown }: SentBody): NewText => {
    if (blocks) return { entries: readEntries(blocks, names, index) }
    if (sent === undefined) return { markdown: markdown || emptiedSource({ title, source: base.source }) }
    return { entries: entriesWithKeys(readJson(sent, names, index, title).nodes, sent) }
  }
  conflicts.push(goneConflict(base, document && sentText(document)))
  return true
}

/** Without the version that the writer has read, nobody can tell what others have written since. */
function refuseUnread({ names, index, page }: Reading, field: 'page' | 'reusableContent', id: string): void {
  if (page.unread === undefined || names.has(id)) return
  refuseBatch(index, field, because('page-not-in-base', { id, revision: page.unread }))
}

/** Refuses `blocks` for new content, which has no blocks yet. */
function refuseBlocks({ blocks }: SentBody, index: number): void {
  if (blocks) refuseBatch(index, 'document.blocks', because('blocks-of-other-operation'))
}

function readPageChange(
  change: Exclude<SentChange, SentItemChange | NamedChange>,
  id: string,
  reading: Reading,
): ReadChange {
  const { names, index, page: to, conflicts } = reading
  if ('page' in change) refuseUnread(reading, 'page', change.page)
  if (change.operation === 'delete_page') {
    append(conflicts, deletionConflicts(to))
    return { operation: 'delete_page', page: change.page }
  }
  if (change.operation === 'revert_page') {
    const { operation, page, block } = change
    return { operation, page, ...given(change, ['revision']), ...(block && { blocks: block }) }
  }
  if (change.operation === 'insert_group' || change.operation === 'insert_link') {
    const { operation } = change
    if ('document' in change)
      refuseBatch(
        index,
        'document',
        because('page-type-without', { type: operation.slice('insert_'.length) }),
      )
    const placing: Placing & { ref?: string } = change
    return { operation, id, ...given(placing, ['ref', 'into', 'at']), meta: readMeta(change, names, index) }
  }
  const name = titleOfChange(change)
  const meta = readMeta(change, names, index)
  if (change.operation === 'insert_page') {
    refuseBlocks(change.document, index)
    const body = readBody(change.document, names, index, name)
    return { operation: 'insert_page', id, ...given(change, ['ref', 'into', 'at']), body, meta }
  }
  const { operation, page } = change
  const place = given(change, ['into', 'at'])
  if (isGone(change.document, reading)) return { operation, page, ...place, meta }
  const fields = readFields(to, meta)
  append(conflicts, fields.conflicts)
  const body = change.document && readUpdate(change.document, name, reading)
  return { operation, page, ...place, ...(body && { body }), meta: fields.meta }
}

/** The new body of a page or reusable content. Blocks that do not change keep their source, and what others changed since stays. */
function readUpdate(sent: SentBody, name: string, reading: Reading): ReadBody | undefined {
  const { names, index, page, conflicts } = reading
  const write = (field: Parameters<typeof readWrite>[1], text: NewText) => {
    const written = readWrite(index, field, page, text)
    if (!Array.isArray(written)) return written
    append(conflicts, written)
    return undefined
  }
  if (sent.blocks !== undefined) {
    if (sent.document !== undefined || sent.markdown !== undefined)
      refuseBatch(index, 'document', because('document-three-forms'))
    if (!page.current) refuseBatch(index, 'document.blocks', because('blocks-without-page'))
    return write('document.blocks', { entries: readEntries(sent.blocks, names, index) })
  }
  const body = readBody(sent, names, index, name)
  if (!page.current) return body
  if (sent.document !== undefined) {
    const { nodes } = readJson(sent.document, names, index, name)
    const written = write('document.document', { entries: entriesWithKeys(nodes, sent.document) })
    const printed = body.kind === 'document' ? body.source : ''
    return written && (page.base ? written : { ...written, printed })
  }
  if (!page.base || page.base.source === page.current.source) return body
  if (!(body.kind === 'markdown' || body.kind === 'empty')) return body
  const { source, record } = page.base
  const mine = body.kind === 'empty' ? emptiedSource({ title: record.title, source }) : body.source
  const written = write('document.markdown', { markdown: mine })
  return written && readMarkdown(written.source, names, index, name)
}

/** @throws BatchRefused */
function readEntries(blocks: readonly unknown[], names: Names, index: number): BlockEntry[] {
  return blocks.map((sent, i): BlockEntry => {
    const field = `document.blocks.${i}`
    if (isRecord(sent) && typeof sent['keep'] === 'string') return { keep: sent['keep'] }
    if (isRecord(sent) && sent['keep'] !== undefined)
      return refuseBatch(index, `${field}.keep`, because('block-key-not-text'))
    const read = readDocument({ nodes: [sent] }, { isPart: true })
    if (isFault(read)) return refuseBatch(index, field + read.path.replace(/^nodes\.0/, ''), read)
    return needItem(entriesWithKeys(linked(read, names).nodes, { nodes: [sent] }), 0)
  })
}

/** The ids of the pages, files and reusable contents that a change creates. Each batch name must be unique. */
function idsOf(change: SentChange, index: number, names: Names, newId: () => string): string[] {
  const name = (ref: string | undefined, field: string, kind: Kind) => {
    const id = newId()
    if (ref === undefined) return id
    if (names.has(ref)) refuseBatch(index, field, because('name-used-twice', { name: ref }))
    names.set(ref, { kind, id })
    return id
  }
  if (change.operation === 'insert_files')
    return change.files.map(({ ref }, i) => name(ref, `files.${i}.ref`, 'file'))
  if (change.operation === 'insert_reusable_content') return [name(change.ref, 'ref', 'reusable-content')]
  return insertsPage(change) ? [name(change.ref, 'ref', 'page')] : []
}

/** Whether a change creates a page, of any type. */
export function insertsPage(
  change: SentChange,
): change is Sent<'insert_page'> | Sent<'insert_group'> | Sent<'insert_link'> {
  return /^insert_(?:page|group|link)$/.test(change.operation)
}

/** The name of a page for messages before its text is parsed. */
function titleOfChange(change: Sent<'insert_page'> | Sent<'update_page'>): string {
  const { title, document } = change
  if (title !== undefined) return title
  const markdown = document?.markdown ?? ''
  const [, heading] = /^\s*# (.{1,200})$/m.exec(markdown.slice(frontMatterEnd(markdown)).slice(0, 500)) ?? []
  return heading ?? (change.operation === 'update_page' ? change.page : (change.ref ?? 'Untitled'))
}

function readBody(sent: SentBody, names: Names, index: number, name: string): ReadBody {
  const { markdown, document } = sent
  refuseUnknown(sent, index)
  if (markdown !== undefined && document !== undefined)
    refuseBatch(index, 'document', because('document-two-forms'))
  if (document !== undefined) {
    const source = printDocument(readJson(document, names, index, name))
    // A client that sends a document has no lines.
    const hidden = hiddenParts(parseMarkdown(source), source)
    const problems = hidden.map(({ kind: _kind, line: _line, ...problem }) => problem)
    return source === '' ? { kind: 'empty' } : { kind: 'document', source, problems }
  }
  const problem = sourceProblem(name, markdown ?? '')
  if (problem !== undefined) refuseBatch(index, 'document', problem)
  return readMarkdown(markdown, names, index, name)
}

/** A misspelled body would empty the page; only `{}` is an empty one. */
function refuseUnknown(sent: SentBody, index: number): void {
  if (sent.markdown !== undefined || sent.document !== undefined) return
  const [unknown] = Object.keys(sent)
  if (unknown !== undefined)
    refuseBatch(index, 'document', because('document-field-unknown', { field: unknown }))
}

function readMarkdown(markdown: string | undefined, names: Names, index: number, page: string): ReadBody {
  if (markdown === undefined || markdown === '') return { kind: 'empty' }
  const source = relink(markdown, (name, isPage) => addressNamed(names.get(name), isPage))
  const read = parsePage(source)
  const { title, meta } = read
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
    problems: readingProblems(read, source),
  }
}

function readJson(value: unknown, names: Names, index: number, name: string): Document {
  const read = readDocument(value)
  if (isFault(read)) {
    const field = ['document', 'document', read.path].filter(Boolean).join('.')
    return refuseBatch(index, field, read)
  }
  const problem = excessOf(name, documentProblem(read))
  if (problem !== undefined) refuseBatch(index, 'document', problem)
  return linked(read, names)
}

/** @throws BatchRefused */
function readMeta(change: SentMeta, names: Names, index: number): MetaChange {
  const { cover, target } = change
  const { ref, refDark } = cover ?? {}
  const read = readPageFields({
    ...change,
    ...(target && { target: linkedRef(target, names) }),
    ...(cover && {
      cover: {
        ...cover,
        ...(ref && { ref: linkedRef(ref, names) }),
        ...(refDark && { refDark: linkedRef(refDark, names) }),
      },
    }),
  })
  return 'fault' in read ? refuseBatch(index, read.field, read.fault) : read.fields
}
