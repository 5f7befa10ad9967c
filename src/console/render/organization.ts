import { type Html, html } from '../../core/html.ts'
import { type Listed, renderMore } from './account.ts'
import { renderFrame } from './frame.ts'

/** What the page of an organization shows. */
export interface OrganizationView {
  organization: { title: string; urls: { location: string } }
  spaces: Listed<{ title: string; emoji: string; urls: { location: string; published?: string } }>
  sites: Listed<{ title: string; published: boolean; urls: { location: string; published?: string } }>
}

export function renderOrganization({ organization, spaces, sites }: OrganizationView): Html {
  return renderFrame({
    title: organization.title,
    wide: true,
    signOut: true,
    body: html`<p class="beside"><a href="/app">Your account</a></p>
      <h1>${organization.title}</h1>
      <section aria-labelledby="sites">
        <h2 id="sites">Sites</h2>
        ${sites.items.length === 0 ? html`<p>There is no site.</p>` : ''}
        <ul class="rows">
          ${sites.items.map(
            ({ title, published, urls }) =>
              html`<li>
                <div>
                  ${published && urls.published ? html`<a href="${urls.published}">${title}</a>` : html`<b>${title}</b>`}
                  ${published ? '' : html` <span class="tag">not published</span>`}
                </div>
                ${inApi(urls.location, title)}
              </li>`,
          )}
        </ul>
        ${renderMore('sites', sites)}
      </section>
      <section aria-labelledby="spaces">
        <h2 id="spaces">Spaces</h2>
        ${spaces.items.length === 0 ? html`<p>There is no space that you can see.</p>` : ''}
        <ul class="rows">
          ${spaces.items.map(
            ({ title, urls }) =>
              html`<li>
                <div>
                  ${urls.published ? html`<a href="${urls.published}">${title || 'Untitled'}</a>` : html`<b>${title || 'Untitled'}</b>`}
                </div>
                ${inApi(urls.location, title)}
              </li>`,
          )}
        </ul>
        ${renderMore('spaces', spaces)}
      </section>
      <p class="beside">${inApi(organization.urls.location, organization.title)}</p>`,
  })
}

const inApi = (location: string, title: string) =>
  html`<a class="small" href="${location}">In the API<span class="unseen">: ${title}</span></a>`

/** The page of an organization that requires single sign-on, for a session that does not reach it. */
export function renderClosedOrganization({
  title,
  options,
}: {
  title: string
  options: readonly { title: string; startUrl: string }[]
}): Html {
  return renderFrame({
    title,
    signOut: true,
    body: html`<h1>${title}</h1>
      <p>This organization requires single sign-on. Signing in with it ends this session.</p>
      ${options.map(
        (one) => html`<p><a class="button main" href="${one.startUrl}">Sign in with ${one.title}</a></p>`,
      )}
      <p class="beside"><a href="/app">Your account</a></p>`,
  })
}
