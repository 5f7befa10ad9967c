/** Changes the fields of a page's record and of its front matter together, so that they never contradict each other. */
import { given, type MetaChange } from '../fields/page.ts'
import type { ReadBody, ReadChange } from './read.ts'
import { refuseBatch } from './refused.ts'
import { editFrontMatter, frontMatterEnd, readFrontMatter } from '../../document/front-matter.ts'
import { parsePage, titleSpan } from '../../document/parse.ts'
import { retitle } from '../../document/splice.ts'
import { FRONT_MATTER_FIELDS, type FrontMatterField, frontMatterKeys, isSettable } from '../page-fields.ts'
import type { PageRecord, PageType } from '../revision.ts'

/** The fields of a page that its Markdown can hold, and its Markdown. */
export interface PageText extends Pick<PageRecord, 'title' | 'emoji' | FrontMatterField> {
  source: string
}

/** The fields of the front matter that a batch also sets beside the body. */
const SETTABLE = FRONT_MATTER_FIELDS.filter(isSettable)

/** A new page. The fields in its Markdown override those of the change, and the source is stored as it was sent. */
export function splitPageSource(fresh: { title: string }, body: ReadBody, meta: MetaChange): PageText {
  const values = valuesOf(meta)
  const title = (body.kind === 'markdown' ? body.title : undefined) ?? meta.title ?? fresh.title
  if (body.kind === 'markdown') return { ...values, ...body.meta, title, source: body.source }
  if (body.kind === 'empty') return { ...values, title, source: '' }
  return { ...values, ...titled('', title, body.source) }
}

/** A page after a change. The fields of the change override those in the new body. */
export function updatedPage(
  page: PageRecord,
  sourceOf: () => string,
  { body, meta }: ReadChange & { operation: 'update_page' },
  index: number,
): PageText {
  refuseForeign(page.type, { ...meta, ...(body && { document: body }) }, index)
  const { title = page.title } = meta
  if (page.type !== 'document') return { ...fieldsOf(page), ...valuesOf(meta), title, source: '' }

  const before = { ...fieldsOf(page), source: sourceOf() }
  return withMeta(body ? withBody(before, body) : before, meta)
}

const FIELDS: Record<Exclude<PageType, 'document'>, readonly string[]> = {
  group: ['title', 'slug', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'],
  link: ['title', 'emoji', 'icon', 'hidden', 'condition'],
  computed: ['title', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'],
}

function refuseForeign(type: PageType, change: object, index: number): void {
  if (type === 'document') return
  const foreign = Object.keys(change).find((field) => !FIELDS[type].includes(field))
  if (foreign !== undefined) refuseBatch(index, foreign, `a ${type} page has none`)
}

function fieldsOf(page: PageRecord): Omit<PageText, 'source'> {
  return { title: page.title, ...given(page, ['emoji', ...FRONT_MATTER_FIELDS]) }
}

/** Replaces the body. A body with front matter also replaces the fields that the previous front matter held. */
function withBody(before: PageText, body: ReadBody): PageText {
  if (body.kind === 'empty') return emptied(before)
  if (body.kind === 'document') {
    const [first] = parsePage(before.source).spans
    return { ...before, ...titled(before.source.slice(0, first?.start), before.title, body.source) }
  }

  const after: PageText = { ...before, title: body.title ?? before.title, source: body.source }
  const previous = hasFrontMatter(body.source) ? readFrontMatter(before.source) : {}
  for (const key of FRONT_MATTER_FIELDS) {
    const value = body.meta[key] ?? (previous[key] === undefined ? before[key] : undefined)
    Object.assign(after, { [key]: value })
  }
  return withoutUndefined(after)
}

/** Keeps the front matter; the record keeps the title that a heading held. */
function emptied(before: PageText): PageText {
  if (!hasFrontMatter(before.source)) return { ...before, source: '' }
  const source = before.source.slice(0, frontMatterEnd(before.source))
  const { title } = readFrontMatter(source)
  return {
    ...before,
    source: title === undefined ? source : editFrontMatter(source, { title: before.title }),
  }
}

function hasFrontMatter(source: string): boolean {
  return frontMatterEnd(source) > (source.startsWith('\ufeff') ? 1 : 0)
}

/** Puts a body that holds only blocks below the page's front matter and title. */
function titled(head: string, title: string, body: string): Pick<PageText, 'title' | 'source'> {
  const hasTitle = titleSpan(head) !== undefined || readFrontMatter(head).title !== undefined
  const above = hasTitle ? head : retitle(head, title)
  const gap = /\n[ \t]*\r?\n$/.test(above) ? '' : above.endsWith('\n') ? '\n' : '\n\n'
  const source = above + gap + body
  return { title: parsePage(source).title ?? title, source }
}

function withMeta(before: PageText, meta: MetaChange): PageText {
  const values = valuesOf(meta)
  const after = { ...before, ...values, ...renamed(before, meta.title) }
  const changed = SETTABLE.filter((key) => key in values)
  if (changed.length === 0) return withoutUndefined(after)

  const previous = readFrontMatter(after.source)
  const edits = changed
    .filter((key) => previous[key] !== undefined && (previous[key] || undefined) !== values[key])
    .map((key) => [frontMatterKeys(key)[0]!, values[key]])
  if (edits.length > 0) after.source = editFrontMatter(after.source, Object.fromEntries(edits))
  // Front matter that cannot be edited overrides the change, so that the record agrees with it.
  const written = readFrontMatter(after.source)
  for (const key of changed) Object.assign(after, { [key]: (written[key] || undefined) ?? values[key] })
  return withoutUndefined(after)
}

function renamed({ title: old, source }: PageText, title = old): Pick<PageText, 'title' | 'source'> {
  if (title === old || parsePage(source).title === undefined) return { title, source }
  const after = retitle(source, title)
  return { title: parsePage(after).title ?? title, source: after }
}

type Values = Omit<PageText, 'title' | 'source'>

/** The fields that a change sets, except the title. Undefined clears a field. */
function valuesOf(meta: MetaChange): Values {
  const { title: _title, slug: _slug, ...others } = meta
  const values: Values = {}
  for (const [name, value] of Object.entries(others)) Object.assign(values, { [name]: value || undefined })
  return values
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
