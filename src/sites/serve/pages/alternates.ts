import type { PageRecord } from '../../../core/content/revision.ts'
import type { PageView } from '../../render/view.ts'
import { absolute } from '../../../model/sites/published/resolve/addresses.ts'
import type { Tools } from '../tools.ts'
import {
  languageOfSite,
  loadContent,
  pageAddress,
  type SiteContent,
  variantAddress,
} from '../../../model/sites/published/content/site-content.ts'

type Alternates = NonNullable<PageView['head']['alternates']>

/**
 * The same page in the other languages of its section: the pages with the same path in spaces with another language. The
 * list has the page itself, and that of the default space for readers of all other languages.
 */
export async function alternatesOf(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<Alternates> {
  const { open, variant, navigation, root } = content
  const beside = open.variants.filter(({ section }) => section?.id === variant.section?.id)
  const spoken = beside.filter((other) => other === variant || other.language !== null)
  if (spoken.length < 2) return []

  const path = navigation.path(page.id)
  const alternates: Alternates = []
  const known = new Set<string>()
  for (const other of spoken) {
    const there =
      other === variant ? content : await loadContent(tools, open, other, variantAddress(open, other))
    const same = root?.id === page.id ? there.root : there.tree.byPath(decodeURI(path))
    const language = languageOfSite(there)
    if (!same || same.type !== 'document' || !there.shown(same) || known.has(language)) continue
    known.add(language)
    const href = absolute(tools.urls, there, pageAddress(there, same))
    alternates.push({ language, href })
    if (other.isDefault) alternates.push({ language: 'x-default', href })
  }
  return known.size > 1 ? alternates : []
}
