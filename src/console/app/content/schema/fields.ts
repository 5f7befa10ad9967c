/** The settings of each block and inline, other than its text. */
import type { BlockType, InlineType } from '../../../../core/document/model.ts'
import type { TypeWithoutFields } from './without-fields.ts'
import type { Label, PlainId } from '../../words/message-ids.ts'

/** One of the values that a field can have, and what people call it. An empty value is none. */
type Options = readonly (readonly [value: string, label: Label])[]

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
  label: PlainId
  kind: FieldKind
  /** Whether the server refuses a block without it. */
  isRequired?: true
}

const field = (name: string, label: PlainId, kind: FieldKind = 'line'): DataField => ({ name, label, kind })
const needed = (name: string, label: PlainId, kind: FieldKind = 'line'): DataField => ({
  ...field(name, label, kind),
  isRequired: true,
})

const icon = field('icon', 'block.icon')
const wide = field('fullWidth', 'common.full-width', 'flag')
const caption = field('caption', 'field.caption', 'caption')
const align = field('align', 'common.alignment', [
  ['', 'field.start'],
  ['center', 'field.center'],
  ['end', 'field.end'],
])
const heading = [field('id', 'common.name-in-links'), align]
const method: DataField = needed('method', 'field.method')
const spec = needed('ref', 'field.specification', 'spec')
const condition = needed('expression', 'field.who-sees-this', 'condition')

/** The fields of blocks and inlines by type.  */
export const FIELDS: Record<Exclude<BlockType | InlineType, TypeWithoutFields>, readonly DataField[]> = {
  paragraph: [align],
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': [field('start', 'field.first-number', 'number')],
  hint: [
    needed('style', 'common.kind-of-hint', [
      ['info', 'common.information'],
      ['success', 'common.success'],
      ['warning', 'common.warning'],
      ['danger', 'common.danger'],
    ]),
    icon,
  ],
  code: [
    field('syntax', 'common.language', 'language'),
    field('title', 'common.title'),
    field('lineNumbers', 'field.line-numbers', 'flag'),
    field('overflow', 'field.long-lines', [
      ['', 'field.scroll'],
      ['wrap', 'field.wrap'],
    ]),
    field('expandable', 'field.show-only-beginning', 'flag'),
    wide,
  ],
  math: [needed('formula', 'field.formula-te-x', 'formula')],
  images: [
    field('align', 'common.alignment', [
      ['', 'field.start'],
      ['left', 'field.left'],
      ['center', 'field.center'],
      ['right', 'field.right'],
    ]),
    field('withFrame', 'field.frame', 'flag'),
    wide,
  ],
  image: [
    needed('ref', 'block.image', 'image'),
    field('refDark', 'common.image-dark-background', 'image'),
    field('alt', 'common.description-people-cannot-see'),
    field('width', 'common.width', 'length'),
    field('height', 'common.height', 'length'),
  ],
  file: [needed('ref', 'block.file', 'file'), caption],
  drawing: [field('ref', 'block.drawing', 'image')],
  embed: [needed('url', 'common.address'), caption, wide],
  'content-ref': [needed('ref', 'common.page-address', 'ref')],
  'reusable-content': [needed('ref', 'block.reusable-content', 'reusable')],
  tabs: [wide],
  'tabs-item': [field('title', 'common.title'), icon],
  'stepper-step': [icon],
  columns: [wide],
  column: [
    field('width', 'common.width', 'length'),
    field('verticalAlignment', 'common.vertical-alignment', [
      ['', 'field.top'],
      ['middle', 'field.middle'],
      ['bottom', 'field.bottom'],
    ]),
  ],
  expandable: [field('defaultExpanded', 'field.open-at-first', 'flag')],
  if: [condition],
  integration: [
    needed('integration', 'block.integration'),
    needed('block', 'common.block'),
    needed('props', 'field.properties', 'json'),
    field('url', 'common.address'),
    wide,
  ],
  swagger: [
    field('ref', 'field.specification', 'file'),
    field('method', 'field.method'),
    field('path', 'common.path'),
    field('summary', 'common.title'),
    field('baseUrl', 'field.address-server'),
    field('expanded', 'field.open-at-first', 'flag'),
    wide,
  ],
  'openapi-operation': [spec, needed('path', 'field.operation', 'operation')],
  'openapi-schemas': [
    spec,
    needed('schemas', 'field.schemas', 'texts'),
    field('grouped', 'field.in-one-group', 'flag'),
  ],
  'openapi-webhook': [spec, needed('name', 'common.name'), method],
  updates: [
    field('format', 'field.dates', [
      ['', 'field.site-shows-them'],
      ['numeric', { verbatim: '2026-01-31' }],
      ['short', { verbatim: 'Jan 31, 2026' }],
      ['full', { verbatim: 'January 31, 2026' }],
    ]),
  ],
  update: [needed('date', 'common.date', 'date'), field('tags', 'common.tags', 'texts')],
  prompt: [
    needed('description', 'common.description-prompt'),
    icon,
    field('openInAIProviders', 'field.offer-open-assistants', 'flag'),
    field('defaultExpanded', 'field.at-first', [
      ['', 'common.site-shows'],
      ['hidden', 'field.closed'],
      ['partial', 'field.show-only-beginning'],
      ['full', 'common.open'],
    ]),
  ],
  html: [needed('html', 'block.html', 'lines')],

  mention: [needed('ref', 'field.page-or-person', 'user')],
  emoji: [needed('code', 'block.emoji', 'emoji')],
  icon: [needed('icon', 'block.icon'), field('color', 'common.color')],
  'inline-image': [
    needed('ref', 'block.image', 'image'),
    field('refDark', 'common.image-dark-background', 'image'),
    field('alt', 'common.description-people-cannot-see'),
    field('size', 'common.size', [
      ['', 'field.high-line'],
      ['original', 'field.original'],
    ]),
  ],
  'inline-math': [needed('formula', 'field.formula-te-x', 'formula')],
  expression: [needed('expression', 'common.value', 'expression')],
  annotation: [field('note', 'field.note', 'note')],
  button: [
    needed('label', 'block.text'),
    needed('kind', 'common.look', [
      ['primary', 'field.primary'],
      ['secondary', 'field.secondary'],
    ]),
    icon,
    field('ref', 'common.page-address', 'ref'),
    field('action', 'common.action', 'action'),
  ],
  'inline-if': [condition],
  'inline-html': [needed('html', 'block.html')],
}

/** Returns the display name of one of the values that a setting can have. */
export function nameOfValue(type: keyof typeof FIELDS, name: string, value: string): Label {
  const kind = FIELDS[type].find((one) => one.name === name)?.kind
  return (typeof kind === 'object' && kind.find(([one]) => one === value)?.[1]) || { verbatim: value }
}
