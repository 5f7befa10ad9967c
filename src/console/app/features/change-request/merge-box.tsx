/** Whether a change request can be merged: what is missing, and who can do it. */
import type { ReactNode, Ref } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi, useChange } from '../../api/api.ts'
import { useFocusAfter } from '../../ui/kept-focus.ts'
import { Loading, Refusal } from '../../ui/parts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import type { User } from '../../api/types.ts'
import { AfterMerge } from './after-merge.tsx'
import { Check } from './merge-check.tsx'
import type { Naming } from './naming.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import { MergeButton } from './merge-button.tsx'
import type { Proposed } from './change-request-frame.tsx'
import type { MergeState } from '../../api/review-types.ts'
import { sentencesOf, titleOfUnresolved, type Unresolved, useUnresolved } from './conflicts/unresolved.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './merge-box.css'

type Result = { result: string }

/** The box at the side of a change request. */
export function MergeBox({ proposed, naming }: { proposed: Proposed; naming: Naming }) {
  const { base, home, proposal, space, me } = proposed
  const { unresolved, show, read } = useUnresolved(base)
  const check = useApi(`${base}/merge`, { live: true })
  const touched = [`/spaces/${space.id}`]
  const merge = useChange(`POST ${base}/merge`, touched)
  const update = useChange(`POST ${base}/update`, touched)
  const change = useChange(`PATCH ${base}`, touched)
  const heading = useFocusAfter<HTMLHeadingElement>(merge.isPending || update.isPending || change.isPending)
  const mayEdit = space.permissions.edit
  const own = proposal.createdBy.id === me.id
  const mayArchive = own ? mayEdit : space.permissions.review && mayEdit
  const toConflicts = ({ result }: Result) => result === 'conflicts' && go(`${home}/conflicts`)
  /** A name that the server refuses is shown with the reason, and nothing else happens. */
  const named = (then: () => void) => void naming.keep().then(then, () => undefined)
  if (proposal.status === 'merged')
    return (
      <Box title={t('common.merged')} kind="merged" heading={heading}>
        <p>{t('change-request.changes-space')}</p>
        <AfterMerge proposed={proposed} />
      </Box>
    )
  const state = check.data
  const failed = [check, read].find(({ error }) => error)
  const sentences = unresolved && !isClosed(proposal) ? sentencesOf(unresolved) : []
  return (
    <Box {...titleAndKindOf(proposal.status, state, unresolved)} heading={heading}>
      <Refusal query={failed} />
      {(!state || !unresolved) && !failed && <Loading />}
      {state && (
        <ul className="checks">
          {state.mergeable && unresolved && sentences.length === 0 && (
            <Check kind="ok">{t('change-request.nothing-is-missing')}</Check>
          )}
          <Missing state={state} proposed={proposed} />
          {sentences.map((one, at) => (
            <Check key={`${at} ${one}`} kind="info unresolved">
              {one}
            </Check>
          ))}
          {state.outdated && !isClosed(proposal) && (
            <Check kind="info">{t('change-request.space-changed-since-change')}</Check>
          )}
        </ul>
      )}
      <div className="actions">
        {state?.permitted && !isClosed(proposal) && (
          <MergeButton
            merging={{
              base,
              unresolved,
              show,
              merge: () => named(() => merge.mutate(undefined, { onSuccess: toConflicts })),
            }}
            isDisabled={!state.mergeable || merge.isPending || naming.isSaving}
          />
        )}
        {state?.outdated && mayEdit && !isClosed(proposal) && (
          <Button
            className="button"
            isDisabled={update.isPending}
            onPress={() => update.mutate(undefined, { onSuccess: toConflicts })}
          >
            {t('change-request.update-space')}
          </Button>
        )}
        {proposal.status === 'draft' && mayEdit && (
          <Button
            className="button"
            isDisabled={change.isPending || naming.isSaving}
            onPress={() => named(() => change.mutate({ status: 'open' }))}
          >
            {t('change-request.ready-for-review')}
          </Button>
        )}
        {mayArchive && (
          <Button
            className="button quiet"
            isDisabled={change.isPending}
            onPress={() => change.mutate({ status: proposal.status === 'archived' ? 'open' : 'archived' })}
          >
            {proposal.status === 'archived' ? t('common.reopen') : t('change-request.archive')}
          </Button>
        )}
      </div>
      <Refusal error={merge.error ?? update.error ?? change.error} />
    </Box>
  )
}

/** What the box says first. Only a change request on which nothing is open is ready. */
function titleAndKindOf(status: string, state: MergeState | undefined, unresolved: Unresolved | undefined) {
  if (status === 'archived') return { title: t('change-request.archived'), kind: 'waiting' }
  if (state && !state.mergeable) return { title: t('change-request.not-ready-merge'), kind: 'waiting' }
  if (!state || !unresolved) return { title: t('common.merging'), kind: 'waiting' }
  const open = titleOfUnresolved(unresolved)
  return open === undefined
    ? { title: t('change-request.ready-to-merge'), kind: 'ready' }
    : { title: open, kind: 'unresolved' }
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
  const { blockers, details = [], conflicts, message } = state
  const has = (one: MergeState['blockers'][number]) => blockers.includes(one)
  const areFound = conflicts.items.some(({ id }) => id !== undefined)
  return (
    <>
      {has('closed') && <Check>{t('change-request.change-request-archived-reopen')}</Check>}
      {has('role') && <WhoMerges mergers={state.mergers ?? []} name={me.displayName} />}
      {has('rules') && details.map((rule) => <Check key={rule.path}>{forPeople(rule)}</Check>)}
      {has('conflicts') && (
        <Check>
          {t('change-request.conflicts-changed-space-count', {
            count: conflicts.count,
          })}{' '}
          {areFound ? (
            <Link href={`${home}/conflicts`}>{t('change-request.settle-the-conflicts')}</Link>
          ) : space.permissions.edit ? (
            t('change-request.update-space-opens-them')
          ) : (
            t('change-request.person-may-edit-space')
          )}
        </Check>
      )}
      {has('unchanged') && <Check>{t('change-request.there-nothing-merge-yet')}</Check>}
      {has('limit') && (
        <Check>
          {message === undefined
            ? t('change-request.space-would-too-large')
            : forPeople({ message, reason: state.reason, parameters: state.parameters })}
        </Check>
      )}
    </>
  )
}

/** The names of people who can merge, shown to people who cannot. */
function WhoMerges({ mergers, name }: { mergers: readonly User[]; name: string }) {
  const names = mergers.map(({ displayName }) => displayName).join(', ')
  return (
    <Check>
      {t('change-request.name-may-not-merge', { name })}{' '}
      {names === ''
        ? t('change-request.reviewers-administrators-can')
        : t('change-request.who-can-names', { names })}
    </Check>
  )
}
