import { EditForm } from '../ui/forms.tsx'
import { useState } from 'react'
import { Button, Input, Label, TextField } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../api/api.ts'
import { DialogButton, Failure, Loaded, Loading, More } from '../ui/parts.tsx'
import { PageSection, pagesOf } from '../diff/page-diff.tsx'
import { By, ProposalFrame, subjectOf } from '../review/proposal.tsx'
import { nameOf, Sign, whatHappened } from '../diff/change-list.tsx'
import type { RevisionEntry, SemanticChanges } from '../api/review-types.ts'
import { useEvents } from '../api/use-events.ts'
import type { Space } from '../api/types.ts'
import type { FullOrganization, FullSpace } from '../api/settings-types.ts'
import { SpaceFrame } from '../places/space-frame.tsx'
import type { RoleName } from '../words/role-names.ts'
import { ago, t } from '../words/words.ts'

/** The revisions of a change request. */
export function ChangeRequestHistory({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params}>
      {({ base, space }) => (
        <>
          <h1>{t('History')}</h1>
          <Revisions path={`${base}/revisions`} space={space} />
        </>
      )}
    </ProposalFrame>
  )
}

/** The revisions of a space; an earlier one can be restored. */
export function SpaceHistory({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  useEvents(`/spaces/${spaceId}`, [`/spaces/${spaceId}`])
  return (
    <SpaceFrame id={spaceId} title={t('History')}>
      {(space) => <RevisionsOfSpace space={space} />}
    </SpaceFrame>
  )
}

function RevisionsOfSpace({ space }: { space: FullSpace }) {
  const organization = useApi<FullOrganization>(`/orgs/${space.organization}`)
  const mayRestore = useMayRestore(space, organization.data)
  return (
    <div className="review">
      <Revisions path={`/spaces/${space.id}/revisions`} space={space} isOfSpace mayRestore={mayRestore} />
    </div>
  )
}

/** Whether the user can restore a revision. In a locked space, no change request would be checked by the merge rules. */
export function useMayRestore(space: FullSpace, organization: FullOrganization | undefined): boolean {
  const isLocked = space.editMode === 'locked'
  const rules = space.mergeRules.type === 'inherit' ? organization?.mergeRules : space.mergeRules
  const isGuarded = isLocked && rules?.type === 'rules'
  const explained = useApi<{ role: RoleName | null }>(
    isGuarded ? `/spaces/${space.id}/permissions/explain` : undefined,
  )
  if (isGuarded) return explained.data?.role === 'admin'
  return (isLocked ? space.permissions?.review : space.permissions?.edit) === true
}

/** A list of revisions with their changes. @param pageId shows only the changes of this page */
export function Revisions({
  path,
  space,
  pageId,
  isOfSpace = false,
  mayRestore = false,
}: {
  path: string
  space: Space
  pageId?: string
  /** Whether the first is the content of the space now. */
  isOfSpace?: boolean
  mayRestore?: boolean
}) {
  const list = useList<RevisionEntry>(path)
  if (list.error) return <Failure title={t('The history cannot be shown')} error={list.error} />
  if (list.isPending) return <Loading />
  return (
    <>
      {list.items.length === 0 && <p className="hint">{t('Nothing has changed yet.')}</p>}
      <ol className="plain revisions">
        {list.items.map((one, index) => (
          <Revision
            key={one.id}
            revision={one}
            title={revisionTitle(one, list.items)}
            space={space}
            pageId={pageId}
            isNow={isOfSpace && index === 0}
            mayRestore={mayRestore && index > 0}
          />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}

/** The messages that the server writes, and not a person. */
const OF_SERVER: Record<string, () => string> = {
  'Apply a suggestion': () => t('Apply a suggestion'),
  Duplicate: () => t('Duplicate'),
  Edit: () => t('Edit'),
  Import: () => t('Import'),
  'Reopen a conflict': () => t('Reopen a conflict'),
  'Resolve a conflict': () => t('Resolve a conflict'),
  Sample: () => t('Sample'),
  'Update from the primary content': () => t('Updated from the space'),
}

/** Returns the title of a revision. @param revisions those that have been read, to name the one that was restored */
export function revisionTitle(
  { type, message, mergedFrom }: RevisionEntry,
  revisions: readonly RevisionEntry[],
): string {
  if (mergedFrom) return subjectOf(mergedFrom)
  const [, id, reason] = /^Restore revision (\w+)(?:: (.+))?$/s.exec(message) ?? []
  if (type === 'rollback' && id !== undefined) {
    const earlier = revisions.find((one) => one.id === id && one.type !== 'rollback')
    const restored = earlier
      ? t('Restored “{title}”', { title: revisionTitle(earlier, revisions) })
      : t('Restored an earlier version')
    return reason === undefined ? restored : `${restored}: ${reason}`
  }
  const source = /^Sync from (.+)$/.exec(message)?.[1]
  if (source !== undefined) return t('Synced from {name}', { name: source })
  const known = Object.hasOwn(OF_SERVER, message) ? OF_SERVER[message] : undefined
  if (known) return known()
  if (message !== '') return message
  return {
    edits: t('Edited'),
    merge: t('Merged'),
    rollback: t('Restored an earlier version'),
    update: t('Updated from the space'),
    computed: t('Computed'),
  }[type]
}

function Revision({
  revision,
  title,
  space,
  pageId,
  isNow,
  mayRestore,
}: {
  revision: RevisionEntry
  title: string
  space: Space
  pageId: string | undefined
  isNow: boolean
  mayRestore: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const { id, mergedFrom } = revision
  return (
    <li>
      <div className="heading">
        <div>
          <b>{title}</b>{' '}
          {mergedFrom && (
            <Link href={`/s/${space.id}/~/changes/${mergedFrom.number}`}>#{mergedFrom.number}</Link>
          )}{' '}
          {isNow && <span className="status open">{t('Now')}</span>}
          <br />
          <RevisedBy revision={revision} />
        </div>
        <div className="actions">
          <Button className="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? t('Hide the changes') : t('Show the changes')}
          </Button>
          {mayRestore && <Restore spaceId={space.id} revision={revision} title={title} />}
        </div>
      </div>
      {isOpen && <RevisionChanges spaceId={space.id} id={id} parent={revision.parents[0]} pageId={pageId} />}
    </li>
  )
}

/** The authors of a revision, and its time. */
export function RevisedBy({ revision: { createdBy, coAuthor, createdAt } }: { revision: RevisionEntry }) {
  const did = coAuthor ? { did: t('with {name}', { name: coAuthor.displayName }) } : {}
  return <By user={createdBy} at={createdAt} {...did} />
}

function RevisionChanges({
  spaceId,
  id,
  parent,
  pageId,
}: {
  spaceId: string
  id: string
  parent: string | undefined
  pageId: string | undefined
}) {
  const path = `/spaces/${spaceId}/revisions/${id}/changes`
  const query = useApi<SemanticChanges>(`${path}?limit=50${pageId === undefined ? '' : `&pageId=${pageId}`}`)
  return (
    <Loaded query={query} title={t('The changes cannot be shown')}>
      {({ changes, more = 0 }) => (
        <div className="revision-changes">
          {changes.length === 0 && <p className="hint">{t('No page changed.')}</p>}
          {pagesOf(changes).map((changed) => (
            <PageSection
              key={changed.page.id}
              compared={{ spaceId, changes: path, before: parent, after: id }}
              changed={changed}
              view="inline"
              head={
                changed.page.path !== undefined && (
                  <PageThen
                    spaceId={spaceId}
                    path={changed.page.path}
                    {...(changed.changes.some(({ type }) => type === 'page_deleted')
                      ? { at: parent, label: t('The page before') }
                      : { at: id, label: t('The page at that time') })}
                  />
                )
              }
            />
          ))}
          {changes
            .filter((one) => !('page' in one))
            .map((one, i) => (
              <p key={i}>
                <Sign change={one} /> {nameOf(one)} <span className="faint">{whatHappened(one)}</span>
              </p>
            ))}
          {more > 0 && <p className="hint">{t('And {count} more changes.', { count: more })}</p>}
        </div>
      )}
    </Loaded>
  )
}

/** A link to a page as it was. */
function PageThen({
  spaceId,
  path,
  at,
  label,
}: {
  spaceId: string
  path: string
  at: string | undefined
  label: string
}) {
  return at === undefined ? null : <Link href={`/s/${spaceId}/~/revisions/${at}/${path}`}>{label}</Link>
}

/** Restores a revision after a dialog. @param onDone what happens after it */
export function Restore({
  spaceId,
  revision,
  title,
  onDone,
}: {
  spaceId: string
  revision: RevisionEntry
  title: string
  onDone?: () => void
}) {
  const [reason, setReason] = useState('')
  const restore = useChange<{ reason?: string }>(`POST /spaces/${spaceId}/revisions/${revision.id}/restore`, [
    `/spaces/${spaceId}`,
  ])
  return (
    <DialogButton label={t('Restore')} title={t('Restore this version')} kind="small">
      {(close) => (
        <EditForm
          change={restore}
          action={t('Restore')}
          onSubmit={() =>
            restore.mutate(reason.trim() === '' ? {} : { reason }, { onSuccess: onDone ?? close })
          }
          close={close}
        >
          <p>
            <b>{title}</b> <time dateTime={revision.createdAt}>{ago(revision.createdAt)}</time>
          </p>
          <p>
            {t(
              'All pages and files become as they were after this change, also on the sites that show the space. Nothing is lost: the versions since stay here.',
            )}
          </p>
          <TextField value={reason} onChange={setReason} maxLength={200}>
            <Label>{t('Why? (optional)')}</Label>
            <Input />
          </TextField>
        </EditForm>
      )}
    </DialogButton>
  )
}
