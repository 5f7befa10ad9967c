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
  basename: t('common.name-address'),
  contentType: t('organization.type-file'),
  defaultLevel: t('organization.role-members-organization'),
  defaultRole: t('organization.role-new-members'),
  description: t('common.description'),
  disabled: t('organization.disabled'),
  displayName: t('common.name'),
  editMode: t('common.how-pages-changed'),
  email: t('organization.e-mail-address'),
  emailDomains: t('organization.e-mail-domains'),
  emails: t('organization.e-mail-addresses'),
  emoji: t('block.emoji'),
  expiresAt: t('organization.expires'),
  hostname: t('common.custom-host-name'),
  inviteLinks: t('organization.invite-links'),
  label: t('common.name'),
  language: t('common.language'),
  level: t('common.role'),
  members: t('common.members'),
  mergeRules: t('organization.merge-rules'),
  name: t('common.name'),
  organization: t('common.organization'),
  parent: t('common.collection'),
  path: t('common.path'),
  position: t('common.position'),
  published: t('common.published'),
  result: t('organization.result'),
  revision: t('common.revision'),
  role: t('common.role'),
  size: t('common.size'),
  slug: t('common.name-address'),
  space: t('common.space'),
  spaces: t('common.spaces'),
  sso: t('common.single-sign-on'),
  status: t('common.status'),
  subject: t('common.subject'),
  teams: t('common.teams'),
  title: t('common.title'),
  type: t('common.type'),
  visibility: t('common.visibility'),
})

/** The value of a field. */
export function fieldValue(name: string, value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no')
  if (typeof value === 'number') return value.toLocaleString(language)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name === 'visibility') return visibilityNames().find(([one]) => one === value)?.[1] ?? value
  return ROLES.includes(name) ? roleName(value, value) : value
}
