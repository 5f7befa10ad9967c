import { useApi } from '../../api/api.ts'
import { Loaded, Trail } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { NameOrganization, Start } from './start.tsx'

/** The first screen of a new organization: its name, and the ways to begin. */
export function StartScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const organization = useApi(`/orgs/${organizationId}`)
  return (
    <Loaded query={organization} title={t('common.organization-cannot-shown')}>
      {(shown) => (
        <div className="screen start-screen">
          <Trail items={[{ title: shown.title, to: `/o/${organizationId}` }, { title: t('start.begin') }]} />
          <h1>{shown.title}</h1>
          {shown.permissions.admin && <NameOrganization organization={shown} />}
          {shown.permissions.createContent ? (
            <Start organization={shown} />
          ) : (
            <p className="hint">{t('start.creator-required')}</p>
          )}
        </div>
      )}
    </Loaded>
  )
}
