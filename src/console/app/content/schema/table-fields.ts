/** The display names of the settings of tables and of their columns, and of the values of these settings. */
import type { ColumnDefinition, TableView } from '../../../../core/document/model.ts'
import type { Label, PlainId } from '../../words/message-ids.ts'

type Named<T extends string> = readonly (readonly [value: T, label: PlainId])[]
type TextColumn = Extract<ColumnDefinition, { type: 'text' }>

export const COLUMN_TYPES: Named<ColumnDefinition['type']> = [
  ['text', 'block.text'],
  ['number', 'common.number'],
  ['checkbox', 'field.checkbox'],
  ['select', 'field.choice'],
  ['rating', 'field.rating'],
  ['users', 'common.people'],
  ['files', 'common.files'],
  ['content-ref', 'block.link'],
  ['image', 'block.image'],
]

export const ALIGNMENTS: Named<TextColumn['textAlignment']> = [
  ['left', 'field.left'],
  ['center', 'field.center'],
  ['right', 'field.right'],
]

export const VERTICAL_ALIGNMENTS: Named<NonNullable<TextColumn['verticalAlignment']>> = [
  ['top', 'field.top'],
  ['middle', 'field.middle'],
  ['bottom', 'field.bottom'],
]

export const VIEWS: Named<TableView['type']> = [
  ['grid', 'block.table'],
  ['cards', 'common.cards'],
]

export const CARD_SIZES: Named<Extract<TableView, { type: 'cards' }>['cardSize']> = [
  ['medium', 'field.medium'],
  ['large', 'field.large'],
]

/** How an image fills its place in a cell or card. Without a value, the site decides. */
export const IMAGE_FITS = [
  ['cover', 'common.cover'],
  ['contain', 'field.contain'],
  ['fill', 'field.stretch'],
] as const satisfies Named<string>

/** The roles that a column of cards can have. */
export const CARD_ROLES = {
  targetDefinition: 'field.where-card-leads',
  coverDefinition: 'field.cover-card',
  coverDefinitionDark: 'field.cover-card-dark-background',
} as const

const COLOR_NAMES: Readonly<Record<string, PlainId>> = {
  blue: 'color.blue',
  green: 'color.green',
  yellow: 'color.yellow',
  red: 'color.red',
  purple: 'color.purple',
  gray: 'color.gray',
}

/** Returns the display name of a color, which the model may write as `$blue`. */
export function nameOfColor(color: string): Label {
  const name = color.replace(/^\$/, '')
  return (Object.hasOwn(COLOR_NAMES, name) ? COLOR_NAMES[name] : undefined) ?? { verbatim: name }
}
