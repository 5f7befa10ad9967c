/** One conflict: its versions, and the ways to resolve it. */
import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange } from '../../../api/api.ts'
import type { OpenConflict } from '../../../api/review-types.ts'
import { Loading, Named, Refusal } from '../../../ui/parts.tsx'
import { t } from '../../../words/words.ts'
import type { Proposed } from '../change-request-frame.tsx'
import { ConflictVersion, isAboutText, nameOfVersion, VERSIONS } from './conflict-versions.tsx'
import { type ConflictWriting, keepWriting, keptWriting } from './kept-conflict.ts'
import { whatOf } from './resolved-conflicts.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './conflict.css'

const ConflictText = lazy(async () => ({
  default: (await import('./conflict-text.tsx')).ConflictText,
}))

/** The fields whose value is a text that a person can write. */
const WRITABLE = ['title', 'linkTitle', 'slug', 'description', 'condition', 'name']

const isLine = ({ kind, entry, field, own, primary }: OpenConflict): boolean =>
  (kind === 'body' && entry !== undefined) ||
  (kind === 'field' &&
    WRITABLE.includes(field ?? '') &&
    [own, primary].every((one) => one === null || typeof one === 'string'))

interface ConflictProps {
  proposed: Proposed
  conflict: OpenConflict
  mayResolve: boolean
  onResolve: (id: string, isBegun: boolean) => void
  onGivenUp: () => void
}

/** How the user resolves a conflict: the request, and the text that they write. */
type Resolving = ReturnType<typeof useResolving>

function useResolving({ proposed: { base }, conflict, mayResolve, onResolve, onGivenUp }: ConflictProps) {
  const { id } = conflict
  const [writing, setWriting] = useState(() => (mayResolve ? keptWriting(id) : undefined))
  const box = useRef<HTMLElement>(null)
  const change = useChange(`POST ${base}/conflicts/${id}/resolve`, [base])
  return {
    box,
    error: change.error,
    isBusy: change.isPending,
    writing,
    /** Shows a text to write in. The browser keeps it from the first change on. */
    begin: (start: string) => setWriting({ start }),
    write(next: ConflictWriting) {
      keepWriting(id, next)
      setWriting(next)
    },
    resolve(by: { side: 'primary' | 'own' } | { content: string | null }) {
      onResolve(id, true)
      change.mutate(by, { onError: () => onResolve(id, false) })
    },
    giveUp() {
      keepWriting(id)
      setWriting(undefined)
      onGivenUp()
      const side = VERSIONS.find((one) => conflict[one] === writing?.start)
      const opener = isAboutText(conflict) ? side : 'line'
      // The button that began the writing is there again after this is drawn.
      setTimeout(() => box.current?.querySelector<HTMLElement>(`[data-opens=${opener}]`)?.focus())
    },
  }
}

/** @param isOpen false if somebody else has resolved the conflict while the user writes in it */
export function ConflictBox(props: ConflictProps & { isOpen: boolean }) {
  const { proposed, conflict, mayResolve, isOpen } = props
  const resolving = useResolving(props)
  const { box, writing, error } = resolving
  return (
    <article ref={box} className="conflict">
      <h2>{conflict.target.title ?? t('common.untitled')}</h2>
      <p className="faint">{whatOf(conflict)}</p>
      {!isOpen && (
        <p className="refusal" role="alert">
          {t('change-request.somebody-else-settled-conflict')}
        </p>
      )}
      <div className="versions">
        {VERSIONS.map((side) => (
          <div key={side}>
            <ConflictVersion side={side} conflict={conflict} spaceId={proposed.space.id} />
            {mayResolve && !writing && <EditVersion side={side} conflict={conflict} resolving={resolving} />}
          </div>
        ))}
      </div>
      {mayResolve && !writing && <Choices conflict={conflict} resolving={resolving} />}
      {writing &&
        (isAboutText(conflict) ? (
          <WrittenBlocks writing={writing} resolving={resolving} proposed={proposed} conflict={conflict} />
        ) : (
          <WrittenLine writing={writing} resolving={resolving} />
        ))}
      <Refusal error={error} />
    </article>
  )
}

/** The button that begins a text with one of the versions. */
function EditVersion({
  side,
  conflict,
  resolving: { begin, isBusy },
}: {
  side: (typeof VERSIONS)[number]
  conflict: OpenConflict
  resolving: Resolving
}) {
  const value = conflict[side]
  if (!isAboutText(conflict) || typeof value !== 'string') return null
  return (
    <Button className="small" data-opens={side} isDisabled={isBusy} onPress={() => begin(value)}>
      <Named name={nameOfVersion(side)}>{t('change-request.edit-this-version')}</Named>
    </Button>
  )
}

/** The buttons that resolve a conflict by one of its sides, or begin a line. */
function Choices({
  conflict,
  resolving: { begin, resolve, isBusy },
}: {
  conflict: OpenConflict
  resolving: Resolving
}) {
  const { own } = conflict
  return (
    <div className="actions">
      <Button className="button" isDisabled={isBusy} onPress={() => resolve({ side: 'primary' })}>
        {t('change-request.use-text-space')}
      </Button>
      <Button className="button" isDisabled={isBusy} onPress={() => resolve({ side: 'own' })}>
        {t('change-request.keep-text-change-request')}
      </Button>
      {isLine(conflict) && (
        <Button
          className="button"
          data-opens="line"
          onPress={() => begin(typeof own === 'string' ? own : '')}
        >
          {t('change-request.write-it')}
        </Button>
      )}
    </div>
  )
}

interface WrittenProps {
  writing: ConflictWriting
  resolving: Resolving
}

function WrittenBlocks({
  writing,
  resolving: { isBusy, resolve, giveUp },
  proposed: { proposal, space },
  conflict: { id, target },
}: WrittenProps & { proposed: Proposed; conflict: OpenConflict }) {
  return (
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
        isBusy={isBusy}
        onWrite={(next) => keepWriting(id, next)}
        onSave={(markdown) => resolve({ content: markdown === '' ? null : markdown })}
        onCancel={giveUp}
      />
    </Suspense>
  )
}

function WrittenLine({
  writing: { start, markdown },
  resolving: { isBusy, write, resolve, giveUp },
}: WrittenProps) {
  const line = markdown ?? start
  return (
    <div className="compose">
      <label>
        {t('change-request.new-text')}
        <textarea
          rows={2}
          value={line}
          autoFocus
          onChange={({ target }) => write({ start, markdown: target.value })}
        />
      </label>
      <div className="actions">
        <Button
          className="button main"
          isDisabled={isBusy}
          onPress={() => resolve({ content: line === '' ? null : line })}
        >
          {t('common.save')}
        </Button>
        <Button className="button" onPress={giveUp}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}
