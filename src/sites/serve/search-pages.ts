/** The search of a site: in its spaces as its reader sees them. */
import { writtenTitle } from '../../core/search/searched-text.ts'
import { snippetOf, type SnippetPart } from '../../core/search/snippet.ts'
import type { SharedSteps } from '../../core/expression/expression.ts'
import { readIndexes } from '../../model/search/entries.ts'
import { findPages, matchesOfHits } from '../../model/search/find.ts'
import { absolute } from '../../model/sites/published/resolve/addresses.ts'
import {
  loadContent,
  pageAddress,
  type SiteContent,
  variantAddress,
} from '../../model/sites/published/content/site-content.ts'
import type { OpenSite, Variant } from '../../model/sites/published/open-site.ts'
import { searchedOnSite } from '../../model/sites/published/content/searched-on-site.ts'
import type { Tools } from './tools.ts'

/** A page of a site that was found. */
export interface SitePageFound {
  content: SiteContent
  title: string
  /** The path of the page on its host. */
  address: string
  description?: string | undefined
  /** The titles above the page, from the top. */
  trail: string[]
  /** The best sections that have words of the query, with the text around these. */
  sections: { title: string; anchor: string | undefined; parts: SnippetPart[] }[]
}

const SECTIONS_MOST = 3

/** A search: the query, the spaces, and the pages wanted. `signal` aborts when the reader leaves. */
export interface SiteSearch {
  query: string
  variants: readonly Variant[]
  /** The number of better pages to skip. */
  from?: number
  limit: number
  signal: AbortSignal
}

/** Searches spaces of a site as its reader sees them. */
export async function searchPages(
  tools: Tools,
  open: OpenSite,
  { query, variants, from = 0, limit, signal }: SiteSearch,
): Promise<{ count: number; pages: SitePageFound[] }> {
  const contents = new Map<string, SiteContent>()
  const bySpace = new Map(variants.map((variant) => [variant.spaceId, variant]))
  const openSpace = async (spaceId: string, steps: SharedSteps) => {
    const variant = bySpace.get(spaceId)!
    const content = await loadContent(tools, open, variant, variantAddress(open, variant))
    contents.set(spaceId, content)
    return searchedOnSite(content, steps)
  }
  const indexes = await readIndexes(tools.db, [...bySpace.keys()])
  const findings = await findPages(tools.db, indexes, query, openSpace, signal)
  const hits = findings.hits.slice(from, from + limit)
  const matches = await matchesOfHits(tools.db, findings, hits)
  return {
    count: findings.hits.length,
    pages: hits.map(({ spaceId, page }, i) => {
      const content = contents.get(spaceId)!
      const above = content.tree.ancestors(page.id).toReversed()
      return {
        content,
        title: page.title,
        address: pageAddress(content, page),
        description: page.description,
        trail: above.map(({ linkTitle, title }) => linkTitle ?? title),
        sections: matches[i]!.sections.slice(0, SECTIONS_MOST).map((match) => ({
          title: writtenTitle(match.section),
          anchor: match.section.anchor,
          parts: snippetOf(match, findings.needles),
        })),
      }
    }),
  }
}

/** The spaces that a reader of one of them searches: it, and the default space of each other section. */
export function searchedVariants({ variants }: OpenSite, current: Variant): Variant[] {
  return variants.filter(
    (variant) => variant === current || (variant.isDefault && variant.section?.id !== current.section?.id),
  )
}

/** A page as language models get it. */
export interface FoundPage {
  title: string
  url: string
  description?: string | undefined
  /** The text around the words that were found. */
  excerpt?: string
}

/** The pages of a site that answer a query, for language models. */
export async function searchForModels(
  tools: Tools,
  open: OpenSite,
  search: Omit<SiteSearch, 'variants'>,
): Promise<FoundPage[]> {
  const { pages } = await searchPages(tools, open, { ...search, variants: open.variants })
  return pages.map(({ content, title, address, description, sections: [best] }) => {
    const excerpt = best?.parts.map(({ text }) => text).join('')
    return {
      title,
      url: absolute(tools.urls, content, address),
      ...(description ? { description } : {}),
      ...(excerpt ? { excerpt } : {}),
    }
  })
}
