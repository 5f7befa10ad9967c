/** The repository that the server keeps a space equal to: its state, how to connect one, and the last syncs. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../../../api/api.ts'
import type { Schemas } from '../../../api/operations/schemas.ts'
import { SpaceFrame } from '../../../places/space-frame.tsx'
import { Part } from '../../../ui/fields.tsx'
import { ConfirmButton } from '../../../ui/forms.tsx'
import { DialogButton, Failure, Loading, Refusal, Rows } from '../../../ui/parts.tsx'
import { Values } from '../../../ui/values.tsx'
import { forPeople } from '../../../words/refusals.ts'
import { ago, t } from '../../../words/words.ts'
import { ConnectForm, intervalName } from './connect-form.tsx'
import { WebhookPart } from './webhook-part.tsx'

type Connection = Schemas['GitConnection']
type Sync = Schemas['GitConnectionSync']

/** How often the screen looks whether a sync has ended, in milliseconds. */
const LOOK_MS = 2000

/** The screen of the sync of a space with a repository. */
export function SyncScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('common.sync')}>
      {(space) =>
        space.permissions.triggerGitSync ? (
          <ConnectionOf space={space} />
        ) : (
          <p className="hint">{t('space.syncing-requires-role')}</p>
        )
      }
    </SpaceFrame>
  )
}

type Space = Pick<Schemas['Space'], 'id' | 'organization'>

function ConnectionOf({ space }: { space: Space }) {
  const { id: spaceId } = space
  const query = useApi(`/spaces/${spaceId}/git/connection`, { live: true })
  // After disconnecting, what was read before is still there.
  if (query.error?.status === 404)
    return (
      <>
        <p>{t('space.connect-explained')}</p>
        <ConnectForm space={space} />
      </>
    )
  if (query.data) return <Connected space={space} connection={query.data} />
  return query.error ? <Failure title={t('space.sync-cannot-shown')} error={query.error} /> : <Loading />
}

function Connected({ space, connection }: { space: Space; connection: Connection }) {
  const { id: spaceId } = space
  const path = `/spaces/${spaceId}/git/connection` as const
  const syncs = useList(`${path}/syncs?limit=25`)
  const sync = useChange(`POST ${path}/sync`, [path])
  const disconnect = useChange(`DELETE ${path}`, [path])
  const isRunning = useRunning(path, connection)
  return (
    <>
      <State connection={connection} spaceId={spaceId} last={syncs.items[0]} isRunning={isRunning} />
      <div className="actions">
        <Button
          className="button main"
          isDisabled={isRunning || sync.isPending}
          onPress={() => sync.mutate({})}
        >
          {t('space.sync-now')}
        </Button>
        {connection.fault?.reason === 'repository-rewritten' && (
          <>
            <ConfirmButton
              label={t('space.follow-branch')}
              question={t('space.follow-branch-question')}
              text={t('space.follow-branch-explained')}
              change={sync}
              onConfirm={(close) => sync.mutate({ follow: true }, { onSuccess: close })}
            />
            <ConfirmButton
              label={t('space.push-back')}
              question={t('space.push-back-question')}
              text={t('space.push-back-explained')}
              change={sync}
              onConfirm={(close) => sync.mutate({ pushBack: true }, { onSuccess: close })}
            />
          </>
        )}
        <DialogButton
          label={t('space.change-connection')}
          title={t('space.change-connection')}
          kind="small quiet"
        >
          {(close) => <ConnectForm space={space} known={connection} close={close} />}
        </DialogButton>
        <ConfirmButton
          label={t('space.disconnect')}
          question={t('space.disconnect-question')}
          text={t('space.disconnect-explained')}
          change={disconnect}
          onConfirm={(close) => disconnect.mutate(undefined, { onSuccess: close })}
        />
      </div>
      <Refusal error={sync.error} />
      <Facts connection={connection} />
      <WebhookPart spaceId={spaceId} connection={connection} />
      <Part title={t('space.last-syncs')}>
        <Rows list={syncs} empty={t('space.no-sync-yet')}>
          {(one) => <SyncRow key={one.id} sync={one} spaceId={spaceId} />}
        </Rows>
      </Part>
    </>
  )
}

/** Whether a sync waits or runs. The screen then looks again until it has ended. */
function useRunning(path: `/spaces/${string}/git/connection`, { syncing: isRunning }: Connection): boolean {
  const client = useQueryClient()
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(
      () =>
        void client.invalidateQueries({
          predicate: ({ queryKey: [, read] }) => String(read).startsWith(path),
        }),
      LOOK_MS,
    )
    return () => clearInterval(timer)
  }, [client, isRunning, path])
  return isRunning
}

const outcomeNames = () => ({
  synced: t('space.sync-synced'),
  waiting: t('space.sync-waiting'),
  failed: t('space.sync-failed'),
  stopped: t('space.sync-stopped'),
})

/** What the last sync ended with, and what to do. */
function State({
  connection: { outcome, fault },
  spaceId,
  last,
  isRunning,
}: {
  connection: Connection
  spaceId: string
  last: Sync | undefined
  isRunning: boolean
}) {
  const isBad = outcome === 'failed' || outcome === 'stopped'
  return (
    <div role="status">
      <p>
        <strong>
          {isRunning
            ? t('space.sync-runs')
            : outcome === undefined
              ? t('space.first-sync-waits')
              : outcomeNames()[outcome]}
        </strong>
      </p>
      {!isRunning && fault && <p className={isBad ? 'refusal' : undefined}>{forPeople(fault)}</p>}
      {!isRunning && outcome === 'waiting' && last?.changeRequest !== undefined && (
        <p>
          {t('space.sync-waits-explained')}{' '}
          <Link href={`/s/${spaceId}/~/changes/${last.changeRequest}`}>
            {t('space.change-request-of-sync', { number: last.changeRequest })}
          </Link>
        </p>
      )}
    </div>
  )
}

/** So many characters of the id of a commit are shown. */
const SHORT = 10

function Facts({ connection }: { connection: Connection }) {
  const { url, branch, path, hasCredentials, intervalMinutes, syncedAt, connectedBy } = connection
  const person = useApi(`/users/${connectedBy}`)
  const rows: [title: string, value: string | undefined][] = [
    [t('space.repository'), url],
    [t('space.branch'), branch],
    [t('space.folder'), path],
    [t('space.credentials'), hasCredentials ? t('space.credentials-stored') : t('space.no-credentials')],
    [t('space.sync-interval'), intervalName(intervalMinutes)],
    [t('space.last-synced'), syncedAt && ago(syncedAt)],
    [t('space.from-repository'), connection.importedCommit?.slice(0, SHORT)],
    [t('space.to-repository'), connection.exportedCommit?.slice(0, SHORT)],
    [t('space.connected-by'), person.data?.displayName],
  ]
  return <Values rows={rows.filter(([, value]) => value !== undefined)} />
}

function SyncRow({ sync, spaceId }: { sync: Sync; spaceId: string }) {
  const { outcome, fault, importedCommit, exportedCommit, changeRequest, endedAt } = sync
  const parts = [
    importedCommit && t('space.commit-came', { commit: importedCommit.slice(0, SHORT) }),
    exportedCommit && t('space.commit-went', { commit: exportedCommit.slice(0, SHORT) }),
    fault && forPeople(fault),
    ago(endedAt),
  ].filter(Boolean)
  return (
    <li>
      <span className="name">
        <span>{outcomeNames()[outcome]}</span>
        <span>{parts.join(' · ')}</span>
      </span>
      {changeRequest !== undefined && (
        <span className="row-actions">
          <Link href={`/s/${spaceId}/~/changes/${changeRequest}`}>
            {t('space.change-request-of-sync', { number: changeRequest })}
          </Link>
        </span>
      )}
    </li>
  )
}
