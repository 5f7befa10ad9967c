/** The name of a change request: proposed from its changes, asked for once, and changed at any time. */
import { type FormEvent, useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange } from '../../api/api.ts'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { nameOf, useChanges } from '../../diff/change-list.tsx'
import { NAME_IT, isClosed, subjectOf } from '../../proposals/change-request.ts'
import type { Proposed } from './change-request-frame.tsx'
import { By } from '../../ui/by.tsx'
import { StatusTag } from '../../proposals/status-tag.tsx'
import type { SemanticChange } from '../../api/review-types.ts'

const LONGEST = 100

/** The form for the name of a change request, whose name the other actions of the screen save too. */
export interface Naming {
  /** The name in the form; undefined if there is no form. */
  draft: string | undefined
  /** The form is there because the change request has no name yet. */
  isAsked: boolean
  isSaving: boolean
  error: Error | null
  setDraft(name: string): void
  open(): void
  close(): void
  save(): Promise<void>
  /** Saves the proposed name, if the author has not refused it. Rejects if the server refuses it. */
  keep(): Promise<void>
}

/** The form for the name of a change request. The author sees it until the change request has a name. */
export function useNaming({ base, proposal, space, me }: Proposed): Naming {
  const isOwn = space.permissions.edit && proposal.createdBy.id === me.id
  const isDue = isOwn && proposal.subject.trim() === '' && !isClosed(proposal)
  const { data } = useChanges(isDue ? `${base}/changes` : undefined)
  const proposed = proposedName(data?.changes ?? [])
  // Null once the author has closed the form.
  const [written, setWritten] = useState<string | null>()
  const change = useChange(`PATCH ${base}`, [`/spaces/${space.id}/change-requests`])
  const isAsked = isDue && proposed !== '' && written !== null
  const draft = written ?? (isAsked ? proposed : undefined)
  const close = () => setWritten(null)
  const save = async () => {
    const subject = draft?.trim() ?? ''
    if (subject !== '') await change.mutateAsync({ subject })
    // The new name can be on the screen before the answer is there, and the author may have opened the form again.
    setWritten((now) => (now === written ? null : now))
  }
  return {
    draft,
    isAsked,
    isSaving: change.isPending,
    error: change.error,
    setDraft: setWritten,
    open: () => setWritten(isDue && proposed !== '' ? undefined : proposal.subject),
    close,
    save,
    keep: () => (isAsked ? save() : Promise.resolve()),
  }
}

/** A name for changes: what happened to the first page, and how many others there are. Files count if no page changed. */
function proposedName(changes: readonly SemanticChange[]): string {
  const ofPages = changes.filter((one) => 'page' in one)
  const named = new Map<string, SemanticChange>()
  for (const one of ofPages.length > 0 ? ofPages : changes)
    if (!named.has(nameOf(one))) named.set(nameOf(one), one)
  const [first, second, ...others] = [...named.keys()]
  if (first === undefined) return ''
  const verbs = new Set([...named.values()].map(verbOf))
  const title =
    second === undefined || others.length > 0
      ? first
      : t('change-request.one-and-other', { one: first, other: second })
  const name = (verbs.size === 1 ? [...verbs][0]! : edit)(title)
  const count = named.size - 1
  return shortened(count < 2 ? name : t('change-request.name-count-more', { name, count }))
}

const edit = (title: string) => t('common.edit-title', { title })

function verbOf({ type }: SemanticChange): (title: string) => string {
  if (type.endsWith('_created')) return added
  if (type.endsWith('_deleted')) return deleted
  return type.endsWith('_moved') ? moved : edit
}

const added = (title: string) => t('change-request.add-title', { title })
const deleted = (title: string) => t('change-request.delete-title', { title })
const moved = (title: string) => t('common.move-title', { title })

const shortened = (name: string): string =>
  name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1).toWellFormed()}…`

/** The name of a change request, its status and its author. */
export function Subject({ proposed: { proposal, space }, naming }: { proposed: Proposed; naming: Naming }) {
  const { draft, isAsked } = naming
  // The button is drawn anew after the form, and gets the focus back.
  const [hadForm, setHadForm] = useState(false)
  const close = () => {
    setHadForm(true)
    naming.close()
  }
  return (
    <div className="proposal-head">
      {draft === undefined ? (
        <div className="heading">
          <h1>
            {subjectOf(proposal)} <span className="faint">#{proposal.number}</span>
          </h1>
          {space.permissions.edit && (
            <Button
              className="small"
              autoFocus={hadForm}
              onPress={() => {
                setHadForm(true)
                naming.open()
              }}
            >
              {t('common.rename')}
            </Button>
          )}
        </div>
      ) : (
        <form
          className="one-line naming"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            setHadForm(true)
            naming.save().catch(() => undefined)
          }}
        >
          <h1 className="unseen">{subjectOf(proposal)}</h1>
          <label className="grow">
            <span className={isAsked ? undefined : 'unseen'}>
              {isAsked ? t('change-request.name-this-change') : t('common.subject')}
            </span>
            <input
              value={draft}
              maxLength={LONGEST}
              autoFocus={!isAsked || hadForm || location.hash === NAME_IT}
              onFocus={({ target }) => isAsked && target.select()}
              onChange={({ target }) => naming.setDraft(target.value)}
              onKeyDown={({ key }) => key === 'Escape' && close()}
            />
          </label>
          <Button className="button main" type="submit" isDisabled={naming.isSaving}>
            {t('common.save')}
          </Button>
          <Button className="button" onPress={close}>
            {isAsked ? t('change-request.not-now') : t('common.cancel')}
          </Button>
        </form>
      )}
      <div className="tags">
        <StatusTag status={proposal.status} />
        <By user={proposal.createdBy} at={proposal.createdAt} did={t('change-request.proposed-it')} />
      </div>
      <Refusal error={naming.error} />
    </div>
  )
}
