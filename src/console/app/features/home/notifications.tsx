/** The notifications about actions of others that concern the user. */
import { Button } from 'react-aria-components'
import { go, useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { subjectOf } from '../../proposals/change-request.ts'
import { By } from '../../ui/by.tsx'
import { Refusal, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './home.css'

type Notification = Schemas['Notification']

const NOTIFICATIONS = '/user/notifications'

/** The notifications, the latest first. @param areAllShown whether those that were read are among them */
export function useNotifications(areAllShown: boolean) {
  return useList(`${NOTIFICATIONS}${areAllShown ? '' : '?unread=true'}`)
}

/** The ids of the change requests for whose review the notifications ask. */
export const reviewsIn = ({ items }: ReturnType<typeof useNotifications>): ReadonlySet<string> =>
  new Set(
    items.flatMap(({ kind, changeRequest }) =>
      kind === 'review-requested' && changeRequest ? [changeRequest.id] : [],
    ),
  )

/** Their rows. @param empty is shown if there are none */
export function NotificationRows({
  list,
  empty,
}: {
  list: ReturnType<typeof useNotifications>
  empty: string
}) {
  return (
    <Rows list={list} empty={empty} kind="rows inbox">
      {(one) => <NotificationRow key={one.id} notification={one} />}
    </Rows>
  )
}

/** A button that marks them as read. */
export function ReadAll({ list }: { list: ReturnType<typeof useNotifications> }) {
  const readAll = useChange(`PATCH ${NOTIFICATIONS}`, [NOTIFICATIONS])
  const [newest] = list.items
  if (!newest || list.items.every(({ read }) => read)) return null
  return (
    <>
      <Button
        className="small"
        isDisabled={readAll.isPending}
        onPress={() => readAll.mutate({ read: true, until: newest.id })}
      >
        {t('home.mark-all-read')}
      </Button>
      <Refusal error={readAll.error} />
    </>
  )
}

function NotificationRow({ notification }: { notification: Notification }) {
  const { id, kind, read, actor, createdAt, space, changeRequest, comment } = notification
  const mark = useChange(`PATCH ${NOTIFICATIONS}/${id}`, [NOTIFICATIONS])
  const place = changeRequest
    ? `/s/${space.id}/~/changes/${changeRequest.number}`
    : kind === 'sync-stopped' || kind === 'sync-resumed'
      ? `/s/${space.id}/~/sync`
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
    'sync-stopped': t('home.sync-stopped'),
    'sync-resumed': t('home.sync-resumed'),
  }[kind]
}
