/** The fields of the audit log as people read them. The record as the API returns it has their own names. */
import { language, t } from '../../words/words.ts'
import { roleName } from '../../words/role-names.ts'
import { visibilityNames } from '../../words/site-visibility.ts'

const ROLES: readonly string[] = ['role', 'defaultRole', 'defaultLevel', 'level']

/** The name of a field; as the API has it for one that is rarely recorded. */
export function fieldName(name: string): string {
  return namesOfFields()[name] ?? name
}

const namesOfFields = (): Record<string, string> => ({
  basename: t('Name in the address'),
  contentType: t('Type of the file'),
  defaultLevel: t('Role of the members of the organization'),
  defaultRole: t('Role of new members'),
  description: t('Description'),
  disabled: t('Disabled'),
  displayName: t('Name'),
  editMode: t('How pages are changed'),
  email: t('E-mail address'),
  emailDomains: t('E-mail domains'),
  emails: t('E-mail addresses'),
  emoji: t('Emoji'),
  expiresAt: t('Expires'),
  hostname: t('Custom host name'),
  inviteLinks: t('Invite links'),
  label: t('Name'),
  language: t('Language'),
  level: t('Role'),
  members: t('Members'),
  mergeRules: t('Merge rules'),
  name: t('Name'),
  organization: t('Organization'),
  parent: t('Collection'),
  path: t('Path'),
  position: t('Position'),
  published: t('Published'),
  result: t('Result'),
  revision: t('Revision'),
  role: t('Role'),
  size: t('Size'),
  slug: t('Name in the address'),
  space: t('Space'),
  spaces: t('Spaces'),
  sso: t('Single sign-on'),
  status: t('Status'),
  subject: t('Subject'),
  teams: t('Teams'),
  title: t('Title'),
  type: t('Type'),
  visibility: t('Visibility'),
})

/** The value of a field. */
export function fieldValue(name: string, value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return value.toLocaleString(language)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name === 'visibility') return visibilityNames().find(([one]) => one === value)?.[1] ?? value
  return ROLES.includes(name) ? roleName(value, value) : value
}
