/** The parts that the screens of sites share. */
import { t } from '../words/words.ts'

/** The id of the form that adds a space to a site. */
export const ADD_SPACE = 'add-space'

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'

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

/** Returns the values of the visibility of a site, with their titles. */
export function visibilityNames(): [visibility: SiteVisibility, title: string][] {
  return [
    ['public', t('Everyone')],
    ['unlisted', t('Everyone who knows the address; search engines do not list it')],
    ['share-link', t('People who have a share link')],
    ['visitor-auth', t('People whom your own program signs in')],
  ]
}
