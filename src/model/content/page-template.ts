/** Templates of pages: those of Lectern, and the pages that an organization has kept as templates. */
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { FIELD_LENGTHS } from '../../core/content/fields/page.ts'
import { because } from '../../core/languages/reasons.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { Id, InOrganization, oneOf, Timestamp, titleSchema, Uri } from '../common.ts'

/** The most characters of the Markdown of a template. */
const MARKDOWN_MAX = 100_000

export const InPageTemplate = Type.Object({ ...InOrganization.properties, pageTemplateId: Id })

/** The fields of a template that a request sets. An empty emoji or description is none. */
export const PageTemplateFields = {
  title: titleSchema(FIELD_LENGTHS.title),
  description: Type.String({ maxLength: FIELD_LENGTHS.description }),
  emoji: Type.String({ maxLength: FIELD_LENGTHS.emoji }),
  markdown: Type.String({
    maxLength: MARKDOWN_MAX,
    description: 'The text of a page, without its title',
  }),
}

const FIELDS = {
  object: oneOf(['page-template']),
  id: Type.String(),
  title: Type.String({ description: 'The title of a page that begins with the template' }),
  description: Type.String(),
  emoji: Type.String(),
  builtIn: Type.Boolean({ description: 'Whether it is a template of Lectern, which nobody can change' }),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  urls: Type.Object({ location: Uri }),
}

/** A template of a page as lists show it. */
export const ListedPageTemplate = Type.Object(FIELDS, { title: 'ListedPageTemplate' })
type ListedPageTemplate = Static<typeof ListedPageTemplate>

/** A template of a page with its text. */
export const PageTemplate = Type.Object(
  { ...FIELDS, markdown: Type.String({ description: 'The text of a page, without its title' }) },
  { title: 'PageTemplate' },
)
type PageTemplate = Static<typeof PageTemplate>

type ListedRow = Omit<Row<'pageTemplate'>, 'markdown'>

/** The columns of the table without the text. */
export const LISTED_TEMPLATE_COLUMNS = [
  'id',
  'organizationId',
  'title',
  'description',
  'emoji',
  'createdAt',
  'updatedAt',
] as const

const locationOf = (urls: Urls, organizationId: string, id: string): Pick<ListedPageTemplate, 'urls'> => ({
  urls: { location: urls.api(`/orgs/${organizationId}/page-templates/${id}`) },
})

/** A template of an organization as lists show it. */
function toListedPageTemplate(urls: Urls, row: ListedRow): ListedPageTemplate {
  const { id, organizationId, title, description, emoji, createdAt, updatedAt } = row
  const fields = { id, title, description, emoji, builtIn: false, createdAt, updatedAt }
  return { object: 'page-template', ...fields, ...locationOf(urls, organizationId, id) }
}

/** A template of an organization with its text. */
export const toPageTemplate = (urls: Urls, row: Row<'pageTemplate'>): PageTemplate => ({
  ...toListedPageTemplate(urls, row),
  markdown: row.markdown,
})

/** The templates of Lectern, in the order of their ids. Each id is also the name of a file. */
const BUILT_IN = {
  'decision-record': ['A decision with its context, the options, and what follows from it', '2696'],
  'how-to': ['The steps to reach a goal, and what to do if one fails', '1f9ed'],
  'meeting-notes': ['What was discussed and decided, and who does what', '1f4dd'],
  reference: ['Settings or fields in a table, with examples and limits', '1f4da'],
  'release-notes': ['What is new, changed and fixed in a version', '1f4e3'],
  runbook: ['What to do when an alert fires', '1f692'],
} as const satisfies Record<string, readonly [description: string, emoji: string]>

/** The ids of the templates of Lectern. */
export const PAGE_TEMPLATE_IDS = Object.keys(BUILT_IN) as (keyof typeof BUILT_IN)[]

function readBuiltIn(id: keyof typeof BUILT_IN): { title: string; markdown: string } {
  const source = readFileSync(new URL(`./page-templates/${id}.md`, import.meta.url), 'utf8')
  const [heading = '', ...lines] = source.split('\n')
  return { title: heading.replace(/^# /, ''), markdown: lines.join('\n').trim() + '\n' }
}

function makeBuiltIn() {
  return PAGE_TEMPLATE_IDS.map((id) => {
    const [description, emoji] = BUILT_IN[id]
    const { title, markdown } = readBuiltIn(id)
    const listed = { object: 'page-template' as const, id, title, description, emoji, builtIn: true }
    return { listed, markdown }
  })
}

let madeBuiltIn: ReturnType<typeof makeBuiltIn> | undefined

/** The templates of Lectern, each with its text. Their files are read at the first use. */
const builtInTemplates = () => (madeBuiltIn ??= makeBuiltIn())

/** All templates that pages of an organization can begin with, in the order of their ids. */
export function listedTemplates(
  urls: Urls,
  organizationId: string,
  rows: readonly ListedRow[],
): ListedPageTemplate[] {
  const builtIn = builtInTemplates().map(({ listed }) => ({
    ...listed,
    ...locationOf(urls, organizationId, listed.id),
  }))
  const own = rows.map((row) => toListedPageTemplate(urls, row))
  return [...own, ...builtIn].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** A template of Lectern; undefined for another id. */
export function builtInTemplate(urls: Urls, organizationId: string, id: string): PageTemplate | undefined {
  const found = builtInTemplates().find(({ listed }) => listed.id === id)
  if (!found) return undefined
  return { ...found.listed, ...locationOf(urls, organizationId, id), markdown: found.markdown }
}

/** Finds a template of an organization; undefined if it has none with this id. */
export const findPageTemplate = (db: Reader, organizationId: string, id: string) =>
  db
    .selectFrom('pageTemplate')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Finds a template of an organization. @throws 404, and 409 for a template of Lectern */
export async function needOwnTemplate(
  db: Reader,
  organizationId: string,
  id: string,
): Promise<Row<'pageTemplate'>> {
  refuseBuiltIn(id)
  const row = await findPageTemplate(db, organizationId, id)
  if (!row) throw notFound('page template')
  return row
}

/** @throws 409 for the id of a template of Lectern */
export function refuseBuiltIn(id: string): void {
  if (PAGE_TEMPLATE_IDS.some((one) => one === id)) throw conflict(because('page-template-built-in', { id }))
}
