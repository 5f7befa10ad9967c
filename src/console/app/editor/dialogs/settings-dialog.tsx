/** The dialog in which one sets what a block or inline has besides its text. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { type DataField, FIELDS } from '../../content/schema/fields.ts'
import { nameOfNode } from '../../content/schema/names.ts'
import { blockType } from '../../content/schema/node-names.ts'
import { t } from '../../words/words.ts'
import { replaceAttrs } from '../commands/change-node.ts'
import type { PickContext } from './pick-fields.tsx'
import { type NodeAttrs, type NodeData, SettingField } from './setting-field.tsx'
import { SettingsForm } from './settings-form.tsx'

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
function without(data: NodeData, change: NodeData): NodeData {
  return Object.fromEntries(
    Object.entries({ ...data, ...change }).filter(
      ([name, value]) => !(name in change) || (value !== undefined && value !== false),
    ),
  )
}
