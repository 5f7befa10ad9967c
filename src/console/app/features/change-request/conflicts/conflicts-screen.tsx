import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { hasNoFocus } from '../../../ui/kept-focus.ts'
import { useApi, useChange, useList } from '../../../api/api.ts'
import { Failure, Loading, More, Refusal } from '../../../ui/parts.tsx'
import { ConflictBox } from './conflict-box.tsx'
import { keepWriting, keptWriting } from './kept-conflict.ts'
import { ResolvedConflicts, whatOf } from './resolved-conflicts.tsx'
import { isClosed } from '../../../proposals/change-request.ts'
import { type Proposed, ProposalFrame } from '../change-request-frame.tsx'
import type { OpenConflict } from '../../../api/review-types.ts'
import { t } from '../../../words/words.ts'

/** The screen where users resolve the conflicts between the space and a change request. */
export function ConflictsScreen({ params }: { params: Record<string, string> }) {
  return <ProposalFrame params={params}>{(proposed) => <Conflicts proposed={proposed} />}</ProposalFrame>
}

function Conflicts({ proposed }: { proposed: Proposed }) {
  const { base, home, proposal, space } = proposed
  const list = useList(`${base}/conflicts`)
  const mayResolve = space.permissions.edit && !isClosed(proposal)
  const resolved = useList(`${base}/conflicts?status=resolved`)
  const undoable = resolved.items.filter(({ reopenable }) => reopenable)
  // The buttons of a conflict that is resolved or open again are gone, so the keyboard goes on from the heading.
  const heading = useRef<HTMLHeadingElement>(null)
  const { shown, ...told } = useShown(list.items)
  const counts = [list.items.length, undoable.length] as const
  const before = useRef(counts)
  useEffect(() => {
    const isLess = counts.some((count, at) => count < before.current[at]!)
    if (isLess && hasNoFocus()) heading.current?.focus()
    before.current = counts
  })
  if (list.error && shown.length === 0)
    return <Failure title={t('change-request.conflicts-cannot-shown')} error={list.error} />
  if (list.isPending) return <Loading />
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {t('change-request.conflicts')}
      </h1>
      {list.error && <Refusal query={list} />}
      {list.items.length === 0 ? (
        <>
          <NoneOpen proposed={proposed} mayResolve={mayResolve} />
          <Link href={home}>{t('common.back-change-request')}</Link>
        </>
      ) : (
        <p>{t('change-request.space-change-request-changed')}</p>
      )}
      {shown.map((conflict) => (
        <ConflictBox
          key={conflict.id}
          proposed={proposed}
          conflict={conflict}
          mayResolve={mayResolve}
          isOpen={list.items.some(({ id }) => id === conflict.id)}
          {...told}
        />
      ))}
      <More list={list} />
      <ResolvedConflicts base={base} conflicts={undoable} mayUndo={mayResolve} />
      <More list={resolved} />
    </>
  )
}

/**
 * The open conflicts, in the order in which they came, and those that somebody else has resolved while the user writes in
 * them: their text stays on the screen.
 */
function useShown(open: readonly OpenConflict[]) {
  const before = useRef<readonly OpenConflict[]>([])
  const settling = useRef(new Set<string>())
  const [, setCount] = useState(0)
  const now = new Map(open.map((one) => [one.id, one]))
  const isWritten = (id: string) => !settling.current.has(id) && keptWriting(id) !== undefined
  const kept = before.current.flatMap((one) => now.get(one.id) ?? (isWritten(one.id) ? [one] : []))
  const known = new Set(kept.map(({ id }) => id))
  const shown = [...kept, ...open.filter(({ id }) => !known.has(id))]
  before.current = shown
  useEffect(() => {
    // The user has resolved them, so their text is stored.
    for (const id of settling.current) if (!now.has(id)) keepWriting(id)
  })
  return {
    shown,
    /** Called when the user resolves a conflict, and when that has failed. */
    onResolve: (id: string, isBegun: boolean) =>
      isBegun ? settling.current.add(id) : settling.current.delete(id),
    /** Called when the user no longer writes in a conflict. */
    onGivenUp: () => setCount((count) => count + 1),
  }
}

/** The result of the merge check while no conflict is open: an update opens the conflicts that the check has found. */
function NoneOpen({ proposed, mayResolve }: { proposed: Proposed; mayResolve: boolean }) {
  const { base, proposal, space } = proposed
  const check = useApi(`${base}/merge`, { live: true })
  const update = useChange(`POST ${base}/update`, [`/spaces/${space.id}`])
  if (check.error) return <Refusal query={check} />
  // A conflict with an id is open: the list of those is on its way, or the check is of the time before.
  if (!check.data || check.data.conflicts.items.some(({ id }) => id !== undefined)) return <Loading />
  const { blockers, conflicts, outdated } = check.data
  const isFound = conflicts.count > 0
  const button = mayResolve && outdated && (
    <div className="actions">
      <Button
        className={isFound ? 'button main' : 'button'}
        isDisabled={update.isPending}
        onPress={() => update.mutate(undefined)}
      >
        {t('change-request.update-space')}
      </Button>
    </div>
  )
  if (!isFound)
    return (
      <>
        <p className="hint">
          {proposal.status === 'archived'
            ? t('change-request.change-request-archived-reopen')
            : t('change-request.there-no-open-conflict')}
        </p>
        {mayResolve && outdated && !blockers.includes('limit') && (
          <p className="hint">{t('change-request.space-changed-since-both')}</p>
        )}
        {button}
        <Refusal error={update.error} />
      </>
    )
  return (
    <section className="merge-box waiting">
      <p>
        <b>{t('change-request.conflicts-changed-space-count', { count: conflicts.count })}</b>
      </p>
      <ul>
        {conflicts.items.map((one, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a conflict that is not open has no identity
          <li key={at}>
            {one.target.title ?? t('common.untitled')} <span className="faint">{whatOf(one)}</span>
          </li>
        ))}
      </ul>
      <p>
        {mayResolve ? t('change-request.update-space-opens-them') : t('change-request.person-may-edit-space')}
      </p>
      {button}
      <Refusal error={update.error} />
    </section>
  )
}
