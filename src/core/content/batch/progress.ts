import { refuseBatch } from './refused.ts'
import { documentHash, gitObjectId } from '../hash.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import type { ReadingProblem } from '../../document/shown/unshown.ts'
import { because } from '../../languages/reasons.ts'

/** The content while a batch changes it. */
export interface Progress {
  tree: PageTree
  pages: Map<string, PageRecord | null>
  /** The index of the last change that touched each page. */
  touched: Map<string, number>
  files: Map<string, FileRecord | null>
  reusables: Map<string, ReusableRecord | null>
  /** These objects are replaced, not changed. */
  variables: Variables
  /** By old path; a target is the repository path of a page, or a URL. */
  redirects: Readonly<Record<string, string>>
  documents: Map<string, string>
  refs: Map<string, string>
  /** What pages and reusable contents with a body of the batch do not show as their authors meant it. */
  problems: Map<string, readonly ReadingProblem[]>
}

/** The page that a change names by its id or by the name that an earlier change of the batch gave it. */
export function findPage(progress: Progress, name: string, index: number, field = 'page'): PageRecord {
  const id = progress.refs.get(name) ?? name
  return progress.tree.get(id) ?? refuseBatch(index, field, because('page-unknown', { name }))
}

/** Remembers what the new body of a page or a reusable content does not show. */
export function noteReading(
  { problems }: Progress,
  id: string,
  body: { kind: string; problems?: readonly ReadingProblem[] },
): void {
  if (body.problems && body.problems.length > 0) problems.set(id, body.problems)
  else problems.delete(id)
}

/** Sets records. If `index` is given, the pages count as touched by that change. */
export function setPages(
  progress: Progress,
  pages: ReadonlyMap<string, PageRecord | null>,
  index?: number,
): void {
  if (pages.size > 0) progress.tree = progress.tree.apply(pages)
  for (const [id, page] of pages) {
    progress.pages.set(id, page)
    if (index !== undefined) progress.touched.set(id, index)
  }
}

/** Adds a source to the documents to store. @returns the fields of the record that has it; none for an empty source */
export function storeSource(
  { documents }: Pick<Progress, 'documents'>,
  source: string,
): Pick<PageRecord, 'document' | 'oid'> {
  if (source === '') return {}
  const document = documentHash(source)
  documents.set(document, source)
  return { document, oid: gitObjectId(new TextEncoder().encode(source)) }
}
