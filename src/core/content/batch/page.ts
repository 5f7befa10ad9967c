/** Changes the fields of a page's record and of its front matter together, so that they never contradict each other. */
import { given } from '../fields/given.ts'
import type { MetaChange } from '../fields/page.ts'
import type { ReadBody, ReadChange } from './read.ts'
import { emptiedSource, hasFrontMatter } from './emptied.ts'
import { refuseBatch } from './refused.ts'
import {
  editFrontMatter,
  type FrontMatter,
  readFrontMatter,
} from '../../document/front-matter/front-matter.ts'
import type { PageMeta } from '../../document/model.ts'
import { parsePage, titleConditions, titleSpan } from '../../document/parse.ts'
import { replaceSpans, retitle } from '../../document/splice.ts'
import { FRONT_MATTER_FIELDS, type FrontMatterField, frontMatterOfFields } from '../page-fields.ts'
import { jsonEqual } from '../../data/json.ts'
import type { PageRecord, PageType } from '../revision.ts'
import { because } from '../../languages/reasons.ts'

/** The fields of a page that a batch sets, except its place, and its Markdown. */
export interface PageText extends Pick<PageRecord, 'title' | BesideText | FrontMatterField> {
  source: string
}

/** The fields that no Markdown holds. */
const BESIDE_TEXT = ['linkTitle', 'emoji', 'target'] as const
type BesideText = (typeof BESIDE_TEXT)[number]

/** A new page. The fields in its Markdown override those of the change, and the source is stored as it was sent. */
export function splitPageSource(fresh: { title: string }, body: ReadBody, meta: MetaChange): PageText {
  const values = valuesOf(meta)
  const title = (body.kind === 'markdown' ? body.title : undefined) ?? meta.title ?? fresh.title
  if (body.kind === 'markdown') return { ...values, ...body.meta, title, source: body.source }
  if (body.kind === 'empty') return { ...values, title, source: '' }
  if (body.kind === 'written') throw new Error('A new page has no text to write to')
  return { ...values, ...titled('', title, body.source) }
}

/** A new page that has no body. @throws BatchRefused if the change has a field that such a page does not have */
export function newPageWithoutBody(type: 'group' | 'link', meta: MetaChange, index: number): PageText {
  refuseForeign(type, meta, index)
  return withoutUndefined({ ...valuesOf(meta), title: meta.title ?? '', source: '' })
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
  return updatedText(before, body && fitting(body, page, index), meta)
}

/** A text with a new body and new fields. The fields of the change override those in the new body. */
export function updatedText(before: PageText, body: ReadBody | undefined, meta: MetaChange): PageText {
  return withMeta(body ? withBody(before, body) : before, meta)
}

/** A body that was written to another text than the page has now is replaced by what the writer sent as a whole. */
export function fitting(body: ReadBody, { document }: Pick<PageRecord, 'document'>, index: number): ReadBody {
  if (body.kind !== 'written' || body.of === document) return body
  if (body.printed === undefined) return refuseBatch(index, 'document', because('page-changed-earlier'))
  return body.printed === '' ? { kind: 'empty' } : { kind: 'document', source: body.printed }
}

const FIELDS: Record<Exclude<PageType, 'document'>, readonly string[]> = {
  group: ['title', 'linkTitle', 'slug', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'],
  link: ['title', 'linkTitle', 'target', 'emoji', 'icon', 'hidden', 'condition'],
  computed: ['title', 'linkTitle', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'],
}

function refuseForeign(type: PageType, change: object, index: number): void {
  const isForeign = (field: string) =>
    type === 'document' ? field === 'target' : !FIELDS[type].includes(field)
  const foreign = Object.keys(change).find(isForeign)
  if (foreign !== undefined) refuseBatch(index, foreign, because('page-type-without', { type }))
}

function fieldsOf(page: PageRecord): Omit<PageText, 'source'> {
  return { title: page.title, ...given(page, [...BESIDE_TEXT, ...FRONT_MATTER_FIELDS]) }
}

/** Replaces the body. A body with front matter also replaces the fields that the previous front matter held. */
function withBody(before: PageText, body: ReadBody): PageText {
  if (body.kind === 'empty') return { ...before, source: emptiedSource(before) }
  if (body.kind === 'written') {
    const isFirst = before.source.trim() === '' && body.source !== ''
    return { ...before, ...(isFirst ? titled('', before.title, body.source) : { source: body.source }) }
  }
  if (body.kind === 'document') {
    const [first] = parsePage(before.source).spans
    const head = before.source.slice(0, first?.start)
    // The body is all that follows the title, with the conditions that began there.
    const cut = titleConditions(head).map((span) => ({ span, text: '' }))
    return { ...before, ...titled(replaceSpans(head, cut), before.title, body.source) }
  }

  const after: PageText = { ...before, title: body.title ?? before.title, source: body.source }
  const previous = hasFrontMatter(body.source) ? readFrontMatter(before.source) : {}
  for (const key of FRONT_MATTER_FIELDS) {
    const value = body.meta[key] ?? (previous[key] === undefined ? before[key] : undefined)
    Object.assign(after, { [key]: value })
  }
  return withoutUndefined(after)
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
  const values = valuesOf(meta, before.layout)
  const after = { ...before, ...values, ...renamed(before, meta.title) }
  const changed = FRONT_MATTER_FIELDS.filter((key) => key in values && !isSame(before[key], values[key]))
  if (changed.length === 0) return withoutUndefined(after)

  const previous = readFrontMatter(after.source)
  const edited = changed.filter((key) => previous[key] !== undefined && !isSame(previous[key], values[key]))
  if (edited.length > 0) after.source = editFrontMatter(after.source, writtenFields(edited, values))
  // Front matter that cannot be edited overrides the change, so that the record agrees with it.
  const written = readFrontMatter(after.source)
  for (const key of changed) Object.assign(after, { [key]: (written[key] || undefined) ?? values[key] })
  return withoutUndefined(after)
}

/** Whether two values of a field mean the same: false and empty text are no value. */
function isSame(a: unknown, b: unknown): boolean {
  return jsonEqual(a || undefined, b || undefined)
}

/** The front matter that holds the values. A record never changes, and neither do these. */
function writtenFields(fields: readonly FrontMatterField[], values: Values): FrontMatter {
  return frontMatterOfFields(fields, values as PageMeta)
}

function renamed({ title: old, source }: PageText, title = old): Pick<PageText, 'title' | 'source'> {
  if (title === old || parsePage(source).title === undefined) return { title, source }
  const after = retitle(source, title)
  return { title: parsePage(after).title ?? title, source: after }
}

type Values = Omit<PageText, 'title' | 'source'>

/**
 * The fields that a change sets, except the title. Undefined clears a field.
 * @param layout the layout whose settings the change replaces
 */
function valuesOf(meta: MetaChange, layout?: PageRecord['layout']): Values {
  const { title: _title, slug: _slug, ...others } = meta
  const values: Values = {}
  for (const [name, value] of Object.entries(others)) Object.assign(values, { [name]: value || undefined })
  const next = meta.layout && { ...layout, ...meta.layout }
  if (next) Object.assign(values, { layout: Object.keys(next).length > 0 ? next : undefined })
  return values
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
