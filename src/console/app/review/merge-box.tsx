/** Whether a change request can be merged: what is missing, and who can do it. */
import type { ReactNode, Ref } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi, useChange } from '../api.ts'
import { useFocusAfter } from '../kept-focus.ts'
import { Loading, Refusal } from '../parts.tsx'
import { t } from '../words.ts'
import type { User } from '../types.ts'
import { AfterMerge } from './after-merge.tsx'
import type { Naming } from './naming.tsx'
import { isClosed } from './closed.ts'
import type { Proposed } from './proposal.tsx'
import type { MergeState } from './types.ts'
import { useUnsettled } from './unsettled.ts'

type Result = { result: string }

/** The box at the side of a change request. */
export function MergeBox({ proposed, naming }: { proposed: Proposed; naming: Naming }) {
  const { base, home, proposal, space, me } = proposed
  const unsettled = useUnsettled(base)
  const check = useApi<MergeState>(`${base}/merge`, { live: true })
  const touched = [`/spaces/${space.id}`]
  const merge = useChange<undefined, Result>(`POST ${base}/merge`, touched)
  const update = useChange<undefined, Result>(`POST ${base}/update`, touched)
  const change = useChange<{ status: string }>(`PATCH ${base}`, touched)
  const heading = useFocusAfter<HTMLHeadingElement>(merge.isPending || update.isPending || change.isPending)
  const mayEdit = space.permissions?.edit
  const own = proposal.createdBy.id === me.id
  const mayArchive = own ? mayEdit : space.permissions?.review && mayEdit
  const toConflicts = ({ result }: Result) => result === 'conflicts' && go(`${home}/conflicts`)
  /** A name that the server refuses is shown with the reason, and nothing else happens. */
  const named = (then: () => void) => void naming.keep().then(then, () => undefined)
  if (proposal.status === 'merged')
    return (
      <Box title={t('Merged')} kind="merged" heading={heading}>
        <p>{t('The changes are in the space.')}</p>
        <AfterMerge proposed={proposed} />
      </Box>
    )
  const state = check.data
  return (
    <Box
      title={titleOf(proposal.status, state)}
      kind={state?.mergeable ? 'ready' : 'waiting'}
      heading={heading}
    >
      {check.error && <Refusal error={check.error} />}
      {!state && !check.error && <Loading />}
      {state && (
        <ul className="checks">
          {state.blockers.length === 0 && unsettled.length === 0 && (
            <Check ok>{t('Nothing is missing.')}</Check>
          )}
          <Missing state={state} proposed={proposed} />
          {!isClosed(proposal) &&
            unsettled.map((one) => (
              <Check key={one} hint>
                {one}
              </Check>
            ))}
          {state.outdated && !isClosed(proposal) && (
            <Check hint>{t('The space has changed since this change request began.')}</Check>
          )}
        </ul>
      )}
      <div className="actions">
        {state?.permitted && !isClosed(proposal) && (
          <Button
            className="button main"
            isDisabled={!state.mergeable || merge.isPending || naming.isSaving}
            onPress={() => named(() => merge.mutate(undefined, { onSuccess: toConflicts }))}
          >
            {t('Merge')}
          </Button>
        )}
        {state?.outdated && mayEdit && !isClosed(proposal) && (
          <Button
            className="button"
            isDisabled={update.isPending}
            onPress={() => update.mutate(undefined, { onSuccess: toConflicts })}
          >
            {t('Update from the space')}
          </Button>
        )}
        {proposal.status === 'draft' && mayEdit && (
          <Button
            className="button"
            isDisabled={change.isPending || naming.isSaving}
            onPress={() => named(() => change.mutate({ status: 'open' }))}
          >
            {t('Ready for review')}
          </Button>
        )}
        {mayArchive && (
          <Button
            className="button quiet"
            isDisabled={change.isPending}
            onPress={() => change.mutate({ status: proposal.status === 'archived' ? 'open' : 'archived' })}
          >
            {proposal.status === 'archived' ? t('Reopen') : t('Archive')}
          </Button>
        )}
      </div>
      <Refusal error={merge.error ?? update.error ?? change.error} />
    </Box>
  )
}

function titleOf(status: string, state: MergeState | undefined): string {
  if (status === 'archived') return t('Archived')
  if (!state) return t('Merging')
  return state.mergeable ? t('Ready to merge') : t('Not ready to merge')
}

function Box({
  title,
  kind,
  heading,
  children,
}: {
  title: string
  kind: string
  heading: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  return (
    <section className={`merge-box ${kind}`} aria-labelledby="merge">
      <h2 id="merge" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** The reasons that prevent the merge, each with a way to resolve it. */
function Missing({ state, proposed: { home, space, me } }: { state: MergeState; proposed: Proposed }) {
  const { blockers, failingRules, conflicts, message } = state
  const has = (one: MergeState['blockers'][number]) => blockers.includes(one)
  const areFound = conflicts.items.some(({ id }) => id !== undefined)
  return (
    <>
      {has('closed') && (
        <Check>{t('This change request is archived. Reopen it to change or merge it.')}</Check>
      )}
      {has('role') && <WhoMerges mergers={state.mergers ?? []} name={me.displayName} />}
      {has('rules') && failingRules.map((rule) => <Check key={rule}>{rule}</Check>)}
      {has('conflicts') && (
        <Check>
          {t('Conflicts with what changed in the space: {count}.', {
            count: conflicts.count,
          })}{' '}
          {areFound ? (
            <Link href={`${home}/conflicts`}>{t('Settle the conflicts')}</Link>
          ) : space.permissions?.edit ? (
            t('An update from the space opens them, so that you can settle them.')
          ) : (
            t('A person who may edit this space can settle them.')
          )}
        </Check>
      )}
      {has('unchanged') && (
        <Check>{t('There is nothing to merge yet: no page differs from the space.')}</Check>
      )}
      {has('limit') && <Check>{message ?? t('The space would be too large.')}</Check>}
    </>
  )
}

/** The names of people who can merge, shown to people who cannot. */
function WhoMerges({ mergers, name }: { mergers: readonly User[]; name: string }) {
  const names = mergers.map(({ displayName }) => displayName).join(', ')
  return (
    <Check>
      {t('{name}, you may not merge in this space.', { name })}{' '}
      {names === '' ? t('Its reviewers and administrators can.') : t('Who can: {names}.', { names })}
    </Check>
  )
}

function Check({
  ok = false,
  hint = false,
  children,
}: {
  ok?: boolean
  hint?: boolean
  children: ReactNode
}) {
  return (
    <li className={ok ? 'ok' : hint ? 'info' : 'missing'}>
      <span aria-hidden="true">{ok ? '✓' : hint ? '•' : '✗'}</span>
      <span>{children}</span>
    </li>
  )
}
