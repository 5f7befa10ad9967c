import { type Html, html } from '../../core/text/html.ts'
import { anchor, picture } from './page-nav.ts'
import type { SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'

/** The foot of every page: logo, groups of links, copyright. Undefined if the site has none of them. */
export function siteFooter({ footer, language, title }: SiteView): Html | undefined {
  if (!footer) return undefined
  const words = wordsOf(language)
  const { groups = [] } = footer
  const privacy = footer.privacyPolicy && anchor({ title: words.privacyPolicy, href: footer.privacyPolicy })
  const small = [
    footer.copyright && html`<span>${footer.copyright}</span>`,
    privacy,
    footer.trademark && html`<span>${words.publishedWith}</span>`,
  ].filter(Boolean)
  if (!footer.logo && groups.length === 0 && small.length === 0) return undefined

  return html`<footer class="site-footer">
    <div class="site-footer-in">
      ${footer.logo ? picture({ alt: title, ...footer.logo }, { class: 'logo' }) : ''}
      ${groups.map(
        (group) =>
          html`<div class="footer-group">
            ${group.title ? html`<p class="footer-title">${group.title}</p>` : ''}
            <ul>
              ${group.links.map((link) => html`<li>${anchor(link)}</li>`)}
            </ul>
          </div>`,
      )}
      ${small.length > 0 ? html`<p class="footer-small">${small}</p>` : ''}
    </div>
  </footer>`
}
