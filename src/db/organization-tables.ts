import type { Instant, JsonText } from './columns.ts'

/** The tables of what an organization defines for all its spaces. */
export interface OrganizationTables {
  customField: {
    id: string
    organizationId: string
    name: string
    title: string
    description: string
    placeholder: string
    type: 'text' | 'number' | 'boolean' | 'tags' | 'select:multi' | 'select:single'
    options: JsonText | null
    createdAt: Instant
    updatedAt: Instant
  }
  customFieldValue: { spaceId: string; customFieldId: string; value: JsonText }
  translationSettings: {
    id: string
    organizationId: string
    title: string
    languages: JsonText
    createdAt: Instant
    updatedAt: Instant
  }
  /** A page that an organization has kept as a template. */
  pageTemplate: {
    id: string
    organizationId: string
    title: string
    description: string
    emoji: string
    markdown: string
    createdAt: Instant
    updatedAt: Instant
  }
  /** A term in several languages. */
  glossaryEntry: {
    id: string
    organizationId: string
    /** The term by the tag of the language. */
    translations: JsonText
    createdAt: Instant
    updatedAt: Instant
  }
}
