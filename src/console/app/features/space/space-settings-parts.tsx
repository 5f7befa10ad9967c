/** Parts of the settings of a space: its copy, its source, and the rules that only administrators change. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi, useChange } from '../../api/api.ts'
import { EditForm } from '../../ui/forms.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { Values } from '../../ui/values.tsx'
import type { Space } from '../../api/types.ts'
import { forPeople } from '../../words/refusals.ts'
import { ago, t } from '../../words/words.ts'
import { Part } from '../../ui/fields.tsx'
import { MergeRulesField } from '../../places/merge-rules-field.tsx'

/** A copy of the space with its content, files and settings. */
export function DuplicateSpace({ space: { id } }: { space: Space }) {
  const duplicate = useChange(`POST /spaces/${id}/duplicate`)
  return (
    <Part title={t('space.duplicate-this-space')}>
      <p className="hint">{t('space.copy-same-pages-files')}</p>
      <Refusal error={duplicate.error} />
      <p>
        <Button
          className="button"
          isDisabled={duplicate.isPending}
          onPress={() => duplicate.mutate(undefined, { onSuccess: (copy) => go(`/s/${copy.id}`) })}
        >
          {t('common.duplicate')}
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
    <Part title={t('space.synced-from')}>
      {query.data ? (
        <SourceTable id={id} source={query.data} />
      ) : query.error ? (
        <p className="hint" role="status">
          {forPeople(query.error)}
        </p>
      ) : (
        <p>
          <Button className="button small" isDisabled={isAsked} onPress={() => setAsked(true)}>
            {t('space.show-source-last-sync')}
          </Button>
        </p>
      )}
    </Part>
  )
}

function SourceTable({ id, source }: { id: string; source: SpaceSource }) {
  const { name, url, branch, path, oid, syncedAt, changeRequest } = source
  const rows: [title: string, value: string | undefined][] = [
    [t('common.source'), url ?? name],
    [t('space.branch'), branch],
    [t('space.folder'), path],
    [t('space.commit'), oid?.slice(0, 12)],
    [t('space.last-synced'), ago(syncedAt)],
  ]
  return (
    <>
      <Values rows={rows.filter(([, value]) => value !== undefined)} />
      {changeRequest !== undefined && (
        <p>
          <Link href={`/s/${id}/~/changes/${changeRequest}`}>{t('space.change-request-last-sync')}</Link>
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
    <Part title={t('common.merging')}>
      {explained.data && explained.data.role !== 'admin' ? (
        <p className="hint">{t('space.changing-merge-rules-requires')}</p>
      ) : (
        <EditForm
          change={change}
          action={t('common.save')}
          onSubmit={() => change.mutate({ mergeRules: rules })}
        >
          <MergeRulesField
            value={rules}
            onChange={setRules}
            organizationId={space.organization}
            others={[
              ['inherit', t('place.rules-organization-apply')],
              ['none', t('place.nothing-is-required')],
            ]}
          />
        </EditForm>
      )}
    </Part>
  )
}
