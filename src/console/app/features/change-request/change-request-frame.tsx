/** The frame of a change request's screens: its heading and the way between them. */
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi } from '../../api/api.ts'
import { Failure, LinkRow, Loading, Trail } from '../../ui/parts.tsx'
import type { ChangeRequest, Space, User } from '../../api/types.ts'
import { Here } from '../../editor/together/here.tsx'
import { t } from '../../words/words.ts'
import { keepBegun, useBegunComments } from '../../discussion/begun.ts'
import { isClosed, subjectOf } from '../../proposals/change-request.ts'
import { useEvents } from '../../api/use-events.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../../diff/review.css'
import type { ChangeRequestPath } from '../../api/paths.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './change-request.css'

/** A change request, the space it changes, and the caller. */
export interface Proposed {
  /** The path of the change request below `/v1`. */
  base: ChangeRequestPath
  /** The path of its screens below `/app`. */
  home: string
  proposal: ChangeRequest
  space: Space
  me: User
}

/** The frame of a change request's screens: its heading and the way between them. */
export function ProposalFrame({
  params: { spaceId = '', number = '' },
  wide = false,
  children,
}: {
  params: Record<string, string>
  wide?: boolean
  children: (proposed: Proposed) => ReactNode
}) {
  const base = `/spaces/${spaceId}/change-requests/${number}` as const
  const home = `/s/${spaceId}/~/changes/${number}`
  const proposal = useApi(base)
  const space = useApi(`/spaces/${spaceId}`)
  const me = useApi('/user')
  useEvents(base, [base])
  const error = proposal.error ?? space.error ?? me.error
  if (error) return <Failure title={t('common.change-request-cannot-shown')} error={error} />
  if (!proposal.data || !space.data || !me.data) return <Loading />
  const proposed = { base, home, proposal: proposal.data, space: space.data, me: me.data }
  return (
    <div className={`screen review${wide ? ' wide-screen' : ''}`}>
      <ProposalTrail proposed={proposed} />
      <div className="heading">
        <ProposalTabs proposed={proposed} />
        <Here base={base} />
      </div>
      <NotSent proposed={proposed} />
      {children(proposed)}
    </div>
  )
}

/** The comments on the changes that the caller has begun and not sent. In the changes, their fields are open. */
function NotSent({ proposed }: { proposed: Proposed }) {
  const begun = useBegunComments(proposed)
  const { home } = proposed
  if (location.pathname === `/app${home}/diff`) return null
  return begun.map(({ name, comment: { body, suggestion, page } }) => (
    <p key={name} className="undo-line">
      {t('change-request.begun-comment-not-sent')}{' '}
      <q>{body.markdown || suggestion?.text || suggestion?.markdown}</q>{' '}
      <Link href={`${home}/diff#page-${page}`}>{t('change-request.go-on-writing')}</Link>{' '}
      <Button className="small quiet" onPress={() => keepBegun(name, undefined)}>
        {t('common.discard')}
      </Button>
    </p>
  ))
}

function ProposalTrail({ proposed: { proposal, space } }: { proposed: Proposed }) {
  const organization = useApi(`/orgs/${space.organization}`)
  return (
    <Trail
      items={[
        { title: organization.data?.title ?? '…', to: `/o/${space.organization}` },
        { title: space.title || t('common.untitled'), to: `/s/${space.id}` },
        { title: t('common.change-requests'), to: `/s/${space.id}/~/changes` },
        { title: `#${proposal.number} ${subjectOf(proposal)}` },
      ]}
    />
  )
}

function ProposalTabs({ proposed: { home, proposal, space } }: { proposed: Proposed }) {
  const here = location.pathname
  const tabs = [
    ['', t('change-request.overview')],
    ['/diff', t('change-request.changes')],
    ['/conflicts', t('change-request.conflicts')],
    ['/links', t('common.links')],
    ['/history', t('common.history')],
    ...(space.permissions.edit && !isClosed(proposal) ? [['/edit/', t('common.edit')]] : []),
  ] as [string, string][]
  return (
    <LinkRow label={t('change-request.change-request')} kind="tabs">
      {tabs.map(([path, title]) => (
        <Link
          key={path}
          href={`${home}${path}`}
          aria-current={here === `/app${home}${path}` ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </LinkRow>
  )
}
