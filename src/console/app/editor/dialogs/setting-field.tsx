/** The field of one setting of a block or inline, by the kind of its value. */
import type { ReactNode } from 'react'
import { fragment, paragraph } from '../../../../core/document/build.ts'
import type { ButtonAction, ContentRef, Fragment, Length } from '../../../../core/document/model.ts'
import type { DataField, FieldKind } from '../../content/schema/fields.ts'
import { ConditionField } from '../../ui/condition-field.tsx'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'
import { LANGUAGES } from './code-languages.ts'
import { FormulaField } from './formula-field.tsx'
import {
  ExpressionField,
  FileField,
  OperationField,
  PickField,
  type PickContext,
  ReusableField,
  SpecField,
  TargetField,
} from './pick-fields.tsx'
import { RichField } from './rich-field.tsx'
import { ActionField, EmojiField, JsonField, LengthField, LongField, TextsField } from './value-fields.tsx'

/** The data of a node. */
export type NodeData = Record<string, unknown>

/** The attributes of a node that has settings. */
export interface NodeAttrs {
  data: NodeData
  fragments?: Fragment[] | null
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '')

interface SettingProps {
  field: DataField
  /** The name of the type of the node. */
  type: string
  attrs: NodeAttrs
  context: PickContext
  autoFocus: boolean
  onChange: (change: Partial<NodeAttrs>) => void
  onData: (change: NodeData) => void
}

/** A setting, and what its field is drawn from. */
interface Setting extends SettingProps {
  value: unknown
  set(value: unknown): void
  /** What every field gets. */
  shared: { label: string; isRequired: boolean; autoFocus: boolean }
}

export function SettingField(props: SettingProps) {
  const { field, attrs, autoFocus, onData } = props
  const { name, label, kind, isRequired } = field
  const value = attrs.data[name]
  if (typeof kind !== 'string')
    return (
      <ChoiceField
        label={t(label)}
        value={words(value)}
        onChange={(one: string) => onData({ [name]: one || undefined })}
        options={kind.map(([one, title]) => [one, t(title)] as const)}
      />
    )
  return FIELD_OF_KIND[kind]({
    ...props,
    value,
    set: (one) => onData({ [name]: one === '' && !isRequired ? undefined : one }),
    shared: { label: t(label), isRequired: isRequired === true, autoFocus },
  })
}

const ofRef = ({ shared, value, set, context }: Setting) => ({
  ...shared,
  value: value as ContentRef | undefined,
  onChange: set,
  context,
})

const FIELD_OF_KIND: Record<Extract<FieldKind, string>, (setting: Setting) => ReactNode> = {
  line: ({ shared, value, set }) => <LineField {...shared} value={words(value)} onChange={set} />,
  lines: ({ shared, value, set }) => <LongField {...shared} value={words(value)} onChange={set} />,
  flag: ({ shared: { label }, value, set }) => (
    <CheckField label={label} isChecked={value === true} onChange={set} />
  ),
  number: ({ shared, value, set }) => (
    <LineField
      {...shared}
      value={typeof value === 'number' ? String(value) : ''}
      onChange={(text) => set(/^\d{1,9}$/.test(text) ? Number(text) : undefined)}
    />
  ),
  date: ({ shared, value, set }) => (
    <LineField
      {...shared}
      type={/^\d{4}-\d\d-\d\d$|^$/.test(words(value)) ? 'date' : 'text'}
      value={words(value)}
      onChange={set}
    />
  ),
  length: ({ shared, value, set }) => (
    <LengthField {...shared} value={value as Length | undefined} onChange={set} />
  ),
  texts: ({ shared, value, set }) => (
    <TextsField
      {...shared}
      value={(value as string[] | undefined) ?? []}
      onChange={(texts) => set(texts.length > 0 ? texts : undefined)}
    />
  ),
  language: ({ shared, value, set }) => (
    <PickField
      {...shared}
      text={words(value)}
      choices={LANGUAGES.map((one) => ({ id: one, title: one }))}
      onPick={set}
      onText={(text) => set(text.trim())}
    />
  ),
  emoji: ({ shared, value, set }) => <EmojiField {...shared} code={words(value)} onChange={set} />,
  json: ({ shared, value, set }) => <JsonField {...shared} value={value} onChange={set} />,
  ref: (setting) => <TargetField {...ofRef(setting)} withPeople={false} />,
  user: (setting) => <TargetField {...ofRef(setting)} />,
  image: (setting) => <FileField {...ofRef(setting)} accept="image/*" />,
  file: (setting) => <FileField {...ofRef(setting)} accept="" />,
  reusable: (setting) => <ReusableField {...ofRef(setting)} />,
  spec: (setting) => <SpecField {...ofRef(setting)} />,
  operation: ({ shared: { label }, attrs: { data }, value, onData, context }) => (
    <OperationField
      label={label}
      spec={data.ref as ContentRef | undefined}
      text={value === undefined ? '' : `${words(data.method).toUpperCase()} ${words(value)}`}
      onChange={onData}
      context={context}
    />
  ),
  condition: ({ field: { name }, shared: { label }, value, onData }) => (
    <ConditionField
      label={label}
      value={words(value)}
      onChange={(text) => onData({ [name]: text })}
      isRequired
    />
  ),
  expression: ({ shared, value, set, context }) => (
    <ExpressionField {...shared} value={words(value)} onChange={set} context={context} />
  ),
  formula: ({ shared, type, value, set }) => (
    <FormulaField {...shared} value={words(value)} onChange={set} isDisplay={type === 'math'} />
  ),
  caption: ({ shared, attrs, context, onChange }) => (
    <RichField
      {...shared}
      blocks={attrs.fragments?.find((one) => one.fragment === 'caption')?.nodes ?? []}
      isOneLine
      context={context}
      onChange={(blocks) => onChange({ fragments: blocks && [fragment('caption', blocks)] })}
    />
  ),
  note: ({ shared, attrs, context, onChange }) => (
    <RichField
      {...shared}
      blocks={attrs.fragments?.[0]?.nodes ?? []}
      context={context}
      onChange={(blocks) =>
        onChange({
          fragments: [{ object: 'fragment', type: 'annotation-body', nodes: blocks ?? [paragraph()] }],
        })
      }
    />
  ),
  action: ({ value, set }) => <ActionField value={value as ButtonAction | undefined} onChange={set} />,
}
