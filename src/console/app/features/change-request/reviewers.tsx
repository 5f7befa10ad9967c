/** The users who review a change request, the users who were asked for a review, and the reviews. */
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { RoleName } from '../../words/role-names.ts'
import { useChange, useList } from '../../api/api.ts'
import { DialogButton, More, Refusal, EmptyHint } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { ShownBlocks } from '../../diff/shown/blocks.tsx'
import type { Naming } from './naming.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import type { Proposed } from './change-request-frame.tsx'
import { By } from '../../ui/by.tsx'
import type { ReviewerRequest, ReviewStatus } from '../../api/review-types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './reviewers.css'

/** The reviews of a change request, and the requests for more. */
export function Reviewers({ proposed, naming }: { proposed: Proposed; naming: Naming }) {
  const { base, proposal, space, me } = proposed
  const reviews = useList(`${base}/reviews`)
  const requests = useList(`${base}/requested-reviewers`)
  const mayAsk = space.permissions.edit && !isClosed(proposal)
  const isAsked = requests.items.some(({ user }) => user.id === me.id)
  return (
    <section aria-labelledby="reviews" className="reviewers">
      <div className="heading">
        <h2 id="reviews">{t('change-request.reviews')}</h2>
        {mayAsk && (
          <AskForReview
            proposed={proposed}
            naming={naming}
            asked={requests.items.map(({ user }) => user.id)}
          />
        )}
      </div>
      {isAsked && !isClosed(proposal) && !space.permissions.review && (
        <p className="hint">{t('change-request.were-asked-but-role')}</p>
      )}
      {reviews.isSuccess && requests.isSuccess && reviews.items.length + requests.items.length === 0 && (
        <p className="hint">{t('change-request.nobody-reviewed-these-changes')}</p>
      )}
      <ul className="plain">
        {requests.items.map((request) => (
          <Asked key={request.user.id} base={base} request={request} mayRemove={mayAsk} />
        ))}
        {reviews.items.map((one) => (
          <li key={one.id} className={one.outdated ? 'verdict outdated' : 'verdict'}>
            <By user={one.reviewer} at={one.createdAt} />
            <span className="tags">
              <VerdictTag status={one.status} />
              {one.outdated && <span className="status">{t('change-request.earlier-version')}</span>}
            </span>
            {one.comment?.body.document && <ShownBlocks blocks={one.comment.body.document.nodes} />}
          </li>
        ))}
      </ul>
      <More list={reviews} />
      <More list={requests} />
    </section>
  )
}

function Asked({
  base,
  request,
  mayRemove,
}: {
  base: ChangeRequestPath
  request: ReviewerRequest
  mayRemove: boolean
}) {
  const { id, displayName } = request.user
  const remove = useChange(`DELETE ${base}/requested-reviewers/${id}`, [base])
  return (
    <li className="verdict">
      <By
        user={request.user}
        at={request.createdAt}
        did={t('change-request.asked-name', { name: request.requestedBy.displayName })}
      />
      {mayRemove && (
        <Button
          className="small quiet"
          aria-label={t('common.remove-name', { name: displayName })}
          isDisabled={remove.isPending}
          onPress={() => remove.mutate(undefined)}
        >
          {t('common.remove')}
        </Button>
      )}
      <Refusal error={remove.error} />
    </li>
  )
}

interface Asking {
  proposed: Proposed
  naming: Naming
  /** The ids of the people who were asked already. */
  asked: readonly string[]
}

function AskForReview(asking: Asking) {
  return (
    <DialogButton label={t('change-request.ask-review')} title={t('change-request.ask-review')} kind="small">
      {(close) => <People asking={asking} close={close} />}
    </DialogButton>
  )
}

/** The roles that can review. */
const REVIEWING: readonly RoleName[] = ['admin', 'create', 'review']

type Member = Schemas['Member']

function People({
  asking: {
    proposed: { base, proposal, space },
    naming,
    asked,
  },
  close,
}: {
  asking: Asking
  close: () => void
}) {
  const [search, setSearch] = useState('')
  // Enter asks the person with the name, once the server has found who has it.
  const [isChosen, setChosen] = useState(false)
  const [areSeveral, setSeveral] = useState(false)
  const text = search.trim()
  const members = useList(
    text === ''
      ? `/orgs/${space.organization}/members`
      : `/orgs/${space.organization}/members?search=${encodeURIComponent(text)}`,
  )
  const ask = useChange(`POST ${base}/requested-reviewers`, [base])
  // Others may not see the roles of everybody; they can ask anybody.
  const roles = useList(
    space.permissions.admin ? `/spaces/${space.id}/permissions/aggregate?limit=1000` : undefined,
  )
  const cannotReview = (id: string) => {
    const known = roles.items.find(({ user }) => user.id === id)
    if (!known) return roles.isSuccess && !roles.hasNextPage
    return known.permission !== null && !REVIEWING.includes(known.permission)
  }
  // Whom one can ask comes first, and in each part the order of the server.
  const others = members.items
    .filter(({ user }) => user.id !== proposal.createdBy.id)
    .toSorted((a, b) => Number(cannotReview(a.user.id)) - Number(cannotReview(b.user.id)))
  const send = (id: string) =>
    void naming.keep().then(
      () => ask.mutate({ users: [id] }, { onSuccess: () => setSearch('') }),
      () => undefined,
    )

  const choose = () => {
    const isCalled = ({ user }: Member) =>
      [user.displayName, user.email].some((one) => one?.toLowerCase() === text.toLowerCase())
    const free = others.filter(({ user }) => !asked.includes(user.id) && !cannotReview(user.id))
    const called = free.filter(isCalled)
    const [only, ...more] = called.length > 0 ? called : free
    setChosen(false)
    setSeveral(more.length > 0)
    if (only && more.length === 0) send(only.user.id)
  }
  useEffect(() => {
    if (isChosen && members.isSuccess) choose()
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [isChosen, members.isSuccess])

  return (
    <form
      className="people"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        setChosen(text !== '')
      }}
    >
      <label>
        {t('common.name-e-mail-address')}
        <input
          type="search"
          value={search}
          autoFocus
          onChange={({ target }) => {
            setSearch(target.value)
            setChosen(false)
            setSeveral(false)
          }}
        />
      </label>
      <p className="hint" role="status">
        {areSeveral && t('change-request.several-people-fit-name')}
      </p>
      <ul className="rows">
        {others.map(({ user }) => (
          <li key={user.id}>
            <PersonNamed user={user} />
            {asked.includes(user.id) ? (
              <span className="faint">{t('change-request.was-asked')}</span>
            ) : cannotReview(user.id) ? (
              <span className="faint">{t('change-request.cannot-review')}</span>
            ) : (
              <Button
                className="small"
                aria-label={t('change-request.ask-name', { name: callName(user) })}
                isDisabled={ask.isPending || naming.isSaving}
                onPress={() => send(user.id)}
              >
                {t('common.ask')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <EmptyHint list={{ ...members, items: others }}>
        {text === '' ? t('change-request.there-nobody-else-organization') : t('common.nobody-name')}
      </EmptyHint>
      <More list={members} />
      <Refusal error={naming.error ?? ask.error} />
      <Button className="button" onPress={close}>
        {t('common.done')}
      </Button>
    </form>
  )
}

/** The name by which the list calls a person: somebody who was invited and has none yet has an address. */
const callName = ({ displayName, email }: Member['user']): string =>
  displayName === t('common.invited-person') ? (email ?? displayName) : displayName

function PersonNamed({ user }: { user: Member['user'] }) {
  const name = callName(user)
  const detail = name === user.displayName ? user.email : user.displayName
  return (
    <span className="person">
      <span className="avatar" aria-hidden="true" data-letter={name.slice(0, 1)} />
      <span className="name">
        <span>{name}</span>
        {detail !== undefined && detail !== name && <span>{detail}</span>}
      </span>
    </span>
  )
}

/** The result of a review. */
function VerdictTag({ status }: { status: ReviewStatus }) {
  return (
    <span className={`status ${status}`}>
      {status === 'approved'
        ? `✓ ${t('change-request.approved')}`
        : `✗ ${t('change-request.changes-requested')}`}
    </span>
  )
}
