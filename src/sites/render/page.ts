import type { PageNeed } from '../../core/document/html/renderer.ts'
import { attributes, type Html, html } from '../../core/text/html.ts'
import { API_WORDS } from '../../core/openapi/describe/api-words.ts'
import type { DIAGRAM_WORDS, SEARCH_WORDS, SITE_WORDS, TRY_WORDS } from '../assets/scripts/kit/english.ts'
import { headCommon, headOfPage } from './page-head.ts'
import { announcementBar, announcementKey } from './announcement.ts'
import { feedbackButtons } from './feedback.ts'
import { siteFooter } from './footer.ts'
import { drawerLinks, siteHeader } from './header.ts'
import { pageActionsMenu } from './page-actions.ts'
import { breadcrumbTrail, outlineNav, pageTree, pagination, picture, symbol } from './page-nav.ts'
import type { PageView, SiteView } from './view.ts'
import { directionOf, hasWords, wordsLanguage, wordsOf } from './words/choose.ts'
import type { Words } from './words/words.ts'

/** A published page as an HTML document, to be served with `CONTENT_SECURITY_POLICY`. */
export function renderPage(view: PageView): string {
  const { page, layout, head } = view
  const words = wordsOf(view.language)
  // A page without the tree beside it still has it behind the menu button, so that readers can go on.
  const hasTree = view.tree.length > 0
  const showsTree = layout.tableOfContents && hasTree
  const hasOutline = layout.outline && page.outline.length > 1
  const classes = [
    'layout',
    layout.width === 'wide' && 'wide',
    !showsTree && 'no-tree',
    !hasOutline && 'no-outline',
  ]

  const main = html`<main id="~content" tabindex="-1">
    <article>
      ${cover(view)}
      <header class="page-header">
        ${breadcrumbTrail(view.breadcrumbs, words)}${pageActionsMenu(view)}
        <h1${attributes({ class: layout.title ? undefined : 'unseen' })}>${symbol(page)}${page.title}</h1>
        ${layout.description && page.description ? html`<p class="lead">${page.description}</p>` : ''}
        ${layout.tags && page.tags?.length ? html`<p class="page-tags">${page.tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>` : ''}
      </header>
      <div class="${layout.anchors ? 'prose' : 'prose without-anchors'}">${page.body}</div>
    </article>
    <footer class="page-footer">${feedbackButtons(view, words)}${metadata(view, words)}${layout.pagination ? pagination(view.previous, view.next, words) : ''}</footer>
  </main>`

  return frame(view, {
    head: html`${headCommon(view, head.title, page.needs)}${headOfPage(view)}`,
    header: siteHeader(view, { outline: hasOutline, tree: hasTree }),
    classes: classes.filter(Boolean).join(' '),
    needs: page.needs,
    content: html`${hasTree ? pageTree(view.tree, words, drawerLinks(view)) : ''}${main}${hasOutline ? outlineNav(page.outline, words) : ''}`,
  })
}

/** The start page of a space that has no page, or none that the reader may see. */
export function renderEmptyStart(site: SiteView, title: string): string {
  return renderMessage(site, { title, text: wordsOf(site.language).emptyText, action: undefined })
}

/** The page for an internal error. The request id leads an administrator to the entry in the log. */
export function renderError(site: SiteView, requestId?: string): string {
  const words = wordsOf(site.language)
  return renderMessage(site, {
    title: words.failed,
    text: words.failedText,
    ...(requestId ? { detail: words.request(requestId) } : {}),
    action: toStart(site),
  })
}

/** The link of a message to the start page. */
export const toStart = ({ home, language }: SiteView) => ({ title: wordsOf(language).toStart, href: home })

/** A text for a page without content, and the link below it, or the button that sends a form to the address of the page. */
export interface Message {
  title: string
  text?: string | undefined
  detail?: string | undefined
  /** Follows the text. */
  more?: Html
  /** Elements of the `<head>`. */
  head?: Html
  action: { title: string; href: string } | { title: string; posts: true } | undefined
}

/** A page of the site that shows only a message. */
export function renderMessage(site: SiteView, message: Message): string {
  const words = wordsOf(site.language)
  const { action } = message
  const hasTree = site.tree.length > 0
  const main = html`<main id="~content" tabindex="-1">
    <article class="message">
      <h1>${message.title}</h1>
      ${message.text ? html`<p class="lead">${message.text}</p>` : ''}
      ${message.detail ? html`<p class="detail">${message.detail}</p>` : ''}
      ${action ? messageAction(action) : ''}
      ${message.more}
    </article>
  </main>`
  return frame(site, {
    head: html`${headCommon(site, `${message.title} – ${site.title}`)}
      <meta name="robots" content="noindex" />
      ${message.head}`,
    header: siteHeader(site, { outline: false, tree: hasTree }),
    classes: `layout no-outline${hasTree ? '' : ' no-tree'}`,
    content: html`${hasTree ? pageTree(site.tree, words, drawerLinks(site)) : ''}${main}`,
  })
}

function messageAction(action: NonNullable<Message['action']>): Html {
  const classes = 'button primary'
  return 'posts' in action
    ? html`<form method="post"><button class="${classes}">${action.title}</button></form>`
    : html`<p><a class="${classes}" href="${action.href}">${action.title}</a></p>`
}

/** A page of a site around its content. */
export function frame(
  site: SiteView,
  parts: {
    head: Html
    header: Html
    classes: string
    content: Html
    needs?: ReadonlySet<PageNeed> | undefined
  },
): string {
  const { language, themeDefault = 'system' } = site
  const words = wordsOf(language)
  const root = attributes({
    lang: language,
    dir: directionOf(language) === 'rtl' ? 'rtl' : undefined,
    class: site.styles?.join(' ') || undefined,
    'data-theme': themeDefault === 'system' ? undefined : themeDefault,
    'data-fixed-theme': site.themeToggle === false,
    'data-announcement': announcementKey(site.announcement),
  })
  const triesIt = parts.needs?.has('try-it')
  const ofForms: Partial<typeof TRY_WORDS> = triesIt
    ? { ...words.tryIt, ...API_WORDS[wordsLanguage(language)] }
    : {}
  // The scripts have the English words.
  const script =
    hasWords(language) && words !== wordsOf('en')
      ? JSON.stringify({ ...scriptWords(words, parts.needs?.has('diagrams')), ...ofForms })
      : undefined
  return String(
    html`<!doctype html>
<html${root}>
<head>
${parts.head}
</head>
<body${attributes({ 'data-words': script, 'data-events': site.events, 'data-proxy': triesIt ? site.proxy : undefined })}>
<a class="skip" href="#~content">${words.skip}</a>
${previewBar(site, words)}${announcementBar(site)}
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

/** Says that a page is not what readers of the site see. */
function previewBar({ preview }: SiteView, words: Words): Html | undefined {
  if (!preview) return undefined
  return html`<aside class="preview-bar" aria-label="${words.preview}">
    <span>${preview.title}</span> <a href="${preview.leaveHref}">${words.leavePreview}</a>
  </aside>`
}

function cover({ page, layout }: PageView): Html | undefined {
  if (!layout.cover || !page.cover) return undefined
  const { image, height } = page.cover
  const position = Math.min(Math.max(Math.round(page.cover.position / 10) * 10, 0), 100)
  const classes = `cover ${layout.coverSize} from-${position}${layout.coverMask === 'radial' ? ' faded' : ''}`
  return html`<div class="${classes}">${picture(image, height === undefined ? {} : { height })}</div>`
}

function metadata(view: PageView, words: Words): Html | undefined {
  const { page, layout } = view
  const updated = layout.metadata && page.updatedAt ? new Date(page.updatedAt) : undefined
  const shown =
    updated &&
    new Intl.DateTimeFormat(hasWords(view.language) ? view.language : 'en', {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    }).format(updated)
  const time =
    updated &&
    html`<span>${words.lastUpdated} <time datetime="${updated.toISOString()}">${shown}</time></span>`
  const markdown =
    layout.actions && view.markdownHref && !view.actions
      ? html`<a href="${view.markdownHref}">${words.viewMarkdown}</a>`
      : ''
  const edit =
    layout.actions && view.editHref ? html`<a href="${view.editHref}" rel="noopener">${words.edit}</a>` : ''
  return time || markdown || edit
    ? html`<div class="page-meta">${time}<span class="spread"></span>${edit}${markdown}</div>`
    : undefined
}

function scriptWords(
  words: Words,
  hasDiagrams = false,
): typeof SITE_WORDS & typeof SEARCH_WORDS & Partial<typeof DIAGRAM_WORDS> {
  const { copied, showAll, showFewer, enlarge, video, close } = words
  const { search, searchSite, recentSearches, clearSearches } = words
  const ofSearch = { search, searchSite, recentSearches, clearSearches }
  const { showSource, hideSource, diagram, diagramText, diagramFault, diagramSlow } = words
  const ofDiagrams: Partial<typeof DIAGRAM_WORDS> = hasDiagrams
    ? {
        showSource,
        hideSource,
        diagram,
        diagramText,
        diagramFault,
        diagramSlow,
      }
    : {}
  return {
    copied,
    showAll,
    showFewer,
    enlarge,
    image: words.content.image,
    video,
    close,
    ...ofSearch,
    ...ofDiagrams,
  }
}
