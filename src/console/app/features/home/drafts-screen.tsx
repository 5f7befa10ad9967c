import { useIsFetching } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useApi, useList } from '../../api/api.ts'
import { More, Trail } from '../../ui/parts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { OwnProposals } from './my-change-requests.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './home.css'

/** The screen with what the user has begun to change, in all organizations. */
export function DraftsScreen() {
  const organizations = useList('/orgs')
  const me = useApi('/user')
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  const [first] = organizations.items
  return (
    <div className="screen inbox-screen review drafts">
      <Trail items={[{ title: t('sidebar.my-drafts') }]} />
      <h1>{t('sidebar.my-drafts')}</h1>
      {me.data &&
        organizations.items.map(({ id, title }) => (
          <OwnProposals
            key={id}
            of={{ organizationId: id, me: me.data.id }}
            title={organizations.items.length > 1 ? title : undefined}
          />
        ))}
      <More list={organizations} />
      {isLoading ? (
        <Skeleton />
      ) : (
        // The styles show it if there is no list.
        <div className="empty no-drafts">
          <p>{t('home.drafts-come-here')}</p>
          {first && (
            <Link className="button main" href={`/o/${first.id}`}>
              {t('home.all-spaces')}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
