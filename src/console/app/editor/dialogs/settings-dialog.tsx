/** The dialog in which one sets what a block or inline has besides its text. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { Label, Text, TextArea, TextField } from 'react-aria-components'
import { fragment, paragraph } from '../../../../core/document/build.ts'
import type { ButtonAction, ContentRef, Fragment, Length } from '../../../../core/document/model.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { ConditionField } from '../../ui/condition-field.tsx'
import { t } from '../../words/words.ts'
import { emojiOf } from '../../content/schema/atoms.ts'
import { blockType } from '../../content/schema/node-names.ts'
import { SettingsForm } from './settings-form.tsx'
import { LANGUAGES } from './code-languages.ts'
import { type DataField, FIELDS } from '../../content/schema/fields.ts'
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
import { nameOfNode } from '../../content/schema/names.ts'
import { replaceAttrs } from '../commands/change-node.ts'

type Data = Record<string, unknown>

/** The attributes of a node that has settings. */
interface NodeAttrs {
  data: Data
  fragments?: Fragment[] | null
}

/** Asks for the data of a node: of one that is there, or of a new one. */
export function SettingsDialog({
  node,
  pos,
  focused,
  view,
  context,
  onInsert,
  onClose,
}: {
  node: Node
  /** Undefined for a node that is not in the document yet. */
  pos: number | undefined
  /** The name of the field that has the focus; by default, the first one. */
  focused: string | undefined
  view: EditorView
  context: PickContext
  onInsert: (node: Node) => void
  onClose: () => void
}) {
  const [attrs, setAttrs] = useState(node.attrs as NodeAttrs)
  const fields = (FIELDS as Partial<Record<string, readonly DataField[]>>)[blockType(node.type.name)] ?? []
  const isMissing = fields.some(({ name, isRequired, kind }) => {
    const value = attrs.data[name]
    return isRequired && kind !== 'json' && (value === undefined || value === '')
  })
  return (
    <SettingsForm
      title={t(nameOfNode(node.type))}
      save={pos === undefined ? t('editor.insert') : t('common.save')}
      isDisabled={isMissing}
      onSave={() => {
        if (pos === undefined) onInsert(node.type.create({ ...node.attrs, ...attrs }, node.content))
        else replaceAttrs(view, pos, node, attrs)
      }}
      onClose={onClose}
    >
      {fields.map((field, i) => (
        <SettingField
          key={field.name}
          field={field}
          type={node.type.name}
          attrs={attrs}
          context={context}
          autoFocus={focused === undefined ? i === 0 : field.name === focused}
          onChange={(change) => setAttrs((before) => ({ ...before, ...change }))}
          onData={(change) => setAttrs((before) => ({ ...before, data: without(before.data, change) }))}
        />
      ))}
    </SettingsForm>
  )
}

/** The data with a change; an empty value is none. */
function without(data: Data, change: Data): Data {
  return Object.fromEntries(
    Object.entries({ ...data, ...change }).filter(
      ([name, value]) => !(name in change) || (value !== undefined && value !== false),
    ),
  )
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '')

function SettingField({
  field: { name, label, kind, isRequired },
  type,
  attrs,
  context,
  autoFocus,
  onChange,
  onData,
}: {
  field: DataField
  /** The name of the type of the node. */
  type: string
  attrs: NodeAttrs
  context: PickContext
  autoFocus: boolean
  onChange: (change: Partial<NodeAttrs>) => void
  onData: (change: Data) => void
}) {
  const { data } = attrs
  const value = data[name]
  const shared = { label: t(label), isRequired: isRequired === true, autoFocus }
  const set = (one: unknown) => onData({ [name]: one === '' && !isRequired ? undefined : one })
  const ofRef = { ...shared, value: value as ContentRef | undefined, onChange: set, context }
  if (typeof kind !== 'string')
    return (
      <ChoiceField
        label={t(label)}
        value={words(value)}
        onChange={(one: string) => onData({ [name]: one || undefined })}
        options={kind.map(([one, title]) => [one, t(title)] as const)}
      />
    )
  switch (kind) {
    case 'lines':
      return <LongField {...shared} value={words(value)} onChange={set} />
    case 'flag':
      return <CheckField label={t(label)} isChecked={value === true} onChange={set} />
    case 'number':
      return (
        <LineField
          {...shared}
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(text) => set(/^\d{1,9}$/.test(text) ? Number(text) : undefined)}
        />
      )
    case 'date':
      return (
        <LineField
          {...shared}
          type={/^\d{4}-\d\d-\d\d$|^$/.test(words(value)) ? 'date' : 'text'}
          value={words(value)}
          onChange={set}
        />
      )
    case 'length':
      return <LengthField {...shared} value={value as Length | undefined} onChange={set} />
    case 'texts':
      return (
        <TextsField
          {...shared}
          value={(value as string[] | undefined) ?? []}
          onChange={(texts) => set(texts.length > 0 ? texts : undefined)}
        />
      )
    case 'language':
      return (
        <PickField
          {...shared}
          text={words(value)}
          choices={LANGUAGES.map((one) => ({ id: one, title: one }))}
          onPick={set}
          onText={(text) => set(text.trim())}
        />
      )
    case 'emoji':
      return <EmojiField {...shared} code={words(value)} onChange={set} />
    case 'json':
      return <JsonField {...shared} value={value} onChange={set} />
    case 'ref':
      return <TargetField {...ofRef} withPeople={false} />
    case 'user':
      return <TargetField {...ofRef} />
    case 'image':
      return <FileField {...ofRef} accept="image/*" />
    case 'file':
      return <FileField {...ofRef} accept="" />
    case 'reusable':
      return <ReusableField {...ofRef} />
    case 'spec':
      return <SpecField {...ofRef} />
    case 'operation':
      return (
        <OperationField
          label={t(label)}
          spec={data.ref as ContentRef | undefined}
          text={value === undefined ? '' : `${words(data.method).toUpperCase()} ${words(value)}`}
          onChange={onData}
          context={context}
        />
      )
    case 'condition':
      return (
        <ConditionField
          label={t(label)}
          value={words(value)}
          onChange={(text) => onData({ [name]: text })}
          isRequired
        />
      )
    case 'expression':
      return <ExpressionField {...shared} value={words(value)} onChange={set} context={context} />
    case 'formula':
      return <FormulaField {...shared} value={words(value)} onChange={set} isDisplay={type === 'math'} />
    case 'caption':
      return (
        <RichField
          {...shared}
          blocks={attrs.fragments?.find((one) => one.fragment === 'caption')?.nodes ?? []}
          isOneLine
          context={context}
          onChange={(blocks) => onChange({ fragments: blocks && [fragment('caption', blocks)] })}
        />
      )
    case 'note':
      return (
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
      )
    case 'action':
      return <ActionField value={value as ButtonAction | undefined} onChange={set} />
    default:
      return <LineField {...shared} value={words(value)} onChange={set} />
  }
}

interface FieldProps<V> {
  label: string
  value: V
  onChange: (value: V) => void
  isRequired: boolean
  autoFocus: boolean
}

function LongField({
  label,
  value,
  onChange,
  isRequired,
  autoFocus,
  hint,
}: FieldProps<string> & { hint?: string }) {
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isRequired={isRequired}
      autoFocus={autoFocus}
    >
      <Label>{label}</Label>
      <TextArea rows={5} spellCheck="false" />
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
    </TextField>
  )
}

/** A length as people write it: `300`, `300px` or `50%`. */
function LengthField({
  value,
  onChange,
  ...more
}: Omit<FieldProps<Length | undefined>, 'onChange'> & { onChange: (value: Length | undefined) => void }) {
  const [text, setText] = useState(
    value === undefined ? '' : typeof value === 'number' ? String(value) : `${value.value}${value.unit}`,
  )
  return (
    <LineField
      {...more}
      value={text}
      hint={t('editor.such-300-50')}
      onChange={(typed) => {
        setText(typed)
        const [, number, unit] = /^(\d{1,5}(?:\.\d{1,3})?)\s*(px|%)?$/.exec(typed.trim()) ?? []
        if (number === undefined) return typed.trim() === '' ? onChange(undefined) : undefined
        return onChange(unit === undefined ? Number(number) : { unit: unit as '%', value: Number(number) })
      }}
    />
  )
}

function TextsField({ value, onChange, ...more }: FieldProps<string[]>) {
  const [text, setText] = useState(value.join(', '))
  return (
    <LineField
      {...more}
      value={text}
      hint={t('editor.commas-between-them')}
      onChange={(typed) => {
        setText(typed)
        onChange(
          typed
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== ''),
        )
      }}
    />
  )
}

/** An emoji as such. The model names it by its code points in base 16. */
function EmojiField({ code, onChange, ...more }: Omit<FieldProps<string>, 'value'> & { code: string }) {
  const [text, setText] = useState(code === '' ? '' : emojiOf(code))
  return (
    <LineField
      {...more}
      value={text}
      onChange={(typed) => {
        setText(typed)
        const isEmoji = /^\p{Emoji}/u.test(typed.trim()) && !/^[\d#*]/.test(typed.trim())
        onChange(isEmoji ? Array.from(typed.trim(), (one) => one.codePointAt(0)!.toString(16)).join('-') : '')
      }}
    />
  )
}

/** Properties of any kind. What is no object is not taken. */
function JsonField({ value, onChange, ...more }: FieldProps<unknown>) {
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2))
  return (
    <LongField
      {...more}
      value={text}
      hint={t('editor.tool-know-json-such', { example: '{ "id": "42" }' })}
      onChange={(typed) => {
        setText(typed)
        try {
          const read: unknown = JSON.parse(typed)
          if (typeof read === 'object' && read !== null && !Array.isArray(read)) onChange(read)
        } catch {
          // The writer has not finished.
        }
      }}
    />
  )
}

/** The field for the action of a button that is not a link: search, ask, or show a section. */
function ActionField({
  value,
  onChange,
}: {
  value: ButtonAction | undefined
  onChange: (value: ButtonAction | undefined) => void
}) {
  const text = value ? ('query' in value ? (value.query ?? '') : 'slug' in value ? value.slug : '') : ''
  const make = (action: string, typed: string): ButtonAction | undefined => {
    if (action === 'select') return { action, slug: typed }
    if (action !== 'search' && action !== 'ask') return undefined
    return typed === '' ? { action } : { action, query: typed }
  }
  return (
    <>
      <ChoiceField
        label={t('common.action')}
        value={value?.action ?? ''}
        onChange={(action: string) => onChange(make(action, text))}
        options={[
          ['', t('common.none')],
          ['search', t('common.search')],
          ['ask', t('common.ask')],
          ['select', t('common.show-section-site')],
        ]}
      />
      {value && (
        <LineField
          label={value.action === 'select' ? t('common.name-in-links') : t('editor.question')}
          value={text}
          onChange={(typed) => onChange(make(value.action, typed))}
        />
      )}
    </>
  )
}
