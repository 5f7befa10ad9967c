/** Copies of pages, with the pages below them. */
import { api } from '../../api/api.ts'
import { t } from '../../words/words.ts'
import { addedPage, type BatchChange, placeOf, type Step } from '../../content/tree/changes.ts'
import type { OutlinePage } from '../../content/tree/levels.ts'
import type { TreeOfPages } from '../../content/tree/page-tree.ts'
import type { WritablePath } from '../../api/paths.ts'
import type { AnyPage, PageEntry } from '../../api/types.ts'

/** The most changes of a batch, and so the most pages that are copied at once. */
const MOST = 50

/** The fields that a copy has too. */
const FIELDS = ['title', 'linkTitle', 'emoji', 'icon', 'hidden', 'condition'] as const
const GROUP_FIELDS = [...FIELDS, 'noIndex', 'noRobotsIndex'] as const
const PAGE_FIELDS = [...GROUP_FIELDS, 'description', 'layout', 'cover', 'tags', 'variables'] as const

type Copied = Pick<PageEntry, 'id' | 'type'> & { pages?: Copied[] }

/** The changes that add a copy of a page, with copies of the pages below it, behind the page. */
export async function duplicateStep(
  content: WritablePath,
  tree: TreeOfPages,
  { id, title, parent }: OutlinePage,
): Promise<Step> {
  const whole = await api(`GET ${content}/page/${id}?format=none&computed=false`)
  const pages = withBelow(whole, parent)
  if (pages.length > MOST)
    throw new Error(
      t('editing.title-count-pages-below', {
        title,
        count: pages.length - 1,
        most: MOST - 1,
      }),
    )
  const refs = new Map(pages.map(([page], i) => [page.id, `copy-${i}`]))
  const changes = await Promise.all(
    pages.map(([page, above]) => copyOf(content, page, refs.get(above ?? '') ?? above, refs)),
  )
  const place = placeOf(tree, { id, parent } as OutlinePage)
  const first = { title: t('editing.copy-of-title', { title }), ...(place && { at: place.at + 1 }) }
  return {
    changes: changes.map((change, i) => (i === 0 ? { ...change, ...first } : change)),
    done: hasComputed(whole)
      ? t('editing.title-copied-without-computed', { title })
      : t('editing.title-was-copied', { title }),
    undo: (done) => [{ operation: 'delete_page', page: addedPage(done)! }],
  }
}

/** A page and the pages below it, each with the page above. A batch cannot insert computed pages. */
function withBelow(page: Copied, above: string | null): [page: Copied, above: string | null][] {
  if (page.type === 'computed') return []
  return [[page, above], ...(page.pages ?? []).flatMap((one) => withBelow(one, page.id))]
}

const hasComputed = ({ type, pages = [] }: Copied): boolean => type === 'computed' || pages.some(hasComputed)

async function copyOf(
  content: WritablePath,
  { id, type }: Copied,
  into: string | null,
  refs: ReadonlyMap<string, string>,
): Promise<BatchChange> {
  // A document instead of Markdown: its links name pages, so they lead to the same pages from another place.
  const page: AnyPage = await api(`GET ${content}/page/${id}?descendants=false&format=document`)
  const given = <Name extends keyof AnyPage>(names: readonly Name[]) =>
    Object.fromEntries(
      names.flatMap((name) => (page[name] === undefined ? [] : [[name, page[name]]])),
    ) as Pick<AnyPage, Name>
  const ref = refs.get(id)!
  if (type === 'group') return { operation: 'insert_group', ref, ...given(GROUP_FIELDS) }
  if (type === 'link')
    return {
      operation: 'insert_link',
      ref,
      into,
      ...relinked({ ...given(FIELDS), target: page.target! }, refs),
    }
  const document = page.document && { document: page.document }
  return {
    operation: 'insert_page',
    ref,
    into,
    ...given(PAGE_FIELDS),
    document: relinked({ ...document }, refs),
  }
}

/** A value in which the links to copied pages lead to the copies. */
function relinked<T>(value: T, refs: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((one) => relinked(one as unknown, refs)) as T
  if (typeof value !== 'object' || value === null) return value
  const { kind, page, space } = value as { kind?: unknown; page?: unknown; space?: unknown }
  const isLink = (kind === 'page' || kind === 'anchor') && space === undefined
  const ref = isLink && typeof page === 'string' ? refs.get(page) : undefined
  if (ref !== undefined) return { ...value, page: ref }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, relinked(one as unknown, refs)]),
  ) as T
}
