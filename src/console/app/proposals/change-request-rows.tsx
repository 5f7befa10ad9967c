import { Link } from 'wouter'
import { useApi } from '../api/api.ts'
import { By } from '../ui/by.tsx'
import { StatusTag } from './status-tag.tsx'
import { subjectOf } from './change-request.ts'
import type { ChangeRequest } from '../api/types.ts'
import { t } from '../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../diff/review.css'

/** Change requests, one in each line. */
export function ProposalRows({
  proposals,
  inOrganization = false,
}: {
  proposals: readonly ChangeRequest[]
  inOrganization?: boolean
}) {
  return (
    <ul className="rows proposals">
      {proposals.map((one) => (
        <li key={one.id}>
          <span>
            <Link href={`/s/${one.space}/~/changes/${one.number}`}>{subjectOf(one)}</Link>{' '}
            <span className="faint">#{one.number}</span>
            {inOrganization && <SpaceName id={one.space} />}
            <br />
            <By user={one.createdBy} at={one.updatedAt} />
          </span>
          <span className="tags">
            {one.comments ? (
              <span className="faint">
                <span aria-hidden="true">💬 {one.comments}</span>
                <span className="unseen">
                  {t('change-request.count-open-comments', { count: one.comments })}
                </span>
              </span>
            ) : null}
            <StatusTag status={one.status} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function SpaceName({ id }: { id: string }) {
  const { data } = useApi(`/spaces/${id}`)
  return <span className="faint"> · {data?.title ?? '…'}</span>
}
