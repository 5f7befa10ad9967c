/** The page tree of a change request: pages are opened, moved by dragging or by keys, copied and deleted. */
import { type Key, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import {
  Button,
  Collection,
  Keyboard,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
  isRTL,
} from 'react-aria-components'
import { type Direction, mayHold, placeOf, stepsOf, type TreePlace } from '../../content/tree/changes.ts'
import type { OutlinePage } from '../../content/tree/levels.ts'
import type { TreeOfPages } from '../../content/tree/page-tree.ts'
import { PageName } from '../../content/tree/page-name.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { arrowTo, language, t } from '../../words/words.ts'
import { type EditTreeProps, type TreeSteps, useTreeSteps } from './tree-steps.ts'

const ARROWS: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
}
const MIRRORED: Record<string, Direction> = { ...ARROWS, ArrowLeft: 'in', ArrowRight: 'out' }
/** The key of the row that shows more of a level. */
const MORE = 'more '

/** A page tree that can be changed. */
export function EditTree(props: EditTreeProps) {
  const { tree, current, actions } = props
  const frame = useRef<HTMLElement>(null)
  const steps = useTreeSteps(props, frame)
  const { known } = steps
  const [renamed, rename] = useState<string>()
  const { dragAndDropHooks } = useDragAndDrop<OutlinePage>({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': known.get(String(key))?.title ?? '' })),
    getDropOperation: (target) =>
      target.type === 'item' && String(target.key).startsWith(MORE) ? 'cancel' : 'move',
    onMove({ keys: [key], target: { key: at, dropPosition } }) {
      const page = known.get(String(key))
      const beside = known.get(String(at))
      if (page && beside && page.id !== beside.id)
        steps.move(page, placeOfDrop(tree, page, beside, dropPosition))
    },
  })
  const open = [...known.values()].filter((page) => page.children > 0 && tree.isOpen(page))
  const act = (key: Key | undefined) => {
    if (key === undefined) return
    if (String(key).startsWith(MORE)) {
      tree.showMore(String(key).slice(MORE.length) || null)
      return
    }
    const page = known.get(String(key))
    if (page && page.id !== current?.id) actions.open(page)
  }
  return (
    <nav
      ref={frame}
      aria-label={t('common.pages')}
      className="page-tree"
      onKeyDownCapture={(event) => runByKey(event, steps, rename)}
      onDoubleClickCapture={({ target }) => {
        const title = (target as Element).closest('.tree-title')
        const id = title?.closest<HTMLElement>('[role=row]')?.dataset.key
        if (id !== undefined && known.has(id)) rename(id)
      }}
    >
      <Refusal query={tree} />
      <Tree
        aria-label={t('common.pages')}
        items={rowsOf(tree, null)}
        // React Aria keeps the rows of items that are the same, but what is below them can have changed.
        dependencies={[tree.version, renamed]}
        dragAndDropHooks={dragAndDropHooks}
        expandedKeys={open.map(({ id }) => id)}
        onExpandedChange={(keys) => {
          for (const page of known.values())
            if (page.children > 0 && keys.has(page.id) !== tree.isOpen(page))
              tree.setOpen(page, keys.has(page.id))
        }}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={current ? [current.id] : []}
        onAction={(key) => act(key)}
        onSelectionChange={(keys) => act([...(keys as Set<Key>)][0])}
      >
        {(row) => (
          <Row
            row={row}
            tree={tree}
            renamed={renamed}
            onRenamed={(page, title) => {
              rename(undefined)
              steps.rename(page, title)
            }}
            menu={(page) => (
              <PageMenu
                page={page}
                tree={tree}
                run={(name, one) => (name === 'rename' ? rename(one.id) : steps.run(name, one))}
              />
            )}
          />
        )}
      </Tree>
    </nav>
  )
}

/** Alt and an arrow moves the page whose row has the focus, Delete deletes it, and F2 renames it. */
function runByKey(
  event: KeyboardEvent<HTMLElement>,
  { known, runInTurn }: TreeSteps,
  rename: (id: string) => void,
): void {
  const row = (event.target as Element).closest<HTMLElement>('[role=row]')
  const page = known.get(row?.dataset.key ?? '')
  const isRow = row === event.target
  if (!page || event.target instanceof HTMLInputElement) return
  if (isRow && event.key === 'F2') {
    event.preventDefault()
    rename(page.id)
    return
  }
  const direction = (isRTL(language) ? MIRRORED : ARROWS)[event.key]
  const asked = event.altKey && direction ? direction : isRow && event.key === 'Delete' ? 'delete' : undefined
  if (asked === undefined) return
  event.preventDefault()
  event.stopPropagation()
  runInTurn(asked, page)
}

/** The place of a page that is dropped on another one or beside it; undefined if it cannot be there. */
function placeOfDrop(
  tree: TreeOfPages,
  page: OutlinePage,
  beside: OutlinePage,
  drop: 'on' | 'before' | 'after',
): TreePlace | undefined {
  if (drop === 'on') return mayHold(beside, page) ? { into: beside.id, at: beside.children } : undefined
  const place = placeOf(tree, beside)
  const from = placeOf(tree, page)
  if (!place || (place.into !== null && page.type === 'group')) return undefined
  // The index of a place does not count the page itself.
  const isBehind = from?.into === place.into && from.at < place.at ? 1 : 0
  return { into: place.into, at: place.at + (drop === 'after' ? 1 : 0) - isBehind }
}

/** A row of the tree: a page, or the rest of a level. */
type TreeRow = OutlinePage | { id: string; rest: number }

function rowsOf(tree: TreeOfPages, parent: string | null): TreeRow[] {
  const level = tree.level(parent)
  if (!level) return []
  const rest = level.count - level.items.length
  if (rest <= 0) return level.items
  const more = { id: `${MORE}${parent ?? ''}`, rest }
  return [...level.items, more, ...(level.beyond ? [level.beyond] : [])]
}

interface RowProps {
  row: TreeRow
  tree: TreeOfPages
  /** The id of the page whose title is edited. */
  renamed: string | undefined
  /** Called with the title that was written; undefined if it stays. */
  onRenamed: (page: OutlinePage, title: string | undefined) => void
  menu: (page: OutlinePage) => ReactNode
}

function Row({ row, tree, renamed, onRenamed, menu }: RowProps) {
  // Not all props of this row: React Aria adds its id, which would become the key of each row below it.
  const shared = { tree, renamed, onRenamed, menu }
  if ('rest' in row)
    return (
      <TreeItem id={row.id} textValue={t('common.show-more')}>
        <TreeItemContent>{t('editing.count-more-pages', { count: row.rest })}</TreeItemContent>
      </TreeItem>
    )
  const { title, type, children } = row
  return (
    <TreeItem
      id={row.id}
      textValue={title || t('common.untitled')}
      hasChildItems={children > 0}
      className={`tree-row ${type}`}
    >
      <TreeItemContent>
        {({ allowsDragging, isExpanded }: { allowsDragging?: boolean; isExpanded: boolean }) => (
          <>
            {allowsDragging !== false && (
              <Button slot="drag" className="grip" aria-label={t('common.move-title', { title })} />
            )}
            {children > 0 ? (
              <Button
                slot="chevron"
                className="twist"
                aria-label={t('common.pages-below-title', { title })}
                data-open={isExpanded || undefined}
              />
            ) : (
              <span className="twist" />
            )}
            {renamed === row.id ? (
              <TitleInRow title={title} onDone={(next) => onRenamed(row, next)} />
            ) : (
              <span className="tree-title">
                <PageName page={row} />
              </span>
            )}
            {menu(row)}
          </>
        )}
      </TreeItemContent>
      <Collection items={tree.isOpen(row) ? rowsOf(tree, row.id) : []} dependencies={[tree.version, renamed]}>
        {(below) => <Row row={below} {...shared} />}
      </Collection>
    </TreeItem>
  )
}

/** The title of a page in its row, as a field. Enter and leaving it keep the title, and Escape gives it up. */
function TitleInRow({ title, onDone }: { title: string; onDone: (title: string | undefined) => void }) {
  const isDone = useRef(false)
  const done = (field: HTMLInputElement, isKept: boolean) => {
    if (isDone.current) return
    isDone.current = true
    const row = field.closest<HTMLElement>('[role=row]')
    const next = field.value.trim()
    const hadFocus = field === document.activeElement
    onDone(isKept && next !== '' && next !== title ? next : undefined)
    if (hadFocus) row?.focus()
  }
  return (
    <input
      className="tree-title"
      aria-label={t('common.title')}
      defaultValue={title}
      maxLength={200}
      autoFocus
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={({ currentTarget }) => done(currentTarget, true)}
      onKeyDown={(event) => {
        // The tree has commands for letters and arrows.
        event.stopPropagation()
        if (event.key === 'Enter' || event.key === 'Escape') done(event.currentTarget, event.key === 'Enter')
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
    />
  )
}

function PageMenu({
  page,
  tree,
  run,
}: {
  page: OutlinePage
  tree: TreeOfPages
  run: (name: string, page: OutlinePage) => void
}) {
  const isParent = page.type === 'document' || page.type === 'group'
  const items: [name: string, title: string, keys?: string][] = [
    ['options', page.type === 'link' ? t('editing.edit-the-link') : t('common.options')],
    ...(page.type === 'computed' ? [] : [['rename', t('common.rename'), 'F2'] as [string, string, string]]),
    ...(isParent ? [['below', t('editing.new-page-below')] as [string, string]] : []),
    ...(page.type === 'computed' ? [] : [['copy', t('common.duplicate')] as [string, string]]),
    ['history', t('common.history-page')],
    ['links', t('common.links-page')],
    ['up', t('common.move-up'), 'Alt ↑'],
    ['down', t('common.move-down'), 'Alt ↓'],
    ['in', t('editing.move-into-page-above'), `Alt ${arrowTo('end')}`],
    ['out', t('editing.move-out-page'), `Alt ${arrowTo('start')}`],
    ['delete', t('common.delete'), 'Del'],
  ]
  const steps = stepsOf(tree, page)
  const unable = (['up', 'down', 'in', 'out'] as const).filter((name) => !steps[name])
  return (
    <MenuTrigger>
      <Button className="row-menu" aria-label={t('common.actions-for-title', { title: page.title })} />
      <Popover>
        <Menu className="menu" disabledKeys={unable} onAction={(name) => run(String(name), page)}>
          {items.map(([name, title, keys]) => (
            <MenuItem key={name} id={name} className="menu-item with-keys" textValue={title}>
              {title}
              {keys !== undefined && <Keyboard>{keys}</Keyboard>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
