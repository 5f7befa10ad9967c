/** Parts of the settings of a space: its copy, its source, and the rules that only administrators change. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi, useChange } from '../../api/api.ts'
import { EditForm } from '../../ui/forms.tsx'
import { Refusal } from '../../ui/parts.tsx'
import type { Space } from '../../api/types.ts'
import { forPeople } from '../../words/refusals.ts'
import { ago, t } from '../../words/words.ts'
import { Part } from '../../ui/fields.tsx'
import { MergeRulesField } from '../../places/merge-rules-field.tsx'

/** A copy of the space with its content, files and settings. */
export function DuplicateSpace({ space: { id } }: { space: Space }) {
  const duplicate = useChange(`POST /spaces/${id}/duplicate`)
  return (
    <Part title={t('Duplicate this space')}>
      <p className="hint">
        {t('The copy has the same pages, files, settings and access, but no history and no change requests.')}
      </p>
      <Refusal error={duplicate.error} />
      <p>
        <Button
          className="button"
          isDisabled={duplicate.isPending}
          onPress={() => duplicate.mutate(undefined, { onSuccess: (copy) => go(`/s/${copy.id}`) })}
        >
          {t('Duplicate')}
        </Button>
      </p>
    </Part>
  )
}

interface SpaceSource {
  kind: string
  name: string
  url?: string
  branch?: string
  path?: string
  oid?: string
  syncedAt: string
  changeRequest?: string
}

/** The source that the space is kept equal to. Most spaces have none, so it is read only when somebody asks. */
export function SyncedFrom({ space: { id } }: { space: Space }) {
  const [isAsked, setAsked] = useState(false)
  const query = useApi(isAsked ? `/spaces/${id}/git/info` : undefined)
  return (
    <Part title={t('Synced from')}>
      {query.data ? (
        <SourceTable id={id} source={query.data} />
      ) : query.error ? (
        <p className="hint" role="status">
          {forPeople(query.error.message)}
        </p>
      ) : (
        <p>
          <Button className="button small" isDisabled={isAsked} onPress={() => setAsked(true)}>
            {t('Show the source of the last sync')}
          </Button>
        </p>
      )}
    </Part>
  )
}

function SourceTable({ id, source }: { id: string; source: SpaceSource }) {
  const { name, url, branch, path, oid, syncedAt, changeRequest } = source
  const rows: [title: string, value: string | undefined][] = [
    [t('Source'), url ?? name],
    [t('Branch'), branch],
    [t('Folder'), path],
    [t('Commit'), oid?.slice(0, 12)],
    [t('Last synced'), ago(syncedAt)],
  ]
  return (
    <>
      <table className="values">
        <tbody>
          {rows.map(
            ([title, value]) =>
              value !== undefined && (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  <td>{value}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      {changeRequest !== undefined && (
        <p>
          <Link href={`/s/${id}/~/changes/${changeRequest}`}>{t('The change request of the last sync')}</Link>
        </p>
      )}
    </>
  )
}

/** The merge rules of the space. */
export function SpaceMerging({ space }: { space: Space }) {
  const me = useApi('/user')
  const explained = useApi(me.data && `/spaces/${space.id}/permissions/explain?user=${me.data.id}`)
  const [rules, setRules] = useState(space.mergeRules)
  const change = useChange(`PATCH /spaces/${space.id}`)
  return (
    <Part title={t('Merging')}>
      {explained.data && explained.data.role !== 'admin' ? (
        <p className="hint">
          {t('Changing the merge rules requires the role “Administrator” on the space.')}
        </p>
      ) : (
        <EditForm change={change} action={t('Save')} onSubmit={() => change.mutate({ mergeRules: rules })}>
          <MergeRulesField
            value={rules}
            onChange={setRules}
            organizationId={space.organization}
            others={[
              ['inherit', t('the rules of the organization apply')],
              ['none', t('nothing is required')],
            ]}
          />
        </EditForm>
      )}
    </Part>
  )
}
