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
    <Loaded query={query} title={t('common.organization-cannot-shown')}>
      {(organization) => (
        <Frame
          trail={[{ title: organization.title, to: `/o/${id}` }, ...trail]}
          title={title}
          label={t('common.organization')}
          links={(links ?? organizationSections(organization)).map(([path, name]) => [
            `/o/${id}/${path}`,
            name,
          ])}
          actions={actions?.(organization)}
        >
          {children(organization)}
        </Frame>
      )}
    </Loaded>
  )
}

/** The screens beside each other below "Settings". */
function organizationSections({ permissions }: Organization): [path: string, title: string][] {
  const all: [string, string][] = [['settings', t('common.general')]]
  // Guests see none of these.
  if (permissions.listMembers)
    all.push(
      ['settings/fields', t('common.custom-fields')],
      ['settings/fonts', t('common.fonts')],
      ['openapi', t('common.openapi')],
      ['translations', t('common.translations')],
      ['settings/glossary', t('common.glossary')],
      ['settings/page-templates', t('page-template.templates')],
    )
  if (permissions.admin)
    all.push(['settings/sign-in', t('common.single-sign-on')], ['audit', t('common.audit-log')])
  all.push(['trash', t('common.trash')])
  return all
}
