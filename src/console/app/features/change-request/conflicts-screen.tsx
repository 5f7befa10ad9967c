import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { hasNoFocus } from '../../ui/kept-focus.ts'
import { useApi, useChange, useList } from '../../api/api.ts'
import { Failure, Loading, More, Named, Refusal } from '../../ui/parts.tsx'
import { MarkedText } from '../../diff/shown/painting.tsx'
import { type ConflictWriting, keepWriting, keptWriting } from './kept-conflict.ts'
import { valueText } from '../../diff/page-diff.tsx'
import { pageSettings } from '../../diff/page-settings.ts'
import { ResolvedConflicts, whatOf } from './resolved-conflicts.tsx'
import { SettingList, Settings } from '../../diff/shown-setting.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import { type Proposed, ProposalFrame } from './change-request-frame.tsx'
import { ShownMarkdown } from '../../diff/shown/shown-markdown.tsx'
import { textChanges } from '../../diff/text-changes.ts'
import type { OpenConflict } from '../../api/review-types.ts'
import { t } from '../../words/words.ts'

const ConflictText = lazy(async () => ({
  default: (await import('./conflict-text.tsx')).ConflictText,
}))

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

/** The fields whose value is a text that a person can write. */
const WRITABLE = ['title', 'linkTitle', 'slug', 'description', 'condition', 'name']

/** Whether it is about blocks of a text, and not about a line of its front matter. */
const isText = ({ kind, entry }: OpenConflict): boolean => kind === 'body' && entry === undefined

const isLine = ({ kind, entry, field, own, primary }: OpenConflict): boolean =>
  (kind === 'body' && entry !== undefined) ||
  (kind === 'field' &&
    WRITABLE.includes(field ?? '') &&
    [own, primary].every((one) => one === null || typeof one === 'string'))

function ConflictBox({
  proposed: { base, proposal, space },
  conflict,
  mayResolve,
  isOpen,
  onResolve,
  onGivenUp,
}: {
  proposed: Proposed
  conflict: OpenConflict
  mayResolve: boolean
  /** False if somebody else has resolved it while the user writes in it. */
  isOpen: boolean
  onResolve: (id: string, isBegun: boolean) => void
  onGivenUp: () => void
}) {
  const { id, target, own } = conflict
  const [writing, setWriting] = useState(() => (mayResolve ? keptWriting(id) : undefined))
  const box = useRef<HTMLElement>(null)
  const change = useChange(`POST ${base}/conflicts/${id}/resolve`, [base])
  const resolve = (by: { side: 'primary' | 'own' } | { content: string | null }) => {
    onResolve(id, true)
    change.mutate(by, { onError: () => onResolve(id, false) })
  }
  const write = (next: ConflictWriting) => {
    keepWriting(id, next)
    setWriting(next)
  }
  const giveUp = () => {
    keepWriting(id)
    setWriting(undefined)
    onGivenUp()
    const side = VERSIONS.find((one) => conflict[one] === writing?.start)
    const opener = isText(conflict) ? side : 'line'
    // The button that began the writing is there again after this is drawn.
    setTimeout(() => box.current?.querySelector<HTMLElement>(`[data-opens=${opener}]`)?.focus())
  }
  const line = writing?.markdown ?? writing?.start ?? ''
  return (
    <article ref={box} className="conflict">
      <h2>{target.title ?? t('common.untitled')}</h2>
      <p className="faint">{whatOf(conflict)}</p>
      {!isOpen && (
        <p className="refusal" role="alert">
          {t('change-request.somebody-else-settled-conflict')}
        </p>
      )}
      <div className="versions">
        {VERSIONS.map((side) => {
          const value = conflict[side]
          return (
            <div key={side}>
              <VersionShown
                title={titleOf(side)}
                value={value}
                before={side === 'base' ? undefined : conflict.base}
                conflict={conflict}
                spaceId={space.id}
              />
              {mayResolve && isText(conflict) && !writing && typeof value === 'string' && (
                <Button
                  className="small"
                  data-opens={side}
                  isDisabled={change.isPending}
                  onPress={() => setWriting({ start: value })}
                >
                  <Named name={titleOf(side)}>{t('change-request.edit-this-version')}</Named>
                </Button>
              )}
            </div>
          )
        })}
      </div>
      {mayResolve && !writing && (
        <div className="actions">
          <Button
            className="button"
            isDisabled={change.isPending}
            onPress={() => resolve({ side: 'primary' })}
          >
            {t('change-request.use-text-space')}
          </Button>
          <Button className="button" isDisabled={change.isPending} onPress={() => resolve({ side: 'own' })}>
            {t('change-request.keep-text-change-request')}
          </Button>
          {isLine(conflict) && (
            <Button
              className="button"
              data-opens="line"
              onPress={() => setWriting({ start: typeof own === 'string' ? own : '' })}
            >
              {t('change-request.write-it')}
            </Button>
          )}
        </div>
      )}
      {writing && isText(conflict) && (
        <Suspense fallback={<Loading />}>
          <ConflictText
            writing={writing}
            place={{
              spaceId: space.id,
              number: String(proposal.number),
              page: target.id,
              isReusable: target.object === 'reusable-content',
            }}
            organizationId={space.organization}
            isBusy={change.isPending}
            onWrite={(next) => keepWriting(id, next)}
            onSave={(markdown) => resolve({ content: markdown === '' ? null : markdown })}
            onCancel={giveUp}
          />
        </Suspense>
      )}
      {writing && !isText(conflict) && (
        <div className="compose">
          <label>
            {t('change-request.new-text')}
            <textarea
              rows={2}
              value={line}
              autoFocus
              onChange={({ target: field }) => write({ start: writing.start, markdown: field.value })}
            />
          </label>
          <div className="actions">
            <Button
              className="button main"
              isDisabled={change.isPending}
              onPress={() => resolve({ content: line === '' ? null : line })}
            >
              {t('common.save')}
            </Button>
            <Button className="button" onPress={giveUp}>
              {t('common.cancel')}
            </Button>
          </div>
        </div>
      )}
      <Refusal error={change.error} />
    </article>
  )
}

const VERSIONS = ['base', 'primary', 'own'] as const

const titleOf = (side: (typeof VERSIONS)[number]): string =>
  side === 'base'
    ? t('common.before')
    : side === 'primary'
      ? t('change-request.in-the-space')
      : t('change-request.change-request-text')

function VersionShown({
  title,
  value,
  before,
  conflict,
  spaceId,
}: {
  title: string
  value: unknown
  /** An earlier version, whose differences are marked. */
  before: unknown
  conflict: OpenConflict
  spaceId: string
}) {
  return (
    <>
      <p className="doc-kind">{title}</p>
      {value === null || value === undefined ? (
        <p className="faint">
          {conflict.kind === 'field' || conflict.entry !== undefined
            ? t('common.nothing')
            : t('change-request.deleted')}
        </p>
      ) : isText(conflict) && typeof value === 'string' ? (
        <ShownMarkdown
          spaceId={spaceId}
          markdown={value}
          before={typeof before === 'string' ? before : undefined}
        />
      ) : isSettings(conflict, value) ? (
        <SettingsShown field={conflict.field!} value={value} before={before} />
      ) : (
        <pre tabIndex={0}>
          {typeof value === 'string' && typeof before === 'string' ? (
            <MarkedText text={value} marks={textChanges(before, value)} />
          ) : (
            (placeText(value) ?? valueText(value))
          )}
        </pre>
      )}
    </>
  )
}

/** Whether a value is a field of a page with several settings, such as its cover. */
const isSettings = ({ kind, field, name }: OpenConflict, value: unknown): boolean =>
  kind === 'field' &&
  field !== undefined &&
  name === undefined &&
  typeof value === 'object' &&
  placeText(value) === undefined

/** A field with several settings: those of the earlier version, or what differs from it. */
function SettingsShown({ field, value, before }: { field: string; value: unknown; before: unknown }) {
  return before === undefined ? (
    <Settings settings={pageSettings(field, undefined, value)} />
  ) : (
    <SettingList changes={pageSettings(field, before, value)} side="both" />
  )
}

/** The title of what a value names, if it is one of the things of a space. */
function placeText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, name } = value as { title?: unknown; name?: unknown }
  return typeof title === 'string' ? title : typeof name === 'string' ? name : undefined
}
