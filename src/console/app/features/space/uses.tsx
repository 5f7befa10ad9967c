import { Link } from 'wouter'
import { useList } from '../../api/api.ts'
import { More } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

interface FileUse {
  kind: string
  page?: { id: string; title: string; path?: string }
  reusableContent?: { title: string }
}

/** The pages that use something. @param path the list of its uses below `/v1` */
export function Uses({
  path,
  addressOf,
  none = t('No page uses it.'),
}: {
  path: string
  addressOf: (page: { path?: string }) => string
  none?: string
}) {
  const uses = useList<FileUse>(path)
  // A page can use a file in several places.
  const seen = new Map(uses.items.map((use) => [use.page?.id ?? use.reusableContent?.title ?? '', use]))
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
