/** The differences in the fields of a page, with the names that the options of a page have. Pure. */
import type { PageLayout, PageMeta } from '../../../core/document/model.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import { COVER_MASKS, COVER_SIZES, LAYOUT_PARTS, PAGE_WIDTHS } from '../content/tree/page-layout.ts'
import type { SettingChange } from './setting-changes.ts'
import type { Label, PlainId } from '../words/message-ids.ts'

type Kind = SettingChange['kind']

const FIELDS: Record<string, readonly [label: PlainId, kind: Kind]> = {
  type: ['common.type', 'line'],
  title: ['common.title', 'line'],
  linkTitle: ['common.title-navigation', 'line'],
  description: ['common.description', 'lines'],
  slug: ['common.name-address', 'line'],
  emoji: ['block.emoji', 'emoji'],
  icon: ['block.icon', 'line'],
  target: ['common.leads-to', 'ref'],
  hidden: ['common.hide-navigation', 'flag'],
  noIndex: ['common.leave-out-search-site', 'flag'],
  noRobotsIndex: ['common.ask-search-engines-leave', 'flag'],
  condition: ['common.sees-page', 'condition'],
  computed: ['common.computed', 'json'],
  // Of a file or a reusable content.
  name: ['common.name', 'line'],
}

/** The names of the fields that have several settings. */
const GROUPS: Record<string, PlainId> = {
  layout: 'common.layout',
  cover: 'common.cover',
  tags: 'common.tags',
  variables: 'common.variables',
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
export const nameOfField = (name: string): Label => {
  const field = own(IN_FRONT_MATTER, name) ?? name
  return own(FIELDS, field)?.[0] ?? own(GROUPS, field) ?? { verbatim: field }
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
  const [label, kind] = own(FIELDS, name) ?? [
    { verbatim: name },
    typeof (after ?? before) === 'string' ? 'line' : 'json',
  ]
  return [{ label, kind, ...both }]
}

interface Both<T> {
  before: T | undefined
  after: T | undefined
}

/** The settings of a group that differ. */
function differing<T>(
  what: PlainId,
  settings: readonly (readonly [label: PlainId, kind: Kind, valueOf: (one: T | undefined) => unknown])[],
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
    'common.layout',
    [
      ['common.width', PAGE_WIDTHS, (look) => look?.width ?? 'default'],
      ['common.size-cover', COVER_SIZES, (look) => look?.coverSize ?? 'hero'],
      ['common.edges-cover', COVER_MASKS, (look) => look?.coverMask ?? 'none'],
      ...LAYOUT_PARTS.map(
        ([name, label]) => [label, 'flag', (look: PageLayout | undefined) => look?.[name] !== false] as const,
      ),
    ],
    both,
  )

const coverSettings = (both: Both<Cover>): SettingChange[] =>
  differing<Cover>(
    'common.cover',
    [
      ['block.image', 'image', (cover) => cover?.ref],
      ['common.image-dark-background', 'image', (cover) => cover?.refDark],
      ['common.position', 'number', (cover) => cover?.yPos],
      ['common.height', 'number', (cover) => cover?.height],
    ],
    both,
  )

type Cover = NonNullable<PageMeta['cover']>
type Tags = NonNullable<PageMeta['tags']>
type Variables = NonNullable<PageMeta['variables']>

function tagSettings({ before, after }: Both<Tags>): SettingChange[] {
  const settings: SettingChange[] = [
    { label: 'common.tags', kind: 'texts', before: namesOf(before), after: namesOf(after) },
    { label: 'common.main-tag', kind: 'line', before: mainOf(before), after: mainOf(after) },
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
      : [{ of: { what: 'diff.variable', name }, kind: 'line' as const, before: was, after: is }]
  })
}

const valueOf = (value: string | number | boolean | undefined) =>
  value === undefined ? undefined : String(value)
