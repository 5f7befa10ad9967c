import type { PageRecord } from '../../../../core/content/revision.ts'
import {
  languageOfSite,
  loadContent,
  type SiteContent,
  type SiteServices,
  variantAddress,
} from './site-content.ts'

/** The same page in one of the languages of a site. */
export interface LanguageVersion {
  content: SiteContent
  page: PageRecord
  /** A language tag (BCP 47). */
  language: string
}

/**
 * The same page in the other languages of its section: the pages with the same path in spaces with another language. The
 * list has the page itself; it is empty if that is the only one.
 */
export async function languageVersionsOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
): Promise<LanguageVersion[]> {
  const { open, variant, navigation, root } = content
  const beside = open.variants.filter(({ section }) => section?.id === variant.section?.id)
  const spoken = beside.filter((other) => other === variant || other.language !== null)
  if (spoken.length < 2) return []

  const path = navigation.path(page.id)
  const versions = new Map<string, LanguageVersion>()
  for (const other of spoken) {
    const there =
      other === variant ? content : await loadContent(services, open, other, variantAddress(open, other))
    const same = root?.id === page.id ? there.root : there.tree.byPath(decodeURI(path))
    const language = languageOfSite(there)
    if (!same || same.type !== 'document' || !there.shown(same) || versions.has(language)) continue
    versions.set(language, { content: there, page: same, language })
  }
  return versions.size > 1 ? [...versions.values()] : []
}
