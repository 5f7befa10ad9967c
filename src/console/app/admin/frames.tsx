/** The frames of the screens of an organization and of a space. */
import type { ReactNode } from 'react'
import { useApi } from '../api/api.ts'
import { Loaded } from '../ui/parts.tsx'
import type { Organization, Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { Frame } from '../ui/fields.tsx'
import type { MergeRules } from './merge-rules.tsx'
import type { RoleName } from '../words/role-names.ts'

/** An organization with the fields that its administrators see. */
export interface FullOrganization extends Organization {
  hostname?: string
  emailDomains: string[]
  defaultRole?: RoleName | null
  inviteLinks: boolean
  sso: boolean
  checkExternalLinks: boolean
  /** The site that is shown at the host name of the organization. */
  defaultContent?: { type: 'site'; site: string }
  urls: { logo?: string }
  mergeRules: MergeRules
}

/** A space with the fields that its administrators see. */
export interface FullSpace extends Space {
  language?: string
  defaultLevel: RoleName | 'inherit' | null
  mergeRules: MergeRules
}

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
  actions?: (organization: FullOrganization) => ReactNode
  trail?: { title: string; to: string }[]
  children: (organization: FullOrganization) => ReactNode
}) {
  const query = useApi<FullOrganization>(`/orgs/${id}`)
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
  if (permissions?.listMembers)
    all.push(
      ['settings/fields', t('Custom fields')],
      ['openapi', t('OpenAPI')],
      ['translations', t('Translations')],
    )
  if (permissions?.admin) all.push(['settings/sign-in', t('Single sign-on')], ['audit', t('Audit log')])
  all.push(['trash', t('Trash')])
  return all
}

/** A screen of a space. */
export function SpaceFrame({
  id,
  title,
  actions,
  children,
}: {
  id: string
  title: string
  actions?: ReactNode
  children: (space: FullSpace) => ReactNode
}) {
  const query = useApi<FullSpace>(`/spaces/${id}`)
  const organization = useApi<Organization>(query.data && `/orgs/${query.data.organization}`)
  return (
    <Loaded query={query} title={t('This space cannot be shown')}>
      {(space) => (
        <Frame
          trail={[
            { title: organization.data?.title ?? '…', to: `/o/${space.organization}` },
            { title: space.title || t('Untitled'), to: `/s/${id}` },
          ]}
          title={title}
          label={t('Space')}
          links={spaceScreens(space).map(([path, name]) => [`/s/${id}/~/${path}`, name])}
          actions={actions}
        >
          {children(space)}
        </Frame>
      )}
    </Loaded>
  )
}

/** The screens of a space about the whole of it. */
export function spaceScreens({ permissions }: Space): [path: string, title: string][] {
  const all: [string, string][] = [
    ['comments', t('Comments')],
    ['files', t('Files')],
    ['reusable', t('Reusable content')],
    ['variables', t('Variables')],
    ['redirects', t('Redirects')],
    ['links', t('Links')],
    ['history', t('History')],
  ]
  if (permissions?.admin) all.push(['share', t('Share')], ['settings', t('Settings')])
  return all
}
