/** Lists of the change requests of an organization that concern the user. */
import { useApi, useList } from '../../api/api.ts'
import { subjectOf } from '../../proposals/change-request.ts'
import { ProposalRows } from '../../proposals/change-request-rows.tsx'
import { More } from '../../ui/parts.tsx'
import { Part } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'
import { PlaceCard, CardMeta } from './card.tsx'
import { ago } from '../../words/words.ts'
import type { ChangeRequest } from '../../api/types.ts'

/** An organization, and the user whose change requests are meant. */
interface OfUser {
  organizationId: string
  me: string
}

const pathOf = ({ organizationId }: OfUser) =>
  `/orgs/${organizationId}/change-requests?orderBy=updatedAt&limit=10` as const

/**
 * The reviews that the user was asked for.
 * @param title that of the organization, if the user has several
 * @param without the ids of change requests that the screen shows above
 */
export function WaitingReviews({
  of,
  title,
  without,
}: {
  of: OfUser
  title: string | undefined
  without: ReadonlySet<string>
}) {
  const list = useList(`${pathOf(of)}&requestedReviewer=${of.me}`)
  const items = list.items.filter(({ id }) => !without.has(id))
  return <NamedList name={t('home.waiting-review')} title={title} list={{ ...list, items }} />
}

/** The drafts of the user, and what the user has proposed. */
export function OwnProposals({ of, title }: { of: OfUser; title: string | undefined }) {
  const drafts = useDrafts(of)
  const open = useList(`${pathOf(of)}&creator=${of.me}`)
  return (
    <>
      <NamedList name={t('home.your-drafts')} title={title} list={drafts} />
      <NamedList name={t('home.open-change-requests')} title={title} list={open} />
    </>
  )
}

/** The drafts of the user, the one that was changed last first. */
export function useDrafts(of: OfUser) {
  return useList(`${pathOf(of)}&creator=${of.me}&status=draft`)
}

function NamedList({
  name,
  title,
  list,
}: {
  name: string
  title: string | undefined
  list: ReturnType<typeof useDrafts>
}) {
  if (list.items.length === 0 && !list.hasNextPage && !list.error) return null
  return (
    <Part title={title === undefined ? name : `${name} · ${title}`}>
      <ProposalRows proposals={list.items} inOrganization />
      <More list={list} />
    </Part>
  )
}

/** A card that leads to a draft. */
export function DraftCard({ draft }: { draft: ChangeRequest }) {
  const { data: space } = useApi(`/spaces/${draft.space}`)
  return (
    <PlaceCard to={`/s/${draft.space}/~/changes/${draft.number}/edit/`} title={subjectOf(draft)}>
      <CardMeta>
        {t('home.draft-in-space', { space: space ? space.title || t('common.untitled') : '…' })} ·{' '}
        <time dateTime={draft.updatedAt}>{ago(draft.updatedAt)}</time>
      </CardMeta>
    </PlaceCard>
  )
}
