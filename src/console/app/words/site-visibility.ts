/** Who can see a site, as people read it. */
import { t } from './words.ts'

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'

/** Returns the values of the visibility of a site, with their titles. */
export function visibilityNames(): [visibility: SiteVisibility, title: string][] {
  return [
    ['public', t('common.everyone')],
    ['unlisted', t('visibility.everyone-knows-address-search')],
    ['share-link', t('visibility.people-share-link')],
    ['visitor-auth', t('visibility.people-whom-own-program')],
  ]
}
