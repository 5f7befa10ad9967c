import { need } from '../../data/lists.ts'
import { syncSource } from '../../content/merge/source-fields.ts'
import { FRONT_MATTER_FIELDS } from '../../content/page-fields.ts'
import { resolveReference, type Targets } from '../../content/links.ts'
import type { PageRecord, ReusableRecord } from '../../content/revision.ts'
import { editFrontMatter, readFrontMatter } from '../../document/front-matter/front-matter.ts'
import { printAddress } from '../../document/markdown/addresses.ts'
import type { ContentRef } from '../../document/model.ts'
import { parsePage, quickTitle, titleSpan } from '../../document/parse.ts'
import { retitle } from '../../document/splice.ts'
import { jsonEqual } from '../../data/json.ts'
import { folderOf, lastSegment, titleOfName } from '../../text/file-paths.ts'
import { addressFrom, targetsBefore, withFileAddresses } from './address.ts'
import type { PlacedContent } from './model.ts'

/** The file of a page, and whether it has the title of the page. */
export interface PrintedPage {
  source: string
  isTitled: boolean
}

/**
 * Prints the file of a page from its source, byte for byte but for what the source lacks: fields of the page that it does not
 * have in its front matter, and addresses of ids, which mean nothing outside of the space.
 */
export function printPageFile(id: string, source: string, content: PlacedContent): PrintedPage {
  const page = need(content.pages, id)
  const from = content.before.pages.get(id)?.file
  const file = page.file ?? ''
  const text = withFileAddresses(source, { from, to: file }, content)
  const title = titleIn(text, page.title)
  const said = readFrontMatter(text)
  const targets = targetsBefore(content)
  const [has, wants] = [{ ...said }, {}] as [Record<string, unknown>, Record<string, unknown>]
  for (const field of FRONT_MATTER_FIELDS) {
    const value = field === 'cover' ? coverFrom(page, said.cover, { file, targets, content }) : page[field]
    const isSame = jsonEqual(has[field] || undefined, value || undefined)
    wants[field] = isSame ? has[field] : value
  }
  const printed = syncSource(text, { ...has, title: title ?? page.title }, { ...wants, title: page.title })
  return { source: printed, isTitled: title !== undefined }
}

/** The title in a source, on one line. A title that looks different without the whole page is read again with it. */
function titleIn(source: string, expected: string): string | undefined {
  const quick = oneLineTitle(quickTitle(source))
  return quick === expected || quick === undefined ? quick : oneLineTitle(parsePage(source).title)
}

const oneLineTitle = (title: string | undefined) => title?.replace(/\s+/g, ' ').trim() || undefined

/** The cover of a page with addresses as the front matter has them; those that lead there already stay as written. */
function coverFrom(
  { cover }: PageRecord,
  said: PageRecord['cover'],
  { file, targets, content }: { file: string; targets: Targets; content: PlacedContent },
): PageRecord['cover'] {
  if (!cover) return undefined
  const written = (ref: ContentRef | undefined, before: ContentRef | undefined) => {
    if (!ref) return undefined
    if (before && jsonEqual(resolveReference(before, file, targets), resolveReference(ref, file, targets)))
      return before
    const url = addressFrom(folderOf(file), ref, content) ?? printAddress(ref)
    return before && printAddress(before) === url ? before : ({ kind: 'url', url } as const)
  }
  const [ref, refDark] = [written(cover.ref, said?.ref), written(cover.refDark, said?.refDark)]
  const { ref: _ref, refDark: _refDark, ...rest } = cover
  return { ...rest, ...(ref ? { ref } : {}), ...(refDark ? { refDark } : {}) }
}

/** Prints the file of a reusable content. Its title is in the file if the name of the file does not give it. */
export function printReusable(
  { id, title }: Pick<ReusableRecord, 'id' | 'title'>,
  source: string,
  content: PlacedContent,
): string {
  const path = content.reusables.get(id)?.path ?? ''
  const from = content.before.reusables.get(id)?.path
  const text = withFileAddresses(source, { from, to: path }, content)
  const said = titleIn(text, title)
  if ((said ?? titleOfName(lastSegment(path))) === title.trim()) return text
  return titleSpan(text) ? retitle(text, title) : editFrontMatter(text, { title })
}
