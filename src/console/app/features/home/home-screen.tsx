import { type QueryClient, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { go, useApi, useChange, useList } from '../../api/api.ts'
import type { Caller, Organization, Space } from '../../api/types.ts'
import { NewSpace } from '../../places/new-space.tsx'
import { useRecentPages } from '../../places/recent.ts'
import { Face, hueOf } from '../../ui/face.tsx'
import { LineField, Part } from '../../ui/fields.tsx'
import { CreateButton } from '../../ui/forms.tsx'
import { More, Refusal, Trail } from '../../ui/parts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ago, t } from '../../words/words.ts'
import { PlaceCard, CardMeta } from './card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { JoinableOrganizations } from './joinable-organizations.tsx'
import { DraftCard, useDrafts, WaitingReviews } from './my-change-requests.tsx'
import { NotificationRows, ReadAll, reviewsIn, useNotifications } from './notifications.tsx'

const start = () => import('./start.tsx')
const Start = lazy(async () => ({ default: (await start()).Start }))
const NameOrganization = lazy(async () => ({ default: (await start()).NameOrganization }))

/** What waits, what was begun, and the way to every space. */
export function Home() {
  const organizations = useList('/orgs')
  const me = useApi('/user')
  const isShowable = useShowable(organizations.isSuccess && me.isSuccess)
  const unread = useNotifications(false)
  const isOnlyOne = organizations.items.length <= 1
  return (
    <div className="screen home-screen inbox-screen review">
      <Trail items={[{ title: t('sidebar.home') }]} />
      <h1>{me.data ? t('home.welcome-name', { name: me.data.displayName }) : t('common.welcome')}</h1>
      {!isShowable && <Skeleton kind="cards" lines={6} />}
      <div className="home" hidden={!isShowable}>
        {me.data && organizations.items[0] && (
          <FirstSteps me={me.data} organization={organizations.items[0]} />
        )}
        <Waiting list={unread} />
        {me.data &&
          organizations.items.map(({ id, title }) => (
            <WaitingReviews
              key={id}
              of={{ organizationId: id, me: me.data.id }}
              title={isOnlyOne ? undefined : title}
              without={reviewsIn(unread)}
            />
          ))}
        {me.data && <Begun me={me.data} organizations={organizations.items} />}
        {organizations.items.map((one) => (
          <OrganizationPart key={one.id} organization={one} />
        ))}
        <More list={organizations} />
        {me.data && organizations.isSuccess && (
          <>
            <MayCreate me={me.data} isFirst={organizations.items.length === 0} />
            <JoinableOrganizations me={me.data} joined={organizations.items} />
          </>
        )}
      </div>
    </div>
  )
}

/** The notifications that the user has not read. */
function Waiting({ list }: { list: ReturnType<typeof useNotifications> }) {
  return (
    <Part
      title={t('home.waiting-for-you')}
      actions={
        <span className="actions">
          <ReadAll list={list} />
          <Link className="more-link" href="/inbox">
            {t('home.open-inbox')}
          </Link>
        </span>
      }
    >
      <NotificationRows list={list} empty={t('home.nothing-waits')} />
    </Part>
  )
}

/** How many drafts of an organization, and how many pages that were read last, are shown. */
const MOST_DRAFTS = 3
const MOST_PAGES = 6

/** What the user has begun to write or to read in this browser. */
function Begun({ me, organizations }: { me: Caller; organizations: readonly Organization[] }) {
  const pages = useRecentPages(me.id).slice(0, MOST_PAGES)
  return (
    <div className="begun">
      <Part title={t('home.continue')}>
        <ul className="cards small-cards">
          {organizations.map(({ id }) => (
            <Drafts key={id} organizationId={id} me={me.id} />
          ))}
          {pages.map(({ to, title, emoji, space, at }) => (
            <PlaceCard
              key={to}
              to={to}
              title={title}
              face={emoji !== undefined && <Face id={to} name={title} emoji={emoji} />}
            >
              <CardMeta>
                {space} · {t('home.read-when', { when: ago(new Date(at).toISOString()) })}
              </CardMeta>
            </PlaceCard>
          ))}
        </ul>
      </Part>
    </div>
  )
}

/** The cards of the drafts in an organization. */
function Drafts(of: { organizationId: string; me: string }) {
  return useDrafts(of)
    .items.slice(0, MOST_DRAFTS)
    .map((draft) => <DraftCard key={draft.id} draft={draft} />)
}

/** How many spaces of an organization have a card. */
const MOST_SPACES = 12

/** The spaces of an organization, the one that was changed last first. */
function OrganizationPart({ organization }: { organization: Organization }) {
  const { id, title, urls, permissions } = organization
  const spaces = useList(`/orgs/${id}/spaces?limit=200`)
  const shown = spaces.items.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, MOST_SPACES)
  const hasMore = shown.length < spaces.items.length
  // The ways to begin stay until one leaves the screen: the dialog of an import that makes a space is one of them.
  const [isNew, setNew] = useState(false)
  if (!isNew && spaces.isSuccess && shown.length === 0) setNew(true)
  return (
    <section aria-labelledby={`organization-${id}`}>
      <div className="heading">
        <h2 id={`organization-${id}`} className="with-face">
          <Face id={id} name={title} picture={urls.logo} />
          <Link href={`/o/${id}`}>
            <bdi>{title}</bdi>
          </Link>
        </h2>
        {permissions.createContent && (
          <span className="actions">
            <NewSpace organizationId={id} />
          </span>
        )}
      </div>
      {spaces.isLoading && <Skeleton kind="cards" />}
      <Refusal query={spaces.error ? spaces : undefined} />
      {isNew && <WithoutSpaces organization={organization} />}
      <ul className="cards" aria-label={t('common.spaces')}>
        {shown.map((space) => (
          <SpaceCard key={space.id} space={space} />
        ))}
      </ul>
      {hasMore && (
        <p>
          <Link href={`/o/${id}`}>{t('home.all-spaces')}</Link>
        </p>
      )}
    </section>
  )
}

/** What one can do in an organization without spaces. */
function WithoutSpaces({ organization }: { organization: Organization }) {
  const { admin, createContent } = organization.permissions
  if (!createContent)
    return (
      <div className="empty">
        <p>{t('home.no-space-yet')}</p>
      </div>
    )
  return (
    <Suspense fallback={<Skeleton kind="cards" lines={6} />}>
      {admin && <NameOrganization organization={organization} />}
      <Start organization={organization} />
    </Suspense>
  )
}

function SpaceCard({ space: { id, title, emoji, updatedAt, changeRequestsOpen } }: { space: Space }) {
  const name = title || t('common.untitled')
  return (
    <PlaceCard to={`/s/${id}`} title={name} hue={hueOf(id)} face={<Face id={id} name={name} emoji={emoji} />}>
      <CardMeta>
        <time dateTime={updatedAt}>{t('home.changed-when', { when: ago(updatedAt) })}</time>
        {changeRequestsOpen > 0 && <> · {t('home.count-open', { count: changeRequestsOpen })}</>}
      </CardMeta>
    </PlaceCard>
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
  const client = useQueryClient()
  // Parts that have been shown before appear at once.
  const [isShowable, setShowable] = useState(() => isBegun && hasParts(client))
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

/** Parts of the paths of what the screen shows, from the first organization on. */
const PARTS = ['/user/notifications', 'requestedReviewer=', 'status=draft']

/** Whether everything that the screen shows was read before. */
function hasParts(client: QueryClient): boolean {
  const known = client.getQueryCache().findAll({ predicate: ({ state }) => state.data !== undefined })
  return PARTS.every((part) => known.some(({ queryKey: [, path] }) => String(path).includes(part)))
}

/** The way to another organization, or why there is none. */
function MayCreate({
  me: { permissions, organizationLimit },
  isFirst,
}: {
  me: Caller
  /** Whether the user has no organization yet. */
  isFirst: boolean
}) {
  if (permissions.createOrganization)
    return isFirst ? (
      <div className="empty">
        <p>{t('home.no-organization-yet')}</p>
        <NewOrganization kind="button main" />
      </div>
    ) : (
      <p>
        <NewOrganization kind="quiet small" />
      </p>
    )
  if (organizationLimit === undefined) return null
  return (
    <p className="hint">
      {t('home.can-create-at-most', {
        count: organizationLimit,
      })}
    </p>
  )
}

function NewOrganization({ kind }: { kind: string }) {
  const [title, setTitle] = useState('')
  const create = useChange('POST /orgs')
  return (
    <CreateButton
      label={t('home.new-organization')}
      kind={kind}
      create={create}
      body={{ title }}
      onCreated={({ id }) => go(`/o/${id}/start`)}
    >
      <LineField label={t('common.name')} value={title} onChange={setTitle} isRequired autoFocus />
    </CreateButton>
  )
}
