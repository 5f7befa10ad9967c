/** The differences in a block besides its text: in its settings, and in those of its inlines. Pure. */
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block, Fragment, Inline } from '../../../core/document/model.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import { type DataField, type FieldKind, FIELDS } from '../content/schema/fields.ts'
import { nameOfType } from '../content/schema/names.ts'
import type { InlineChange, Restyled } from './inline-changes.ts'
import type { Label } from '../words/message-ids.ts'

/** A setting with both values. One that is undefined is not set. */
export interface SettingChange {
  /** The part of the block that has the setting: what people call it, and its text. */
  of?: { what: Label; name: string }
  /** The display name of the setting; it is missing if the part has only one. */
  label?: Label
  /** The kind of the values. A `task` is done or not, `marks` format a text, and `options` are those of a column. */
  kind: FieldKind | 'task' | 'marks' | 'options'
  before: unknown
  after: unknown
}

/** A part that has settings: a block or an inline. */
interface Settable {
  type: string
  data: object
  fragments?: readonly Fragment[] | undefined
}

/** The settings of a block that differ, without those of the blocks in it. */
export function settingChanges(was: Block, is: Block): SettingChange[] {
  if (was.type === 'list-item' && is.type === 'list-item')
    return differing({ label: 'diff.task', kind: 'task', before: was.data.checked, after: is.data.checked })
  const ofFields = fieldChanges(was, is)
  if (was.type !== 'code' || is.type !== 'code') return ofFields
  const lines = { label: 'diff.highlighted-lines', kind: 'line' } as const
  return [...ofFields, ...differing({ ...lines, before: highlighted(was), after: highlighted(is) })]
}

function fieldChanges(was: Settable, is: Settable): SettingChange[] {
  const fields = (FIELDS as Partial<Record<string, readonly DataField[]>>)[is.type] ?? []
  return fields.flatMap((field) => {
    const { label, kind } = field
    return differing({ label, kind, before: valueOf(was, field), after: valueOf(is, field) })
  })
}

const differing = (change: SettingChange): SettingChange[] =>
  jsonEqual(change.before, change.after) ? [] : [change]

function valueOf({ data, fragments = [] }: Settable, { name, kind }: DataField): unknown {
  const values = data as Record<string, unknown>
  const value = values[name]
  if (kind === 'caption') return textOf(fragments.find((one) => one.fragment === 'caption'))
  if (kind === 'note') return textOf(fragments[0])
  if (kind === 'operation') return `${wordsOf(values.method).toUpperCase()} ${wordsOf(value)}`.trim()
  // `undefined` stands for the default that readers get: no value, or the first one.
  if (value === '' || value === false) return undefined
  return typeof kind === 'object' && !kind.some(([one]) => one === value) ? undefined : value
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textOf = (fragment: Fragment | undefined): string | undefined =>
  fragment?.nodes.map(leafText).join('\n') || undefined

/** The numbers of the lines that readers see highlighted, such as `2, 4–6`. */
function highlighted({ nodes }: Block & { type: 'code' }): string | undefined {
  const lines = nodes.flatMap((one, i) => (one.type === 'code-line' && one.data.highlighted ? [i + 1] : []))
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ') || undefined
}

/** The inlines that a text shows as they are, so that no setting of them is unseen. */
export const SEEN: readonly Inline['type'][] = [
  'emoji',
  'expression',
  'inline-html',
  'inline-math',
  'mention',
]

/** The settings of the inlines of a text that differ, and those of links and notes that are new or gone. */
export function inlineSettings(changes: readonly InlineChange[]): SettingChange[] {
  return changes.flatMap(({ was, is }) => {
    const { inline, text } = (is ?? was)!
    if (SEEN.includes(inline.type) || (!inline.nodes && !(was && is))) return []
    const name = text || (inline.type === 'button' ? inline.data.label : '')
    const none = { type: inline.type, data: {} }
    const changed =
      inline.type === 'link'
        ? differing({ kind: 'ref', before: linkTarget(was?.inline), after: linkTarget(is?.inline) })
        : fieldChanges(was?.inline ?? none, is?.inline ?? none)
    return changed.map((one) => ({ of: { what: nameOfType(inline.type), name }, ...one }))
  })
}

const linkTarget = (one: Inline | undefined) => (one?.type === 'link' ? one.data.ref : undefined)

/** The texts whose formatting differs. */
export const formatSettings = (texts: readonly Restyled[]): SettingChange[] =>
  texts.map(({ text, was, is }) => ({
    of: { what: 'block.text', name: text },
    kind: 'marks',
    before: was,
    after: is,
  }))
