/** The settings of each block and inline, other than its text. */
import type { BlockType, InlineType } from '../../../../core/document/model.ts'
import type { TypeWithoutFields } from './without-fields.ts'

/** One of the values that a field can have, and what people call it. An empty value is none. */
type Options = readonly (readonly [value: string, label: string])[]

/** The kind of value that a field holds. The dialog has an input for each kind. */
export type FieldKind =
  | 'line'
  | 'lines'
  | 'flag'
  | 'number'
  | 'date'
  | 'length'
  | 'texts'
  | 'language'
  | 'emoji'
  | 'json'
  | 'ref'
  | 'image'
  | 'file'
  | 'reusable'
  | 'user'
  | 'spec'
  | 'operation'
  | 'caption'
  | 'note'
  | 'action'
  | 'condition'
  | 'expression'
  | 'formula'
  | Options

/** A field of the data of a block or inline. */
export interface DataField {
  name: string
  label: string
  kind: FieldKind
  /** Whether the server refuses a block without it. */
  isRequired?: true
}

const field = (name: string, label: string, kind: FieldKind = 'line'): DataField => ({ name, label, kind })
const needed = (name: string, label: string, kind: FieldKind = 'line'): DataField => ({
  ...field(name, label, kind),
  isRequired: true,
})

const icon = field('icon', 'Icon')
const wide = field('fullWidth', 'Full width', 'flag')
const caption = field('caption', 'Caption', 'caption')
const align = field('align', 'Alignment', [
  ['', 'Start'],
  ['center', 'Center'],
  ['end', 'End'],
])
const heading = [field('id', 'Name in links'), align]
const method: DataField = needed('method', 'Method')
const spec = needed('ref', 'Specification', 'spec')
const condition = needed('expression', 'Who sees this', 'condition')

/** The fields of blocks and inlines by type.  */
export const FIELDS: Record<Exclude<BlockType | InlineType, TypeWithoutFields>, readonly DataField[]> = {
  paragraph: [align],
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': [field('start', 'First number', 'number')],
  hint: [
    needed('style', 'Kind of hint', [
      ['info', 'Information'],
      ['success', 'Success'],
      ['warning', 'Warning'],
      ['danger', 'Danger'],
    ]),
    icon,
  ],
  code: [
    field('syntax', 'Language', 'language'),
    field('title', 'Title'),
    field('lineNumbers', 'Line numbers', 'flag'),
    field('overflow', 'Long lines', [
      ['', 'Scroll'],
      ['wrap', 'Wrap'],
    ]),
    field('expandable', 'Show only the beginning', 'flag'),
    wide,
  ],
  math: [needed('formula', 'Formula in TeX', 'formula')],
  images: [
    field('align', 'Alignment', [
      ['', 'Start'],
      ['left', 'Left'],
      ['center', 'Center'],
      ['right', 'Right'],
    ]),
    field('withFrame', 'Frame', 'flag'),
    wide,
  ],
  image: [
    needed('ref', 'Image', 'image'),
    field('refDark', 'Image on a dark background', 'image'),
    field('alt', 'Description for people who cannot see it'),
    field('width', 'Width', 'length'),
    field('height', 'Height', 'length'),
  ],
  file: [needed('ref', 'File', 'file'), caption],
  drawing: [field('ref', 'Drawing', 'image')],
  embed: [needed('url', 'Address'), caption, wide],
  'content-ref': [needed('ref', 'A page, or an address', 'ref')],
  'reusable-content': [needed('ref', 'Reusable content', 'reusable')],
  tabs: [wide],
  'tabs-item': [field('title', 'Title'), icon],
  'stepper-step': [icon],
  columns: [wide],
  column: [
    field('width', 'Width', 'length'),
    field('verticalAlignment', 'Vertical alignment', [
      ['', 'Top'],
      ['middle', 'Middle'],
      ['bottom', 'Bottom'],
    ]),
  ],
  expandable: [field('defaultExpanded', 'Open at first', 'flag')],
  if: [condition],
  integration: [
    needed('integration', 'Integration'),
    needed('block', 'Block'),
    needed('props', 'Properties', 'json'),
    field('url', 'Address'),
    wide,
  ],
  swagger: [
    field('ref', 'Specification', 'file'),
    field('method', 'Method'),
    field('path', 'Path'),
    field('summary', 'Title'),
    field('baseUrl', 'Address of the server'),
    field('expanded', 'Open at first', 'flag'),
    wide,
  ],
  'openapi-operation': [spec, needed('path', 'Operation', 'operation')],
  'openapi-schemas': [spec, needed('schemas', 'Schemas', 'texts'), field('grouped', 'In one group', 'flag')],
  'openapi-webhook': [spec, needed('name', 'Name'), method],
  updates: [
    field('format', 'Dates', [
      ['', 'As the site shows them'],
      ['numeric', '2026-01-31'],
      ['short', 'Jan 31, 2026'],
      ['full', 'January 31, 2026'],
    ]),
  ],
  update: [needed('date', 'Date', 'date'), field('tags', 'Tags', 'texts')],
  prompt: [
    needed('description', 'Description of the prompt'),
    icon,
    field('openInAIProviders', 'Offer to open it in assistants', 'flag'),
    field('defaultExpanded', 'At first', [
      ['', 'As the site shows it'],
      ['hidden', 'Closed'],
      ['partial', 'Show only the beginning'],
      ['full', 'Open'],
    ]),
  ],
  html: [needed('html', 'HTML', 'lines')],

  mention: [needed('ref', 'Page or person', 'user')],
  emoji: [needed('code', 'Emoji', 'emoji')],
  icon: [needed('icon', 'Icon'), field('color', 'Color')],
  'inline-image': [
    needed('ref', 'Image', 'image'),
    field('refDark', 'Image on a dark background', 'image'),
    field('alt', 'Description for people who cannot see it'),
    field('size', 'Size', [
      ['', 'As high as the line'],
      ['original', 'Original'],
    ]),
  ],
  'inline-math': [needed('formula', 'Formula in TeX', 'formula')],
  expression: [needed('expression', 'Value', 'expression')],
  annotation: [field('note', 'Note', 'note')],
  button: [
    needed('label', 'Text'),
    needed('kind', 'Look', [
      ['primary', 'Primary'],
      ['secondary', 'Secondary'],
    ]),
    icon,
    field('ref', 'A page, or an address', 'ref'),
    field('action', 'Action', 'action'),
  ],
  'inline-if': [condition],
  'inline-html': [needed('html', 'HTML')],
}

/** Returns the display name of one of the values that a setting can have. */
export function nameOfValue(type: keyof typeof FIELDS, name: string, value: string): string {
  const kind = FIELDS[type].find((one) => one.name === name)?.kind
  return (typeof kind === 'object' && kind.find(([one]) => one === value)?.[1]) || value
}
