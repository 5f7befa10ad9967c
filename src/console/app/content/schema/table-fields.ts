/** The display names of the settings of tables and of their columns, and of the values of these settings. */
import type { ColumnDefinition, TableView } from '../../../../core/document/model.ts'

type Named<T extends string> = readonly (readonly [value: T, label: string])[]
type TextColumn = Extract<ColumnDefinition, { type: 'text' }>

export const COLUMN_TYPES: Named<ColumnDefinition['type']> = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['checkbox', 'Checkbox'],
  ['select', 'Choice'],
  ['rating', 'Rating'],
  ['users', 'People'],
  ['files', 'Files'],
  ['content-ref', 'Link'],
  ['image', 'Image'],
]

export const ALIGNMENTS: Named<TextColumn['textAlignment']> = [
  ['left', 'Left'],
  ['center', 'Center'],
  ['right', 'Right'],
]

export const VERTICAL_ALIGNMENTS: Named<NonNullable<TextColumn['verticalAlignment']>> = [
  ['top', 'Top'],
  ['middle', 'Middle'],
  ['bottom', 'Bottom'],
]

export const VIEWS: Named<TableView['type']> = [
  ['grid', 'Table'],
  ['cards', 'Cards'],
]

export const CARD_SIZES: Named<Extract<TableView, { type: 'cards' }>['cardSize']> = [
  ['medium', 'Medium'],
  ['large', 'Large'],
]

/** How an image fills its place in a cell or card. Without a value, the site decides. */
export const IMAGE_FITS = [
  ['cover', 'Cover'],
  ['contain', 'Contain'],
  ['fill', 'Stretch'],
] as const

/** The roles that a column of cards can have. */
export const CARD_ROLES = {
  targetDefinition: 'Where the card leads',
  coverDefinition: 'Cover of the card',
  coverDefinitionDark: 'Cover of the card on a dark background',
} as const
