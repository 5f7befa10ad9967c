/** All fields of a page in one table. The row of a field determines its uses. */
import { type FrontMatter, frontMatterOf } from '../document/front-matter/front-matter.ts'
import type { PageMeta } from '../document/model.ts'
import type { PageRecord } from './revision.ts'

interface PageField {
  /** Readers see the field, so a change of it is an attribute of the edited page. */
  readonly seen: boolean
  /** Both sides of a merge set the field independently of the others, as a field of the record. */
  readonly merged: boolean
  /** A batch sets the field beside the body. */
  readonly settable?: true
  /** The keys of the front matter that hold the field too. */
  readonly frontMatter?: readonly string[]
}

type FieldName = Exclude<keyof PageRecord, 'id' | 'parent' | 'order'>

const FIELDS = {
  type: { seen: true, merged: true },
  title: { seen: true, merged: true, settable: true },
  slug: { seen: true, merged: true, settable: true },
  linkTitle: { seen: true, merged: true, settable: true },
  emoji: { seen: true, merged: true, settable: true },
  icon: { seen: true, merged: true, settable: true, frontMatter: ['icon'] },
  description: { seen: true, merged: true, settable: true, frontMatter: ['description'] },
  hidden: { seen: true, merged: true, settable: true, frontMatter: ['hidden'] },
  noIndex: { seen: true, merged: true, settable: true, frontMatter: ['noIndex'] },
  noRobotsIndex: { seen: true, merged: true, settable: true, frontMatter: ['noRobotsIndex'] },
  condition: { seen: true, merged: true, settable: true, frontMatter: ['if'] },
  layout: { seen: true, merged: true, settable: true, frontMatter: ['layout'] },
  cover: {
    seen: true,
    merged: true,
    settable: true,
    frontMatter: ['cover', 'coverDark', 'coverY', 'coverHeight'],
  },
  tags: { seen: true, merged: true, settable: true, frontMatter: ['tags'] },
  variables: { seen: true, merged: true, settable: true, frontMatter: ['vars'] },
  file: { seen: false, merged: true },
  target: { seen: true, merged: true, settable: true },
  computed: { seen: true, merged: true },
  document: { seen: true, merged: false },
  oid: { seen: false, merged: false },
  createdAt: { seen: false, merged: false },
  updatedAt: { seen: false, merged: false },
} as const satisfies Record<FieldName, PageField>

type Fields = typeof FIELDS
type NamesWith<P> = { [K in keyof Fields]: Fields[K] extends P ? K : never }[keyof Fields]

function namesWith<K extends keyof Fields>(has: (field: PageField) => boolean): readonly K[] {
  return Object.entries(FIELDS).flatMap(([name, field]) => (has(field) ? [name as K] : []))
}

/** The fields that readers see. */
export type SeenPageField = NamesWith<{ seen: true }>
export const SEEN_PAGE_FIELDS = namesWith<SeenPageField>(({ seen }) => seen)

/** The fields that are merged one by one: all but the place, the body and the bookkeeping. */
export const MERGED_PAGE_FIELDS = namesWith<NamesWith<{ merged: true }>>(({ merged }) => merged)

/** The fields that a batch sets beside the body. */
export const SETTABLE_PAGE_FIELDS = namesWith<NamesWith<{ settable: true }>>(
  ({ settable }) => settable === true,
)

/** The fields that the front matter holds too. */
export type FrontMatterField = NamesWith<{ frontMatter: readonly string[] }>
export const FRONT_MATTER_FIELDS = namesWith<FrontMatterField>(({ frontMatter }) => frontMatter !== undefined)

/** The front matter of the given fields by key; undefined removes a key. */
export function frontMatterOfFields(fields: readonly FrontMatterField[], meta: PageMeta): FrontMatter {
  const values = frontMatterOf(meta)
  return Object.fromEntries(
    fields.flatMap((field) => FIELDS[field].frontMatter).map((key) => [key, values[key]]),
  )
}
