/** Settings that differ, with both values as people call them. */
import type { ReactNode } from 'react'
import type {
  ButtonAction,
  ColumnDefinition,
  ContentRef,
  Length,
  Mark,
} from '../../../core/document/model.ts'
import { emojiOf } from '../content/schema/atoms.ts'
import { arrowTo, t } from '../words/words.ts'
import { TaskBox } from './shown/blocks.tsx'
import type { Side } from './changed-text.tsx'
import { Added, Gone, MarkedText } from './shown/painting.tsx'
import type { SettingChange } from './setting-changes.ts'
import { ShownFormula } from './shown/shown-formula.tsx'
import { ShownRef } from './shown/shown-ref.tsx'
import { textChanges } from './text-changes.ts'
import { nameOfColor } from '../content/schema/table-fields.ts'

/** A list of settings that differ. */
export function SettingList({ changes, side }: { changes: readonly SettingChange[]; side: Side }) {
  if (changes.length === 0) return null
  return (
    <dl className="fields settings">
      {changes.map((one, i) => (
        <div key={i}>
          <dt>{settingTitle(one)}</dt>
          <dd>
            <BothValues change={one} side={side} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The settings of one version, without marks. They are the later ones. */
export function Settings({ settings }: { settings: readonly SettingChange[] }) {
  return (
    <dl className="fields settings">
      {settings.map((one, i) => (
        <div key={i}>
          <dt>{settingTitle(one)}</dt>
          <dd>{shownValue(one.kind, one.after)}</dd>
        </div>
      ))}
    </dl>
  )
}

function settingTitle({ of, label }: SettingChange): string {
  const name = of?.name.trim().slice(0, 60) ?? ''
  const part = of && (name === '' ? t(of.what) : t('diff.what-name', { what: t(of.what), name }))
  return [part, label && t(label)].filter(Boolean).join(' · ')
}

/** Texts from this length on are shown once, with the words that differ. */
const LONG = 40

function BothValues({ change: { kind, before, after }, side }: { change: SettingChange; side: Side }) {
  const isText = typeof before === 'string' && typeof after === 'string' && TEXTS.includes(kind)
  if (side === 'both' && isText && Math.max(before.length, after.length) > LONG)
    return <MarkedText text={after} marks={textChanges(before, after)} />
  const [was, is] = [shownValue(kind, before), shownValue(kind, after)]
  if (side === 'both') return <BeforeAfter before={was} after={is} />
  const shown = side === 'before' ? was : is
  if (shown === undefined) return <span className="faint">{t('common.nothing')}</span>
  return side === 'before' ? <Gone text={shown} /> : <Added text={shown} />
}

const TEXTS: readonly SettingChange['kind'][] = [
  'line',
  'lines',
  'caption',
  'note',
  'condition',
  'expression',
]

/** The values of a version before and after; one that is undefined is not there. */
function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  return (
    <>
      {before !== undefined && <Gone text={before} />}
      {before !== undefined && after !== undefined && <span aria-hidden="true"> {arrowTo('end')} </span>}
      {after !== undefined && <Added text={after} />}
    </>
  )
}

/** A value as people call it; undefined for one that is not set and has no name. */
function shownValue(kind: SettingChange['kind'], value: unknown): ReactNode {
  if (typeof kind === 'object') {
    const label = kind.find(([one]) => one === (value ?? ''))?.[1]
    return label === undefined ? undefined : t(label)
  }
  if (kind === 'flag') return value === true ? t('diff.yes') : t('diff.no')
  if (kind === 'task')
    return (
      <>
        <TaskBox isDone={value === true} /> {value === true ? t('common.done') : t('diff.not-done')}
      </>
    )
  if (kind === 'marks') return marksText(value as readonly Mark[])
  if (value === undefined) return undefined
  switch (kind) {
    case 'ref':
    case 'image':
    case 'file':
    case 'reusable':
    case 'user':
    case 'spec':
      return <ShownRef value={value as ContentRef} />
    case 'length':
      return lengthText(value as Length)
    case 'texts':
      return (value as string[]).join(', ')
    case 'options':
      return optionsText(value as OptionsOfColumn)
    case 'emoji':
      return emojiOf(value as string)
    case 'formula':
      return <ShownFormula formula={value as string} />
    case 'action':
      return actionText(value as ButtonAction)
    case 'json':
      return <code>{JSON.stringify(value, null, 1)}</code>
    default:
      return value as string | number
  }
}

const lengthText = (length: Length): string =>
  typeof length === 'number' ? String(length) : `${length.value}${length.unit}`

type OptionsOfColumn = Extract<ColumnDefinition, { type: 'select' }>['options']

const optionsText = (options: OptionsOfColumn): string =>
  options.map(({ label, color }) => `${label} (${t(nameOfColor(color))})`).join(', ')

function actionText(action: ButtonAction): string {
  const names = { search: t('common.search'), ask: t('common.ask'), select: t('common.show-section-site') }
  const more = 'slug' in action ? action.slug : 'query' in action ? action.query : undefined
  return more ? `${names[action.action]}: ${more}` : names[action.action]
}

const FORMATS = {
  bold: () => t('common.bold'),
  italic: () => t('common.italic'),
  code: () => t('block.code'),
  keyboard: () => t('diff.keyboard-key'),
  strikethrough: () => t('common.struck-through'),
  superscript: () => t('diff.superscript'),
  subscript: () => t('diff.subscript'),
}

function marksText(marks: readonly Mark[]): string {
  if (marks.length === 0) return t('diff.not-formatted')
  return marks
    .flatMap((mark) => {
      if (mark.type !== 'color') return FORMATS[mark.type]()
      const { text, background } = mark.data
      return [
        ...(text ? [`${t('common.color')}: ${t(nameOfColor(text))}`] : []),
        ...(background ? [`${t('common.background')}: ${t(nameOfColor(background))}`] : []),
      ]
    })
    .join(', ')
}
