import type { ReactNode } from 'react'
import { useApi } from '../api/api.ts'
import { Loaded } from '../ui/parts.tsx'
import type { Organization } from '../api/types.ts'
import { t } from '../words/words.ts'
import { Frame } from '../ui/fields.tsx'

/** A screen of an organization. */
export function OrganizationFrame({
  id,
  title,
  links,
  actions,
  trail = [],
  children,
}: {
  id: string
  title: string
  links?: readonly (readonly [path: string, title: string])[]
  actions?: (organization: Organization) => ReactNode
  trail?: { title: string; to: string }[]
  children: (organization: Organization) => ReactNode
}) {
  const query = useApi(`/orgs/${id}`)
  return (
    <Loaded query={query} title={t('This organization cannot be shown')}>
      {(organization) => (
        <Frame
          trail={[{ title: organization.title, to: `/o/${id}` }, ...trail]}
          title={title}
          label={t('Organization')}
          links={(links ?? sectionsOf(organization)).map(([path, name]) => [`/o/${id}/${path}`, name])}
          actions={actions?.(organization)}
        >
          {children(organization)}
        </Frame>
      )}
    </Loaded>
  )
}

/** The screens beside each other below "Settings". */
function sectionsOf({ permissions }: Organization): [path: string, title: string][] {
  const all: [string, string][] = [['settings', t('General')]]
  // Guests see none of these.
  if (permissions.listMembers)
    all.push(
      ['settings/fields', t('Custom fields')],
      ['openapi', t('OpenAPI')],
      ['translations', t('Translations')],
    )
  if (permissions.admin) all.push(['settings/sign-in', t('Single sign-on')], ['audit', t('Audit log')])
  all.push(['trash', t('Trash')])
  return all
}
