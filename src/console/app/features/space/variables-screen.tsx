import { useState } from 'react'
import { Part } from '../../ui/fields.tsx'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { VariableValues } from '../../content/tree/page-fields.ts'
import { ProposalHint } from './proposal-hint.tsx'
import { useContentChange, useSpaceValues } from './space-content.ts'
import { Toasts } from '../../ui/toasts.tsx'
import { readVariables, VariablesField, writtenVariables } from '../../pages/variables-field.tsx'

/** The variables of a space. */
export function VariablesScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  const values = useSpaceValues(spaceId)
  return (
    <SpaceFrame id={spaceId} title={t('common.variables')}>
      {(space) => (
        <Loaded query={values} title={t('space.variables-cannot-shown')}>
          {({ id, variables = {} }) => (
            <Part title={t('space.variables-space')}>
              <p className="hint">{t('space.texts-conditions-all-pages')}</p>
              {!space.permissions.edit ? (
                <VariableList variables={variables} />
              ) : (
                <VariablesForm key={id} space={space} variables={variables} />
              )}
            </Part>
          )}
        </Loaded>
      )}
    </SpaceFrame>
  )
}

function VariableList({ variables }: { variables: VariableValues }) {
  return (
    <ul className="rows">
      {Object.entries(variables).map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {String(value)}
        </li>
      ))}
    </ul>
  )
}

function VariablesForm({ space, variables }: { space: Space; variables: VariableValues }) {
  const [rows, setRows] = useState(() => writtenVariables(variables))
  const change = useContentChange(space)
  const save = () => {
    const now = readVariables(rows)
    const removed = Object.keys(variables).filter((name) => !Object.hasOwn(now, name))
    const set = Object.entries(now).filter(([name, value]) => variables[name] !== value)
    const changes = Object.fromEntries([...set, ...removed.map((name) => [name, null] as const)])
    if (Object.keys(changes).length > 0)
      change.mutate({
        changes: [{ operation: 'update_variables', variables: changes }],
        subject: t('space.change-the-variables'),
      })
  }
  return (
    <>
      <ProposalHint space={space} />
      <EditForm change={change} action={t('common.save')} onSubmit={save}>
        <VariablesField rows={rows} onChange={setRows} />
      </EditForm>
      <Toasts />
    </>
  )
}
