/** What a page's record says and what its text says, changed together so that they never contradict each other. */
import type { MetaChange, ReadBody, ReadChange } from './batch-read.ts'
import { refuse } from './batch-refused.ts'
import { editFrontMatter, frontMatterEnd, readFrontMatter } from './document/front-matter.ts'
import { parsePage, titleSpan } from './document/parse.ts'
import { retitle } from './document/splice.ts'
import type { PageRecord, PageType } from './revision.ts'

/** What a page tells of itself, and its Markdown. */
export interface PageText extends Pick<
  PageRecord,
  | 'title'
  | 'emoji'
  | 'icon'
  | 'description'
  | 'hidden'
  | 'noIndex'
  | 'noRobotsIndex'
  | 'condition'
  | 'layout'
  | 'cover'
  | 'tags'
  | 'variables'
> {
  source: string
}

/** What front matter says that a record has too, by the key that it has there. */
const KEYS = {
  description: 'description',
  icon: 'icon',
  hidden: 'hidden',
  noIndex: 'noIndex',
  noRobotsIndex: 'noRobotsIndex',
  condition: 'if',
} as const
type Key = keyof typeof KEYS
const SETTABLE = Object.keys(KEYS) as Key[]
/** What only front matter sets. */
const UNSETTABLE = ['layout', 'cover', 'tags', 'variables'] as const

/** A new page. What its Markdown says of itself goes before what the change says; the source stays as it was sent. */
export function written(fresh: { title: string }, body: ReadBody, meta: MetaChange): PageText {
  const told = valuesOf(meta)
  const title = (body.kind === 'markdown' ? body.title : undefined) ?? meta.title ?? fresh.title
  if (body.kind === 'markdown') return { ...told, ...body.meta, title, source: body.source }
  if (body.kind === 'empty') return { ...told, title, source: '' }
  return { ...told, ...titled('', title, body.source) }
}

/** A page after a change. What the change says goes before what its new body says. */
export function retold(
  page: PageRecord,
  sourceOf: () => string,
  { body, meta }: ReadChange & { operation: 'update_page' },
  index: number,
): PageText {
  refuseForeign(page.type, { ...meta, ...(body && { document: body }) }, index)
  const { title = page.title } = meta
  if (page.type !== 'document') return { ...saidBy(page), ...valuesOf(meta), title, source: '' }

  const before = { ...saidBy(page), source: sourceOf() }
  return withMeta(body ? withBody(before, body) : before, meta)
}

const FIELDS: Record<Exclude<PageType, 'document'>, readonly string[]> = {
  group: ['title', 'slug', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'],
  link: ['title', 'emoji', 'icon', 'hidden', 'condition'],
  computed: ['title', 'emoji', 'icon', 'condition'],
}

function refuseForeign(type: PageType, change: object, index: number): void {
  if (type === 'document') return
  const foreign = Object.keys(change).find((field) => !FIELDS[type].includes(field))
  if (foreign !== undefined) refuse(index, foreign, `a ${type} page has none`)
}

function saidBy(page: PageRecord): Omit<PageText, 'source'> {
  const { title, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition } = page
  const { layout, cover, tags, variables } = page
  const said = { title, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition }
  return withoutUndefined({ ...said, layout, cover, tags, variables })
}

/** Another body. Without front matter it is only that; with it, it says what the one before said too, or takes it back. */
function withBody(before: PageText, body: ReadBody): PageText {
  if (body.kind === 'empty') return emptied(before)
  if (body.kind === 'document') {
    const [first] = parsePage(before.source).spans
    return { ...before, ...titled(before.source.slice(0, first?.start), before.title, body.source) }
  }

  const after: PageText = { ...before, title: body.title ?? before.title, source: body.source }
  const said = hasFrontMatter(body.source) ? readFrontMatter(before.source) : {}
  for (const key of [...SETTABLE, ...UNSETTABLE]) {
    const value = body.meta[key] ?? (said[key] === undefined ? before[key] : undefined)
    Object.assign(after, { [key]: value })
  }
  return withoutUndefined(after)
}

/** What front matter says of the page stays; of a heading, the record has the title. */
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

/** A body that is only blocks, below the front matter and the title that the page has, or gets. */
function titled(head: string, title: string, body: string): Pick<PageText, 'title' | 'source'> {
  const says = titleSpan(head) !== undefined || readFrontMatter(head).title !== undefined
  const above = says ? head : retitle(head, title)
  const gap = /\n[ \t]*\r?\n$/.test(above) ? '' : above.endsWith('\n') ? '\n' : '\n\n'
  const source = above + gap + body
  return { title: parsePage(source).title ?? title, source }
}

function withMeta(before: PageText, meta: MetaChange): PageText {
  const told = valuesOf(meta)
  const after = { ...before, ...told, ...renamed(before, meta.title) }
  const asked = SETTABLE.filter((key) => key in told)
  if (asked.length === 0) return withoutUndefined(after)

  const said = readFrontMatter(after.source)
  const edits = asked
    .filter((key) => said[key] !== undefined && (said[key] || undefined) !== told[key])
    .map((key) => [KEYS[key], told[key]])
  if (edits.length > 0) after.source = editFrontMatter(after.source, Object.fromEntries(edits))
  // Front matter that cannot be edited stays right about the page.
  const says = readFrontMatter(after.source)
  for (const key of asked) Object.assign(after, { [key]: (says[key] || undefined) ?? told[key] })
  return withoutUndefined(after)
}

function renamed({ title: old, source }: PageText, title = old): Pick<PageText, 'title' | 'source'> {
  if (title === old || parsePage(source).title === undefined) return { title, source }
  const after = retitle(source, title)
  return { title: parsePage(after).title ?? title, source: after }
}

type Values = Omit<PageText, 'title' | 'source'>

/** What a change says but for the title: undefined where it clears. */
function valuesOf(meta: MetaChange): Values {
  const { title: _title, slug: _slug, ...others } = meta
  const values: Values = {}
  for (const [name, value] of Object.entries(others)) Object.assign(values, { [name]: value || undefined })
  return values
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
