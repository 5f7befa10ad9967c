import { Link } from 'wouter'
import type { OutlinePage } from './levels.ts'
import { type TreeOfPages, usePageTree } from './page-tree.ts'
import { PageName } from './page-name.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { ContentPath } from '../../api/paths.ts'

interface TreeProps {
  current: string | undefined
  addressOf: (page: OutlinePage) => string
}

/** The pages of a space. Those below a page are read and shown when it is opened, so that a large space loads fast. */
export function PageTree({
  content,
  currentPath,
  ...props
}: TreeProps & { content: ContentPath; currentPath: string | undefined }) {
  const tree = usePageTree(content, currentPath)
  return (
    <nav aria-label={t('common.pages')} className="page-tree">
      <Refusal query={tree} />
      <Branch tree={tree} parent={null} {...props} />
    </nav>
  )
}

function Branch({ tree, parent, ...props }: TreeProps & { tree: TreeOfPages; parent: string | null }) {
  const level = tree.level(parent)
  if (!level) return null
  return (
    <ul>
      {level.items.map((page) => (
        <Leaf key={page.id} tree={tree} page={page} {...props} />
      ))}
      {level.items.length < level.count && (
        <li>
          <button className="more-pages" onClick={() => tree.showMore(parent)}>
            {t('common.show-more')}
          </button>
        </li>
      )}
      {level.beyond && <Leaf tree={tree} page={level.beyond} {...props} />}
    </ul>
  )
}

function Leaf({ tree, page, ...props }: TreeProps & { tree: TreeOfPages; page: OutlinePage }) {
  const { id, type, title, children } = page
  const isOpen = children > 0 && tree.isOpen(page)
  return (
    <li>
      <div className="leaf">
        {children > 0 ? (
          <button
            className="twist"
            aria-expanded={isOpen}
            aria-label={t('common.pages-below-title', { title })}
            onClick={() => tree.setOpen(page, !isOpen)}
          />
        ) : (
          <span className="twist" />
        )}
        {type === 'document' ? (
          <Link href={props.addressOf(page)} aria-current={id === props.current ? 'page' : undefined}>
            <PageName page={page} />
          </Link>
        ) : (
          <span className={type === 'group' ? 'group' : ''}>
            <PageName page={page} />
          </span>
        )}
      </div>
      {isOpen && <Branch tree={tree} parent={id} {...props} />}
    </li>
  )
}
