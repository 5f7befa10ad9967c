import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useApi, useList } from '../../api/api.ts'
import { Trail } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { WaitingReviews } from './my-change-requests.tsx'
import { NotificationRows, ReadAll, reviewsIn, useNotifications } from './notifications.tsx'

/** The screen with everything that waits for the user, and what did earlier. */
export function InboxScreen() {
  const [areAllShown, setAllShown] = useState(false)
  const list = useNotifications(areAllShown)
  const organizations = useList('/orgs')
  const me = useApi('/user')
  return (
    <div className="screen inbox-screen review">
      <Trail items={[{ title: t('sidebar.inbox') }]} />
      <div className="heading">
        <h1>{t('sidebar.inbox')}</h1>
        <span className="actions">
          <ReadAll list={list} />
          <Button className="small quiet" onPress={() => setAllShown(!areAllShown)}>
            {areAllShown ? t('home.only-unread-ones') : t('home.show-earlier-ones-too')}
          </Button>
        </span>
      </div>
      <section aria-label={t('common.notifications')}>
        <NotificationRows
          list={list}
          empty={areAllShown ? t('home.inbox-comes-here') : t('home.nothing-waits')}
        />
      </section>
      {me.data &&
        organizations.items.map(({ id, title }) => (
          <WaitingReviews
            key={id}
            of={{ organizationId: id, me: me.data.id }}
            title={organizations.items.length > 1 ? title : undefined}
            without={reviewsIn(list)}
          />
        ))}
    </div>
  )
}
