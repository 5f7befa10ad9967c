/** The parts of the API's resources that their administrators see. */
import type { Organization, Space } from './types.ts'
import type { RoleName } from '../words/role-names.ts'
import type { SiteVisibility } from '../words/site-visibility.ts'

/** The requirements for a merge. */
export interface MergeRules {
  type: 'none' | 'rules' | 'inherit'
  rules?: MergeRuleSetting[]
}

export interface MergeRuleSetting {
  rule: string
  users?: string[]
  expression?: string
}

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

/** A site as its administrators see it. */
export interface SiteSettings {
  id: string
  title: string
  basename?: string
  hostname?: string
  visibility: SiteVisibility
  published: boolean
  siteSpaces: number
  adaptiveContent: { enabled: boolean }
  urls: { published?: string }
}
