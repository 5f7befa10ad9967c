import { type Html, html } from '../../core/text/html.ts'
import { renderFrame } from './frame.ts'
import type { Wording } from './words.ts'

/** A page that says one thing. */
export interface Notice {
  title: string
  text: string
  link?: { to: string; title: string }
  /** A button that sends a form. */
  action?: { to: string; title: string }
}

export function renderNotice({ title, text, link, action }: Notice, wording: Wording): Html {
  return renderFrame({
    wording,
    title,
    body: html`<h1>${title}</h1>
      <p>${text}</p>
      ${action ? html`<form method="post" action="${action.to}"><button class="main">${action.title}</button></form>` : ''}
      <p class="beside"><a href="${link?.to ?? '/sign-in'}">${link?.title ?? wording.t('Go to the sign-in page')}</a></p>`,
  })
}
