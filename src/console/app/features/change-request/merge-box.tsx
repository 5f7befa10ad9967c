/** Whether a change request can be merged: what is missing, and who can do it. */
import type { ReactNode, Ref } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi, useChange } from '../../api/api.ts'
import { useFocusAfter } from '../../ui/kept-focus.ts'
import { Loading, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { User } from '../../api/types.ts'
import { AfterMerge } from './after-merge.tsx'
import { Check } from './merge-check.tsx'
import type { Naming } from './naming.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import { MergeButton } from './merge-button.tsx'
import type { Proposed } from './change-request-frame.tsx'
import type { MergeState } from '../../api/review-types.ts'
import { sentencesOf, titleOfUnresolved, type Unresolved, useUnresolved } from './unresolved.ts'

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
      <Box title={t('Merged')} kind="merged" heading={heading}>
        <p>{t('The changes are in the space.')}</p>
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
            <Check kind="ok">{t('Nothing is missing.')}</Check>
          )}
          <Missing state={state} proposed={proposed} />
          {sentences.map((one, at) => (
            <Check key={`${at} ${one}`} kind="info unresolved">
              {one}
            </Check>
          ))}
          {state.outdated && !isClosed(proposal) && (
            <Check kind="info">{t('The space has changed since this change request began.')}</Check>
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

/** What the box says first. Only a change request on which nothing is open is ready. */
function titleAndKindOf(status: string, state: MergeState | undefined, unresolved: Unresolved | undefined) {
  if (status === 'archived') return { title: t('Archived'), kind: 'waiting' }
  if (state && !state.mergeable) return { title: t('Not ready to merge'), kind: 'waiting' }
  if (!state || !unresolved) return { title: t('Merging'), kind: 'waiting' }
  const open = titleOfUnresolved(unresolved)
  return open === undefined
    ? { title: t('Ready to merge'), kind: 'ready' }
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
          ) : space.permissions.edit ? (
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
