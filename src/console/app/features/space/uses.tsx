import { Link } from 'wouter'
import { useList } from '../../api/api.ts'
import { More } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { WritablePath } from '../../api/paths.ts'
import type { AnyOf, PageEntry } from '../../api/types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

/** A place of any kind. */
type Place = AnyOf<Schemas['ContentLocation']>

/** The pages that use something. @param path the list of its uses below `/v1` */
export function Uses({
  path,
  addressOf,
  none = t('space.no-page-uses'),
}: {
  path: `${WritablePath}/${'page' | 'files' | 'reusable-contents'}/${string}/backlinks`
  addressOf: (page: Pick<PageEntry, 'id' | 'path'>) => string
  none?: string
}) {
  const uses = useList(path)
  // A page can use a file in several places.
  const seen = new Map(
    uses.items.map((use: Place) => [use.page?.id ?? use.reusableContent?.title ?? '', use]),
  )
  return (
    <>
      {uses.isSuccess && seen.size === 0 && <p className="hint">{none}</p>}
      <ul>
        {[...seen].map(([key, { page, reusableContent }]) => (
          <li key={key}>
            {page ? <Link href={addressOf(page)}>{page.title}</Link> : reusableContent?.title}
          </li>
        ))}
      </ul>
      <More list={uses} />
    </>
  )
}
