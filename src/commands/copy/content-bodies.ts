/** Writes the texts of pages and reusable contents, and the fields that refer to others by ids. */
import { isDeepStrictEqual } from 'node:util'
import { RefusedCall } from '../client.ts'
import { LINKED } from './content-archive.ts'
import { type LabelledChange, sendChanges } from './content-batch.ts'
import { COPIED_FIELDS, primaryContent, type WrittenContent } from './content-insert.ts'
import { type TreePage, placedPages, type ReadContent, readContent } from './content-read.ts'
import { type Copying, doneOnce, reportLabel, reading, reportOn, writing } from './copying.ts'
import { type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import type { CopiedSpace } from './places.ts'
import { contentKey, translateJson, translateText } from './translate.ts'

/** How many texts are read before they are written. */
const AT_ONCE = 25
const MOST_REDIRECTS = 400

/** Writes the texts of a space that the target has not: all of them, or after an archive those that have ids. */
export async function writeBodies(copying: Copying, space: CopiedSpace, content: ReadContent): Promise<void> {
  const { journal } = copying
  const isArchived = journal.target('archive', space.id) === 'imported'
  const written = primaryContent(copying, space)
  const from: TextSource = {
    base: `/spaces/${segment(space.id)}/content`,
    isMarkdown: isArchived,
    space,
    steps: space.id,
  }
  const isLinked = (id: string) => journal.target(LINKED, `${space.id}/${id}`) !== undefined
  const isLeft = (id: string) => !journal.isDone(`text ${space.id}/${id}`) && (!isArchived || isLinked(id))
  const pages = placedPages(content.pages)

  const reusables = content.reusables.map(({ id }) => jsonText(id)).filter(isLeft)
  for (const id of reusables)
    await doneOnce(copying, `text ${space.id}/${id}`, () => writeReusable(copying, from, written, id))
  const documents = pages.filter(({ id, page }) => hasText(page) && isLeft(id))
  for (let start = 0; start < documents.length; start += AT_ONCE) {
    copying.bar.show({ label: `Texts of ${space.title}`, done: start, total: documents.length })
    await writeTexts(copying, from, written, documents.slice(start, start + AT_ONCE))
  }
  await doneOnce(copying, `fields of ${space.id}`, () => writeFieldsOf(copying, space, pages, written))
  await doneOnce(copying, `variables of ${space.id}`, () => writeNamed(copying, space, content, written))
}

const hasText = ({ type }: JsonRecord) => type === undefined || type === 'document'

/** Where texts are read. */
export interface TextSource {
  base: string
  /** Whether the source returns the Markdown that it stores, which then needs no conversion. */
  isMarkdown: boolean
  space: Pick<CopiedSpace, 'id' | 'title'>
  /** The name under which the state file has the texts that are written. */
  steps: string
}

/** Reads the texts of pages, and writes them in one batch. */
export async function writeTexts(
  copying: Copying,
  from: TextSource,
  written: WrittenContent,
  pages: readonly TreePage[],
): Promise<void> {
  const { journal } = copying
  const changes: LabelledChange[] = []
  for (const { id, page } of pages) {
    const target = journal.target('page', contentKey(written.translation.space, id))
    if (target === undefined) continue
    const what = `${reportLabel('Space', from.space.title)}, ${reportLabel('page', jsonText(page.title))}`
    const step = `text ${from.steps}/${id}`
    const document = await pageText(copying, from, written, { id, what })
    if (document === undefined) continue
    const change = { operation: 'update_page', page: target }
    changes.push({
      what,
      change: { ...change, document },
      done: () => journal.done(step),
      refused: (message) =>
        from.isMarkdown || !('document' in document)
          ? Promise.resolve(reportOn(copying, 'unwritten', what, message))
          : writeAsMarkdown(copying, from, written, { id, what, change, step, message }),
    })
  }
  await sendChanges(copying, written.base, changes)
}

/** The text of a page in the source, with the ids of the target; undefined if it could not be read. */
export async function pageText(
  copying: Copying,
  { base, isMarkdown }: TextSource,
  { translation }: WrittenContent,
  { id, what }: { id: string; what: string },
): Promise<JsonRecord | undefined> {
  const format = isMarkdown ? 'markdown' : 'document'
  const path = `${base}/page/${segment(id)}?format=${format}&computed=false`
  const page = await reading(copying, what, () => copying.source('GET', path))
  if (!page) return undefined
  if (typeof page.markdown === 'string') return { markdown: translateText(page.markdown, translation) }
  const document = jsonRecord(page.document)
  return document.nodes === undefined ? {} : { document: translateJson(document, translation) }
}

/** Writes a page whose blocks the target refuses as Markdown. */
async function writeAsMarkdown(
  copying: Copying,
  from: TextSource,
  written: WrittenContent,
  page: { id: string; what: string; change: JsonRecord; step: string; message: string },
): Promise<void> {
  const { what, change, message, step } = page
  const document = await pageText(copying, { ...from, isMarkdown: true }, written, page)
  if (document === undefined) return
  if (!('markdown' in document)) return reportOn(copying, 'unwritten', what, message)
  const one: LabelledChange = {
    what,
    change: { ...change, document },
    done: () => {
      copying.journal.done(step)
      reportOn(
        copying,
        'copied-differently',
        what,
        `has its Markdown, because its blocks were refused: ${message}`,
      )
    },
  }
  await sendChanges(copying, written.base, [one])
}

/** Writes the text of a reusable content. Servers return it at different addresses. */
export async function writeReusable(
  copying: Copying,
  { base, space }: Pick<TextSource, 'base' | 'space'>,
  { base: target, translation }: WrittenContent,
  id: string,
): Promise<void> {
  const { journal, source } = copying
  const copy = journal.target('reusable', contentKey(translation.space, id))
  if (copy === undefined) return
  const what = `${reportLabel('Space', space.title)}, reusable content ${id}`
  const document = await reading(copying, what, async () => {
    const path = `${base}/reusable-contents/${segment(id)}`
    try {
      return await source('GET', `${path}/document`)
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.status !== 404) throw error
    }
    const reusable = await source('GET', path)
    const stored = someText(reusable.document)
    if (stored === undefined) return {}
    return source('GET', `/spaces/${segment(space.id)}/documents/${segment(stored)}`)
  })
  if (!document || document.nodes === undefined) return
  const translated = { document: translateJson(document, translation) }
  const change = { operation: 'update_reusable_content', reusableContent: copy, document: translated }
  await sendChanges(copying, target, [{ what, change }])
}

/** Writes the fields of pages in which the target differs: those that refer to others, and those that a text has changed. */
async function writeFieldsOf(
  copying: Copying,
  space: CopiedSpace,
  pages: readonly TreePage[],
  written: WrittenContent,
): Promise<void> {
  const what = reportLabel('Space', space.title)
  const made = await writing(copying, what, () => readContent(copying.target, written.base))
  if (!made) return
  const copies = new Map(placedPages(made.pages).map(({ id, page }) => [id, page]))
  const changes = pages.flatMap(({ id, page }): LabelledChange[] => {
    const target = copying.journal.target('page', contentKey(space.id, id))
    const copy = copies.get(target ?? '')
    if (target === undefined || !copy) return []
    const fields = changedFields(page, copy, written)
    if (Object.keys(fields).length === 0) return []
    const change = { operation: 'update_page', page: target, ...fields }
    return [{ what: `${what}, ${reportLabel('page', jsonText(page.title))}`, change }]
  })
  await sendChanges(copying, written.base, changes)
}

/** The values that clear fields for which null does not. */
export const CLEARED: Record<string, unknown> = { hidden: false, noIndex: false, noRobotsIndex: false }
/** The fields of pages that have references or several parts. */
export const SETTINGS = ['cover', 'tags', 'target'] as const

/** The fields of a page of the source that its copy has otherwise, with the ids of the target. */
function changedFields(page: JsonRecord, copy: JsonRecord, { translation }: WrittenContent): JsonRecord {
  const fields: JsonRecord = {}
  const names = [...COPIED_FIELDS, ...SETTINGS, ...(copy.slug === undefined ? [] : ['slug'])]
  for (const name of names) {
    const value = translateJson(page[name], translation)
    const isSame = isDeepStrictEqual(value ?? null, copy[name] ?? null)
    if (!isSame) fields[name] = value ?? CLEARED[name] ?? null
  }
  const [layout, other] = [jsonRecord(page.layout), jsonRecord(copy.layout)]
  const known = [...Object.keys(other), 'tags', 'actions']
  const changed = known.filter((name) => layout[name] !== undefined && layout[name] !== other[name])
  if (changed.length > 0) fields.layout = Object.fromEntries(changed.map((name) => [name, layout[name]]))
  return fields
}

/** Writes the variables and the redirects of a space. */
async function writeNamed(
  copying: Copying,
  space: CopiedSpace,
  { variables, redirects }: ReadContent,
  written: WrittenContent,
): Promise<void> {
  const what = reportLabel('Space', space.title)
  const made = await writing(copying, what, () => readContent(copying.target, written.base))
  if (!made) return
  const differing = (values: JsonRecord, others: JsonRecord) =>
    Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, others[name]))
  const changes: LabelledChange[] = []
  const missing = differing(variables, made.variables)
  if (missing.length > 0)
    changes.push({
      what: `${what}, variables`,
      change: { operation: 'update_variables', variables: Object.fromEntries(missing) },
    })
  const moved = differing(translated(redirects, written), made.redirects)
  for (let start = 0; start < moved.length; start += MOST_REDIRECTS)
    changes.push({
      what: `${what}, redirects`,
      change: {
        operation: 'update_redirects',
        redirects: Object.fromEntries(moved.slice(start, start + MOST_REDIRECTS)),
      },
    })
  await sendChanges(copying, written.base, changes)
}

const translated = (redirects: JsonRecord, { translation }: WrittenContent): JsonRecord =>
  Object.fromEntries(
    Object.entries(redirects).map(([path, target]) => [path, translateJson(target, translation)]),
  )
