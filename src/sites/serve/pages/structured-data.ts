import type { Urls } from '../../../http/urls.ts'
import type { PageView } from '../../render/view.ts'
import { absolute, homeOf } from '../../../model/sites/published/resolve/addresses.ts'
import type { SiteContent } from '../../../model/sites/published/content/site-content.ts'

/** Returns the data of a page for search engines, in the vocabulary of schema.org: the article and its breadcrumbs. */
export function structuredData(
  urls: Urls,
  content: SiteContent,
  view: Pick<PageView, 'title' | 'language' | 'breadcrumbs' | 'head'> & { page: { title: string } },
): object {
  const { head, page, breadcrumbs } = view
  const site = { '@type': 'WebSite', name: view.title, url: homeOf(urls, content.open) }
  const article = {
    '@type': 'TechArticle',
    headline: page.title,
    ...(head.description ? { description: head.description } : {}),
    url: head.canonical,
    inLanguage: view.language,
    ...(head.updatedAt ? { dateModified: head.updatedAt } : {}),
    ...(head.image ? { image: head.image } : {}),
    isPartOf: site,
  }
  const way = [
    ...breadcrumbs.map(({ title, href }) => ({
      name: title,
      item: href === undefined ? undefined : absolute(urls, content, href),
    })),
    { name: page.title, item: head.canonical },
  ]
  const list = {
    '@type': 'BreadcrumbList',
    // A step without a page is left out, because search engines refuse it.
    itemListElement: way
      .filter(({ item }) => item !== undefined)
      .map((step, i) => ({ '@type': 'ListItem', position: i + 1, ...step })),
  }
  return { '@context': 'https://schema.org', '@graph': [article, list] }
}
