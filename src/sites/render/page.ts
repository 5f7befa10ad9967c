import { attributes, type Html, html } from '../../core/html.ts'
import { headCommon, headOfPage } from './page-head.ts'
import {
  anchor,
  breadcrumbTrail,
  outlineNav,
  pageTree,
  pagination,
  picture,
  siteHeader,
  symbol,
} from './page-nav.ts'
import type { PageView, SiteView } from './view.ts'

/** A published page as an HTML document, to be served with `CONTENT_SECURITY_POLICY`. */
export function renderPage(view: PageView): string {
  const { page, layout, head } = view
  const hasTree = layout.tableOfContents && view.tree.length > 0
  const hasOutline = layout.outline && page.outline.length > 1
  const classes = [
    'layout',
    layout.width === 'wide' && 'wide',
    !hasTree && 'no-tree',
    !hasOutline && 'no-outline',
  ]

  const main = html`<main id="~content" tabindex="-1">
    <article>
      ${cover(view)}
      <header class="page-header">
        ${breadcrumbTrail(view.breadcrumbs)}
        <h1${attributes({ class: layout.title ? undefined : 'unseen' })}>${symbol(page)}${page.title}</h1>
        ${layout.description && page.description ? html`<p class="lead">${page.description}</p>` : ''}
        ${layout.tags && page.tags?.length ? html`<p class="page-tags">${page.tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>` : ''}
      </header>
      <div class="prose">${page.body}</div>
    </article>
    <footer class="page-footer">${metadata(view)}${layout.pagination ? pagination(view.previous, view.next) : ''}</footer>
  </main>`

  return frame(view, {
    head: html`${headCommon(view, head.title, page.needs)}${headOfPage(view)}`,
    header: siteHeader(view, { outline: hasOutline, tree: hasTree }),
    classes: classes.filter(Boolean).join(' '),
    content: html`${hasTree ? pageTree(view.tree) : ''}${main}${hasOutline ? outlineNav(page.outline) : ''}`,
  })
}

/** The page for a path that does not exist. It shows the page tree of the site, so that readers can go on. */
export function renderNotFound(site: SiteView): string {
  return renderMessage(site, {
    title: 'Page not found',
    text: 'There is no page at this address. It may have moved, or the link may be wrong.',
  })
}

/** The page for an internal error. The request id leads an administrator to the entry in the log. */
export function renderError(site: SiteView, requestId?: string): string {
  return renderMessage(site, {
    title: 'Something went wrong',
    text: 'The page could not be shown. Please try again in a moment.',
    detail: requestId && `Request ${requestId}`,
  })
}

/** A page of the site that shows only a message. */
function renderMessage(site: SiteView, message: { title: string; text: string; detail?: string }): string {
  const hasTree = site.tree.length > 0
  const main = html`<main id="~content" tabindex="-1">
    <article class="message">
      <h1>${message.title}</h1>
      <p class="lead">${message.text}</p>
      ${message.detail ? html`<p class="detail">${message.detail}</p>` : ''}
      <p><a class="button primary" href="${site.home}">Go to the start page</a></p>
    </article>
  </main>`
  return frame(site, {
    head: html`${headCommon(site, `${message.title} – ${site.title}`)}
      <meta name="robots" content="noindex" />`,
    header: siteHeader(site, { outline: false, tree: hasTree }),
    classes: `layout no-outline${hasTree ? '' : ' no-tree'}`,
    content: html`${hasTree ? pageTree(site.tree) : ''}${main}`,
  })
}

function frame(site: SiteView, parts: { head: Html; header: Html; classes: string; content: Html }): string {
  const { language, themeDefault = 'system' } = site
  const root = attributes({
    lang: language,
    dir: /^(?:ar|he|fa|ur)(?:-|$)/.test(language) ? 'rtl' : undefined,
    'data-theme': themeDefault === 'system' ? undefined : themeDefault,
    'data-fixed-theme': site.themeToggle === false,
  })
  return String(
    html`<!doctype html>
<html${root}>
<head>
${parts.head}
</head>
<body>
<a class="skip" href="#~content">Skip to the content</a>
${parts.header}
<div class="${parts.classes}">
${parts.content}
</div>
${siteFooter(site)}
</body>
</html>
`,
  )
}

function cover({ page, layout }: PageView): Html | undefined {
  if (!layout.cover || !page.cover) return undefined
  const position = Math.min(Math.max(Math.round(page.cover.position / 10) * 10, 0), 100)
  const classes = `cover ${layout.coverSize} from-${position}`
  return html`<div class="${classes}">${picture(page.cover.image)}</div>`
}

function metadata(view: PageView): Html | undefined {
  const { page, layout } = view
  const updated = layout.metadata && page.updatedAt ? new Date(page.updatedAt) : undefined
  const shown =
    updated &&
    new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
      updated,
    )
  const time =
    updated && html`<span>Last updated <time datetime="${updated.toISOString()}">${shown}</time></span>`
  const markdown =
    layout.actions && view.markdownHref ? html`<a href="${view.markdownHref}">View as Markdown</a>` : ''
  const edit =
    layout.actions && view.editHref ? html`<a href="${view.editHref}" rel="noopener">Edit this page</a>` : ''
  return time || markdown || edit
    ? html`<div class="page-meta">${time}<span class="spread"></span>${edit}${markdown}</div>`
    : undefined
}

function siteFooter(site: SiteView): Html | undefined {
  if (!site.footer?.length) return undefined
  return html`<footer class="site-footer">
    <ul>
      ${site.footer.map((link) => html`<li>${anchor(link)}</li>`)}
    </ul>
  </footer>`
}
