/** The differences in the fields of a page, with the names that the options of a page have. Pure. */
import type { PageLayout, PageMeta } from '../../../core/document/model.ts'
import { jsonEqual } from '../../../core/json.ts'
import { COVER_SIZES, LAYOUT_PARTS, PAGE_WIDTHS } from '../content/tree/page-layout.ts'
import type { SettingChange } from './setting-changes.ts'

type Kind = SettingChange['kind']

const FIELDS: Record<string, readonly [label: string, kind: Kind]> = {
  type: ['Type', 'line'],
  title: ['Title', 'line'],
  linkTitle: ['Title in the navigation', 'line'],
  description: ['Description', 'lines'],
  slug: ['Name in the address', 'line'],
  emoji: ['Emoji', 'emoji'],
  icon: ['Icon', 'line'],
  target: ['Leads to', 'ref'],
  hidden: ['Hide it in the navigation', 'flag'],
  noIndex: ['Leave it out of the search of the site', 'flag'],
  noRobotsIndex: ['Ask search engines to leave it out', 'flag'],
  condition: ['Who sees this page', 'condition'],
  computed: ['Computed', 'json'],
  // Of a file or a reusable content.
  name: ['Name', 'line'],
}

/** The names of the fields that have several settings. */
const GROUPS: Record<string, string> = {
  layout: 'Layout',
  cover: 'Cover',
  tags: 'Tags',
  variables: 'Variables',
}

/** The fields that have another name in the front matter of a page. */
const IN_FRONT_MATTER: Record<string, string> = {
  if: 'condition',
  vars: 'variables',
  coverDark: 'cover',
  coverY: 'cover',
  coverHeight: 'cover',
}

/** Returns the display name of a field of a page. @param name the name in the API or in the front matter */
export const nameOfField = (name: string): string => {
  const field = own(IN_FRONT_MATTER, name) ?? name
  return own(FIELDS, field)?.[0] ?? own(GROUPS, field) ?? field
}

/** The value of a key that is not inherited: a writer can name a field `constructor`. */
const own = <V>(table: Record<string, V>, key: string): V | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** The settings that differ between two values of a field. */
export function pageSettings(name: string, before: unknown, after: unknown): SettingChange[] {
  const both = { before: before ?? undefined, after: after ?? undefined }
  if (name === 'layout') return layoutSettings(both)
  if (name === 'cover') return coverSettings(both as Both<Cover>)
  if (name === 'tags') return tagSettings(both as Both<Tags>)
  if (name === 'variables') return variableSettings(both as Both<Variables>)
  const [label, kind] = own(FIELDS, name) ?? [name, typeof (after ?? before) === 'string' ? 'line' : 'json']
  return [{ label, kind, ...both }]
}

interface Both<T> {
  before: T | undefined
  after: T | undefined
}

/** The settings of a group that differ. */
function differing<T>(
  what: string,
  settings: readonly (readonly [label: string, kind: Kind, valueOf: (one: T | undefined) => unknown])[],
  { before, after }: Both<T>,
): SettingChange[] {
  return settings.flatMap(([label, kind, valueOf]) => {
    const [was, is] = [valueOf(before), valueOf(after)]
    if (jsonEqual(was, is)) return []
    return [{ of: { what, name: '' }, label, kind, before: was, after: is }]
  })
}

const layoutSettings = (both: Both<PageLayout>): SettingChange[] =>
  differing<PageLayout>(
    'Layout',
    [
      ['Width', PAGE_WIDTHS, (look) => look?.width ?? 'default'],
      ['Size of the cover', COVER_SIZES, (look) => look?.coverSize ?? 'hero'],
      ...LAYOUT_PARTS.map(
        ([name, label]) => [label, 'flag', (look: PageLayout | undefined) => look?.[name] !== false] as const,
      ),
    ],
    both,
  )

const coverSettings = (both: Both<Cover>): SettingChange[] =>
  differing<Cover>(
    'Cover',
    [
      ['Image', 'image', (cover) => cover?.ref],
      ['Image on a dark background', 'image', (cover) => cover?.refDark],
      ['Position', 'number', (cover) => cover?.yPos],
      ['Height', 'number', (cover) => cover?.height],
    ],
    both,
  )

type Cover = NonNullable<PageMeta['cover']>
type Tags = NonNullable<PageMeta['tags']>
type Variables = NonNullable<PageMeta['variables']>

function tagSettings({ before, after }: Both<Tags>): SettingChange[] {
  const settings: SettingChange[] = [
    { label: 'Tags', kind: 'texts', before: namesOf(before), after: namesOf(after) },
    { label: 'Main tag', kind: 'line', before: mainOf(before), after: mainOf(after) },
  ]
  return settings.filter((one) => !jsonEqual(one.before, one.after))
}

const namesOf = (tags: Tags = []) => (tags.length === 0 ? undefined : tags.map(({ tag }) => tag))

const mainOf = (tags: Tags = []) => tags.find(({ primary }) => primary)?.tag

function variableSettings({ before = {}, after = {} }: Both<Variables>): SettingChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [was, is] = [valueOf(before[name]), valueOf(after[name])]
    return was === is
      ? []
      : [{ of: { what: 'Variable', name }, kind: 'line' as const, before: was, after: is }]
  })
}

const valueOf = (value: string | number | boolean | undefined) =>
  value === undefined ? undefined : String(value)
