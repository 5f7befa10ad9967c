/** Reads the content of a space or change request without its texts. */
import type { BareCall } from '../client.ts'
import { type JsonRecord, jsonRecord, jsonRecords, jsonText } from './json.ts'

/** A revision of a space or change request, in the source or the target. */
export interface ReadContent {
  pages: JsonRecord[]
  files: JsonRecord[]
  reusables: JsonRecord[]
  variables: JsonRecord
  redirects: JsonRecord
}

/** Reads a revision without its texts. @param base the path of the content, such as `/spaces/…/content` */
export async function readContent(call: BareCall, base: string): Promise<ReadContent> {
  const revision = await call('GET', `${base}?computed=false`)
  return {
    pages: jsonRecords(revision.pages),
    files: jsonRecords(revision.files),
    reusables: jsonRecords(revision.reusableContents),
    variables: jsonRecord(revision.variables),
    redirects: jsonRecord(revision.redirects),
  }
}

/** A page of a tree, with its parent. */
export interface TreePage {
  id: string
  page: JsonRecord
  parent: string | undefined
}

/** All pages of a tree, each after its parent and in the order of its siblings. */
export function placedPages(pages: readonly JsonRecord[], parent?: string): TreePage[] {
  const all = pages.map((page): TreePage => ({ id: jsonText(page.id), page, parent }))
  // The list grows while it is walked: level by level, so that no depth of the tree matters.
  for (const { id, page } of all)
    for (const below of jsonRecords(page.pages)) all.push({ id: jsonText(below.id), page: below, parent: id })
  return all
}
