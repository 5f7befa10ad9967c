import type { PageRecord } from '../../../core/content/revision.ts'
import type { PageView } from '../../render/view.ts'
import { languageVersionsOf } from '../../../model/sites/published/content/language-versions.ts'
import { pageAddress, type SiteContent } from '../../../model/sites/published/content/site-content.ts'
import { absolute } from '../../../model/sites/published/resolve/addresses.ts'
import type { Tools } from '../tools.ts'

type Alternates = NonNullable<PageView['head']['alternates']>

/** The addresses of a page in the languages of its section, and that of the default space for all other languages. */
export async function alternatesOf(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<Alternates> {
  const versions = await languageVersionsOf(tools, content, page)
  return versions.flatMap(({ content: there, page: same, language }) => {
    const href = absolute(tools.urls, there, pageAddress(there, same))
    const own = { language, href }
    return there.variant.isDefault ? [own, { language: 'x-default', href }] : [own]
  })
}
