/** The parts that the screens of a change request share: its frame, its states and their names. */
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import type { Document } from '../../../core/document/model.ts'
import { useApi } from '../api/api.ts'
import { Failure, LinkRow, Loading, Trail } from '../ui/parts.tsx'
import type { ChangeRequest, Organization, Space, User } from '../api/types.ts'
import { Here } from '../editor/together/here.tsx'
import { ago, t } from '../words/words.ts'
import { keepBegun, useBegunRemarks } from './begun.ts'
import { isClosed } from './closed.ts'
import type { Proposal, ReviewStatus } from '../api/review-types.ts'
import { useEvents } from '../api/use-events.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './review.css'

/** A change request, the space it changes, and the caller. */
export interface Proposed {
  /** The path of the change request below `/v1`. */
  base: `/${string}`
  /** The path of its screens below `/app`. */
  home: string
  proposal: Proposal
  space: Space
  me: User
}

/** The name of a status, for people. */
export function statusName(status: ChangeRequest['status']): string {
  return { draft: t('Draft'), open: t('Open'), merged: t('Merged'), archived: t('Archived') }[status]
}

/** The status of a change request. */
export function StatusTag({ status }: { status: ChangeRequest['status'] }) {
  return <span className={`status ${status}`}>{statusName(status)}</span>
}

/** The result of a review. */
export function VerdictTag({ status }: { status: ReviewStatus }) {
  return (
    <span className={`status ${status}`}>
      {status === 'approved' ? `✓ ${t('Approved')}` : `✗ ${t('Changes requested')}`}
    </span>
  )
}

/** The subject of a change request; it can be empty. */
export function subjectOf({ subject }: Pick<ChangeRequest, 'subject'>): string {
  return subject.trim() === '' ? t('Untitled change') : subject
}

/** Text without formatting as a document: a paragraph for each part between empty lines. */
export function plainDocument(text: string): Document {
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.trim())
  return {
    object: 'document',
    data: {},
    nodes: paragraphs.map((one) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: one, marks: [] }] }],
    })),
  }
}

/** The text of a document that has paragraphs without formatting only; undefined for any other. */
export function plainTextOf(document: Document | undefined): string | undefined {
  const paragraphs = (document?.nodes ?? []).map((block) => {
    if (block.type !== 'paragraph') return undefined
    const texts = block.nodes.map((node) =>
      node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)
        ? node.leaves.map(({ text }) => text).join('')
        : undefined,
    )
    return texts.includes(undefined) ? undefined : texts.join('')
  })
  return paragraphs.includes(undefined) ? undefined : paragraphs.join('\n\n')
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
  const base: `/${string}` = `/spaces/${spaceId}/change-requests/${number}`
  const home = `/s/${spaceId}/~/changes/${number}`
  const proposal = useApi<Proposal>(base)
  const space = useApi<Space>(`/spaces/${spaceId}`)
  const me = useApi<User>('/user')
  useEvents(base, [base])
  const error = proposal.error ?? space.error ?? me.error
  if (error) return <Failure title={t('This change request cannot be shown')} error={error} />
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
  const begun = useBegunRemarks(proposed)
  const { home } = proposed
  if (location.pathname === `/app${home}/diff`) return null
  return begun.map(({ name, remark: { body, suggestion, page } }) => (
    <p key={name} className="undo-line">
      {t('You have begun a comment that is not sent:')}{' '}
      <q>{body.markdown || suggestion?.text || suggestion?.markdown}</q>{' '}
      <Link href={`${home}/diff#page-${page}`}>{t('Go on writing')}</Link>{' '}
      <Button className="small quiet" onPress={() => keepBegun(name, undefined)}>
        {t('Discard')}
      </Button>
    </p>
  ))
}

function ProposalTrail({ proposed: { proposal, space } }: { proposed: Proposed }) {
  const organization = useApi<Organization>(`/orgs/${space.organization}`)
  return (
    <Trail
      items={[
        { title: organization.data?.title ?? '…', to: `/o/${space.organization}` },
        { title: space.title || t('Untitled'), to: `/s/${space.id}` },
        { title: t('Change requests'), to: `/s/${space.id}/~/changes` },
        { title: `#${proposal.number} ${subjectOf(proposal)}` },
      ]}
    />
  )
}

function ProposalTabs({ proposed: { home, proposal, space } }: { proposed: Proposed }) {
  const here = location.pathname
  const tabs = [
    ['', t('Overview')],
    ['/diff', t('Changes')],
    ['/conflicts', t('Conflicts')],
    ['/links', t('Links')],
    ['/history', t('History')],
    ...(space.permissions?.edit && !isClosed(proposal) ? [['/edit/', t('Edit')]] : []),
  ] as [string, string][]
  return (
    <LinkRow label={t('Change request')} kind="tabs">
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

/** The user who did something, and the time. */
export function By({ user, at, did }: { user: User; at: string; did?: string }) {
  return (
    <span className="by">
      <span className="avatar" aria-hidden="true" data-letter={user.displayName.slice(0, 1)} />
      <span>
        <b>{user.displayName}</b> {did} <time dateTime={at}>{ago(at)}</time>
      </span>
    </span>
  )
}
