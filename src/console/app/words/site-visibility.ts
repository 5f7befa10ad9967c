/** Who can see a site, as people read it. */
import { t } from './words.ts'

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'

/** Returns the values of the visibility of a site, with their titles. */
export function visibilityNames(): [visibility: SiteVisibility, title: string][] {
  return [
    ['public', t('Everyone')],
    ['unlisted', t('Everyone who knows the address; search engines do not list it')],
    ['share-link', t('People who have a share link')],
    ['visitor-auth', t('People whom your own program signs in')],
  ]
}
