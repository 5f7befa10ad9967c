import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { LineField } from '../../ui/fields.tsx'
import { JoinableOrganizations } from './joinable-organizations.tsx'
import { SpaceName } from '../../places/new-space.tsx'
import { go, useApi, useChange, useList } from '../../api/api.ts'
import { CreateButton } from '../../ui/forms.tsx'
import { Loading, More, Refusal, Rows, Trail } from '../../ui/parts.tsx'
import { By } from '../../ui/by.tsx'
import { subjectOf } from '../../proposals/change-request.ts'
import { readAgain } from '../../api/use-events.ts'
import type { Caller } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { ProposalRows } from '../../proposals/change-request-rows.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './inbox.css'

type Notification = Schemas['Notification']

/** The inbox, and the way to the organizations. */
export function Home() {
  const organizations = useList('/orgs')
  const me = useApi('/user')
  const isShowable = useShowable(organizations.isSuccess && me.isSuccess)
  return (
    <div className="screen review">
      <Trail items={[]} />
      <h1>{me.data ? t('home.welcome-name', { name: me.data.displayName }) : t('common.welcome')}</h1>
      {!isShowable && <Loading />}
      <div className="home" hidden={!isShowable}>
        <Inbox />
        {me.data &&
          organizations.items.map(({ id, title }) => (
            <Waiting
              key={id}
              organizationId={id}
              {...(organizations.items.length > 1 ? { title } : {})}
              me={me.data.id}
            />
          ))}
        <section aria-labelledby="organizations">
          <h2 id="organizations">{t('home.organizations')}</h2>
          <ul className="rows">
            {organizations.items.map(({ id, title }) => (
              <li key={id}>
                <Link href={`/o/${id}`}>{title}</Link>
                <FirstSpaces organizationId={id} />
              </li>
            ))}
          </ul>
          <More list={organizations} />
          {me.data && <MayCreate me={me.data} />}
        </section>
        {me.data && organizations.isSuccess && (
          <JoinableOrganizations me={me.data} joined={organizations.items} />
        )}
      </div>
    </div>
  )
}

const FIRST_SPACES = 8

/** A few spaces of an organization, and the way to all of them. */
function FirstSpaces({ organizationId }: { organizationId: string }) {
  const { data } = useApi(`/orgs/${organizationId}/spaces?limit=${FIRST_SPACES}`)
  if (!data || data.items.length === 0) return null
  return (
    <ul className="links" aria-label={t('common.spaces')}>
      {data.items.map((space) => (
        <li key={space.id}>
          <SpaceName space={space} />
        </li>
      ))}
      {data.next && (
        <li>
          <Link href={`/o/${organizationId}`}>{t('home.all-spaces')}</Link>
        </li>
      )}
    </ul>
  )
}

/** The parts of the screen begin to load one after the other within this time. */
const BETWEEN_MS = 30
const LONGEST_MS = 2000

/**
 * Whether the parts of the screen can be shown: all of them have loaded, so that none pushes another down, or it takes too
 * long to wait for the last one.
 */
function useShowable(isBegun: boolean): boolean {
  // Parts that have been shown before appear at once.
  const [isShowable, setShowable] = useState(isBegun)
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  useEffect(() => {
    const timer = setTimeout(() => setShowable(true), LONGEST_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!isBegun || isLoading) return undefined
    const timer = setTimeout(() => setShowable(true), BETWEEN_MS)
    return () => clearTimeout(timer)
  }, [isBegun, isLoading])
  return isShowable
}

/** The way to another organization, or why there is none. */
function MayCreate({ me: { permissions, organizationLimit } }: { me: Caller }) {
  if (permissions.createOrganization) return <NewOrganization />
  if (organizationLimit === undefined) return null
  return (
    <p className="hint">
      {t('home.can-create-at-most', {
        count: organizationLimit,
      })}
    </p>
  )
}

function NewOrganization() {
  const [title, setTitle] = useState('')
  const create = useChange('POST /orgs')
  return (
    <CreateButton
      label={t('home.new-organization')}
      create={create}
      body={{ title }}
      onCreated={({ id }) => go(`/o/${id}`)}
    >
      <LineField label={t('common.name')} value={title} onChange={setTitle} isRequired autoFocus />
    </CreateButton>
  )
}

const NOTIFICATIONS = '/user/notifications'
/** There is no stream of events of a user, so the inbox asks. */
const ASK_EVERY_MS = 30_000

/** The notifications about actions of others that concern the user. */
function Inbox() {
  const [areAllShown, setAllShown] = useState(false)
  const list = useList(`${NOTIFICATIONS}${areAllShown ? '' : '?unread=true'}`)
  const readAll = useChange(`PATCH ${NOTIFICATIONS}`, [NOTIFICATIONS])
  const client = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void readAgain(client, [NOTIFICATIONS])
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [client])
  const newest = list.items[0]
  return (
    <section aria-labelledby="news">
      <div className="heading">
        <h2 id="news">{t('common.notifications')}</h2>
        <div className="actions">
          {newest && list.items.some(({ read }) => !read) && (
            <Button
              className="small"
              isDisabled={readAll.isPending}
              onPress={() => readAll.mutate({ read: true, until: newest.id })}
            >
              {t('home.mark-all-read')}
            </Button>
          )}
          <Button className="small quiet" onPress={() => setAllShown(!areAllShown)}>
            {areAllShown ? t('home.only-unread-ones') : t('home.show-earlier-ones-too')}
          </Button>
        </div>
      </div>
      <Rows list={list} empty={t('home.nothing-waits')} kind="rows inbox">
        {(one) => <NotificationRow key={one.id} notification={one} />}
      </Rows>
      <Refusal error={readAll.error} />
    </section>
  )
}

function NotificationRow({ notification }: { notification: Notification }) {
  const { id, kind, read, actor, createdAt, space, changeRequest, comment } = notification
  const mark = useChange(`PATCH ${NOTIFICATIONS}/${id}`, [NOTIFICATIONS])
  const place = changeRequest
    ? `/s/${space.id}/~/changes/${changeRequest.number}`
    : `/s/${space.id}/~/comments`
  const to = comment === undefined ? place : `${place}#comment-${comment}`
  return (
    <li className={read ? 'read' : 'unread'}>
      <span>
        <a
          href={`/app${to}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
            event.preventDefault()
            if (!read) mark.mutate({ read: true })
            go(to)
          }}
        >
          {saying(kind)} {changeRequest && `“${subjectOf(changeRequest)}”`}
        </a>
        <br />
        <By user={actor} at={createdAt} did={`· ${space.title || t('common.untitled')} ·`} />
      </span>
      <Button
        className="small quiet"
        isDisabled={mark.isPending}
        onPress={() => mark.mutate({ read: !read })}
      >
        {read ? t('home.mark-as-unread') : t('home.mark-as-read')}
      </Button>
    </li>
  )
}

function saying(kind: Notification['kind']): string {
  return {
    'review-requested': t('home.review-asked'),
    mention: t('home.were-mentioned'),
    comment: t('home.new-comment-on'),
    reply: t('home.new-reply-in'),
    review: t('home.reviewed'),
    merge: t('home.merged'),
  }[kind]
}

/** The reviews that the user was asked for, and the change requests of the user that are not merged. */
function Waiting({ organizationId, title, me }: { organizationId: string; title?: string; me: string }) {
  const path = `/orgs/${organizationId}/change-requests?orderBy=updatedAt&limit=10` as const
  const lists = [
    [t('home.waiting-review'), useList(`${path}&requestedReviewer=${me}`)],
    [t('home.open-change-requests'), useList(`${path}&creator=${me}`)],
    [t('home.your-drafts'), useList(`${path}&creator=${me}&status=draft`)],
  ] as const
  return lists.map(([name, list], i) =>
    list.items.length === 0 ? null : (
      <section key={name} aria-labelledby={`waiting-${organizationId}-${i}`}>
        <h2 id={`waiting-${organizationId}-${i}`}>
          {name}
          {title !== undefined && <span className="faint"> · {title}</span>}
        </h2>
        <ProposalRows proposals={list.items} inOrganization />
        <More list={list} />
      </section>
    ),
  )
}
