/** The glossary of an organization: its terms, and what they are in other languages. */
import { type Static, Type } from 'typebox'
import { LANGUAGES } from '../../core/languages/content-languages.ts'
import { canonicalTag, LONGEST_TAG } from '../../core/languages/language-tag.ts'
import { because } from '../../core/languages/reasons.ts'
import type { Row } from '../../db/schema.ts'
import { invalidField } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { Id, InOrganization, oneOf, Timestamp, Uri } from '../common.ts'

/** The most languages of an entry. */
const MOST_LANGUAGES = 100
/** The most characters of a term (`api-facts.md`, the glossary). */
const LONGEST_TERM = 255
/** The most changes of one request. */
const MOST_CHANGES = 1000

export const InGlossaryEntry = Type.Object({ ...InOrganization.properties, glossaryEntryId: Id })

/** The terms of a request, by the tags of their languages, which `withUsualTags` checks. */
const Terms = Type.Record(
  Type.String({ maxLength: LONGEST_TAG }),
  Type.String({
    minLength: 1,
    maxLength: LONGEST_TERM,
    // oxlint-disable-next-line no-control-regex -- a term is one line
    pattern: '^(?=.*\\S)[^\\x00-\\x1f\\x7f\\u2028\\u2029]*$',
    'x-pattern': 'be one line of text that is not blank',
  }),
  {
    minProperties: 1,
    maxProperties: MOST_LANGUAGES,
    description: 'The term by the tag of the language (BCP 47), such as `de` or `pt-br`',
  },
)

const CHANGES = [
  Type.Object({ type: oneOf(['insert']), translations: Terms }),
  Type.Object({ type: oneOf(['update']), id: Id, translations: Terms }),
  Type.Object({ type: oneOf(['delete']), id: Id }),
] as const

/** A change of the glossary, discriminated by `type`. */
export type GlossaryChange = Static<(typeof CHANGES)[number]>

export const GlossaryChanges = Type.Array(
  Type.Unsafe<GlossaryChange>({
    title: 'GlossaryChange',
    type: 'object',
    required: ['type'],
    oneOf: [...CHANGES],
    discriminator: { propertyName: 'type' },
  }),
  { minItems: 1, maxItems: MOST_CHANGES },
)

/** A term of an organization in its languages. */
export const GlossaryEntry = Type.Object(
  {
    object: oneOf(['glossary-entry']),
    id: Type.String(),
    translations: Type.Record(Type.String(), Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Type.Object({ location: Uri }),
  },
  { title: 'GlossaryEntry' },
)
export type GlossaryEntry = Static<typeof GlossaryEntry>

const CODES = new Set<string>(LANGUAGES)

/**
 * The terms with the usual spelling of each tag: the code of the API if there is one (`pt-br`), else that of BCP 47 (`zh-TW`).
 * @param field the field of the request, for errors
 * @throws 400 if a name is no tag, or if two are the same
 */
export function withUsualTags(terms: Static<typeof Terms>, field: string): Record<string, string> {
  const usual = new Map<string, { tag: string; term: string }>()
  for (const [tag, term] of Object.entries(terms)) {
    const known = usualTag(tag)
    if (known === undefined) throw invalidField(field, because('glossary-language', { tag }))
    const other = usual.get(known)?.tag
    if (other !== undefined) throw invalidField(field, because('glossary-language-twice', { tag, other }))
    usual.set(known, { tag, term })
  }
  return Object.fromEntries([...usual].map(([tag, { term }]) => [tag, term]))
}

function usualTag(tag: string): string | undefined {
  const code = tag.toLowerCase().replaceAll('_', '-')
  return CODES.has(code) ? code : canonicalTag(tag)
}

/** The entry as the API returns it. */
export function toGlossaryEntry(urls: Urls, row: Row<'glossaryEntry'>): GlossaryEntry {
  const { id, organizationId, createdAt, updatedAt } = row
  return {
    object: 'glossary-entry',
    id,
    translations: JSON.parse(row.translations) as Record<string, string>,
    createdAt,
    updatedAt,
    urls: { location: urls.api(`/orgs/${organizationId}/translations-glossary/${id}`) },
  }
}
