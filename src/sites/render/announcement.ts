import { createHash } from 'node:crypto'
import { attributes, type Html, html } from '../../core/text/html.ts'
import { anchor } from './page-nav.ts'
import type { Announcement, SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'

/** The message above every page. A reader can dismiss it, unless it warns of danger. */
export function announcementBar({ announcement, language }: SiteView): Html | undefined {
  if (!announcement) return undefined
  const words = wordsOf(language)
  const { message, style, link } = announcement
  const dismiss = html`<button type="button" class="tool dismiss" aria-label="${words.dismiss}">
    <span class="ui ui-close"></span>
  </button>`
  return html`<aside${attributes({ class: `announcement ${style}`, 'aria-label': words.announcement })}>
    <p>${message}${link?.href ? html` ${anchor(link)}` : ''}</p>
    ${style === 'danger' ? '' : dismiss}
  </aside>`
}

/** Identifies an announcement in the storage of a browser: another message is shown again. */
export function announcementKey(announcement: Announcement | undefined): string | undefined {
  if (!announcement || announcement.style === 'danger') return undefined
  return createHash('sha256').update(JSON.stringify(announcement)).digest('base64url').slice(0, 12)
}
