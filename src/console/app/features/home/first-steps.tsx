/** The list of first steps of a new organization, which a user can close. */
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../../api/api.ts'
import type { Caller, Organization, Space } from '../../api/types.ts'
import { Part } from '../../ui/fields.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

/** The steps, until all are done or the user closes the list. Whether one is done follows from what exists. */
export function FirstSteps({ me, organization }: { me: Caller; organization: Organization }) {
  const { id } = organization
  const { items: spaces } = useList(`/orgs/${id}/spaces?limit=200`)
  const isShown = me.firstSteps === undefined && organization.permissions.admin
  const [first] = spaces
  if (!isShown || !first) return null
  return <Steps me={me} organization={organization} spaces={spaces} first={first} />
}

function Steps({
  me,
  organization: { id },
  spaces,
  first,
}: {
  me: Caller
  organization: Organization
  spaces: readonly Space[]
  /** The space that the steps lead to. */
  first: Space
}) {
  const members = useApi(`/orgs/${id}/members?limit=1`)
  const merged = useApi(`/orgs/${id}/change-requests?status=merged&limit=1`)
  const sites = useApi(`/orgs/${id}/sites?published=true&limit=1`)
  const synced = useApi(`/orgs/${id}/spaces?synced=true&limit=1`)
  const close = useChange(`PATCH /users/${me.id}`, ['/user'])
  if (!members.data || !merged.data || !sites.data || !synced.data) return null
  const isProposed =
    merged.data.items.length > 0 || spaces.some(({ changeRequestsOpen }) => changeRequestsOpen > 0)
  const space = `/s/${first.id}`
  const steps: [title: string, isDone: boolean, to: string][] = [
    [t('steps.write'), true, space],
    [t('steps.propose'), isProposed, space],
    [t('steps.publish'), sites.data.count > 0, space],
    [t('steps.invite'), members.data.count > 1, `/o/${id}/people`],
    [t('steps.connect'), synced.data.items.length > 0, `${space}/~/sync`],
  ]
  const done = steps.filter(([, isDone]) => isDone).length
  if (done === steps.length) return null
  return (
    <Part
      title={t('steps.first-steps')}
      actions={
        <span className="actions">
          <span className="hint">{t('steps.done-of', { done, count: steps.length })}</span>
          <Button
            className="small quiet"
            aria-label={t('steps.close')}
            isDisabled={close.isPending}
            onPress={() => close.mutate({ firstSteps: 'closed' })}
          >
            <span aria-hidden="true">×</span>
          </Button>
        </span>
      }
    >
      <ol className="first-steps">
        {steps.map(([title, isDone, to]) => (
          <li key={title} className={isDone ? 'done' : undefined}>
            {isDone ? (
              <span>
                {title} <span className="unseen">{t('steps.is-done')}</span>
              </span>
            ) : (
              <Link href={to}>{title}</Link>
            )}
          </li>
        ))}
      </ol>
      <Refusal error={close.error} />
    </Part>
  )
}
