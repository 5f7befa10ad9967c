/** Changes files and reusable contents by a batch. */
import { freePath, isPathTaken, type PathContent } from '../repository-paths.ts'
import { noteReading, type Progress, storeSource } from './progress.ts'
import { fitting, splitPageSource, updatedText } from './page.ts'
import type { ReadChange } from './read.ts'
import { refuseBatch } from './refused.ts'
import { sourceProblem } from '../limits.ts'
import { slugOfTitle } from '../../text/page-slug.ts'
import type { FileRecord, ReusableRecord } from '../revision.ts'
import { because } from '../../languages/reasons.ts'

type Change<O extends ReadChange['operation']> = Extract<ReadChange, { operation: O }>

/** The content that a batch changes, with its pages as they are now. */
interface Items extends PathContent {
  source(hash: string | undefined): string
}

/** The operations that change files or reusable contents. */
export type ItemChange = Change<
  | 'insert_files'
  | 'update_file'
  | 'delete_files'
  | 'insert_reusable_content'
  | 'update_reusable_content'
  | 'delete_reusable_content'
>

/** Applies a change of files or reusable contents. @throws BatchRefused */
export function applyItemChange(
  content: Items,
  progress: Progress,
  change: ItemChange,
  index: number,
  at: string,
): void {
  const { files, reusables } = progress
  switch (change.operation) {
    case 'insert_files':
      for (const file of change.files) files.set(file.id, { ...file, createdAt: at })
      return
    case 'update_file':
      return void files.set(change.file, updatedFile(findFile(content, progress, change.file, index), change))
    case 'delete_files':
      for (const [i, id] of change.files.entries())
        files.set(findFile(content, progress, id, index, `files.${i}`).id, null)
      return
    case 'insert_reusable_content':
      return void reusables.set(change.id, insertedReusable(content, progress, change, index))
    case 'update_reusable_content':
      return void reusables.set(change.reusableContent, updatedReusable(content, progress, change, index))
    case 'delete_reusable_content':
      return void reusables.set(findReusable(content, progress, change.reusableContent, index).id, null)
  }
}

function findFile(content: Items, progress: Progress, id: string, index: number, field = 'file'): FileRecord {
  const known = progress.files.get(id)
  const file = known === undefined ? content.files.get(id) : known
  return file ?? refuseBatch(index, field, because('file-unknown', { id }))
}

function findReusable(content: Items, progress: Progress, id: string, index: number): ReusableRecord {
  const known = progress.reusables.get(id)
  const found = known === undefined ? content.reusables.get(id) : known
  return found ?? refuseBatch(index, 'reusableContent', because('reusable-content-unknown', { id }))
}

/** The file with another name or other bytes. Its path does not change, so that links to it keep their target. */
function updatedFile(file: FileRecord, { name = file.name, bytes }: Change<'update_file'>): FileRecord {
  if (!bytes || bytes.hash === file.hash)
    return { ...file, name, ...(bytes && { contentType: bytes.contentType }) }
  const { id, path, createdAt } = file
  return { ...bytes, id, name, ...(path === undefined ? {} : { path }), createdAt }
}

/** The folder of reusable contents in a repository. */
const FOLDER = '.gitbook/includes/'

function insertedReusable(
  content: Items,
  progress: Progress,
  { id, title: named, body }: Change<'insert_reusable_content'>,
  index: number,
): ReusableRecord {
  const { title, source } = splitPageSource(
    { title: 'Untitled' },
    body,
    named === undefined ? {} : { title: named },
  )
  refuseExcess(title, source, index)
  noteReading(progress, id, body)
  const fresh = [...progress.reusables.values()]
  const isTaken = (path: string) => isPathTaken(content, path) || fresh.some((one) => one?.path === path)
  const path = freePath(`${FOLDER}${slugOfTitle(title)}.md`, isTaken)
  return { id, title, ...storeSource(progress, source), path }
}

function updatedReusable(
  content: Items,
  progress: Progress,
  { reusableContent, title: named, body }: Change<'update_reusable_content'>,
  index: number,
): ReusableRecord {
  const reusable = findReusable(content, progress, reusableContent, index)
  if (body && reusable.computed) refuseBatch(index, 'document', because('computed-without-document'))
  if (body) noteReading(progress, reusable.id, body)
  const before = { title: reusable.title, source: sourceOfItem(content, progress, reusable.document) }
  const { title, source } = updatedText(
    before,
    body && fitting(body, reusable, index),
    named === undefined ? {} : { title: named },
  )
  if (source === before.source) return { ...reusable, title }
  refuseExcess(title, source, index)
  const { document: _document, oid: _oid, ...others } = reusable
  return { ...others, title, ...storeSource(progress, source) }
}

function sourceOfItem(content: Items, { documents }: Progress, document: string | undefined): string {
  return (document === undefined ? undefined : documents.get(document)) ?? content.source(document)
}

function refuseExcess(title: string, source: string, index: number): void {
  const problem = sourceProblem(title, source)
  if (problem !== undefined) refuseBatch(index, 'document', problem)
}
