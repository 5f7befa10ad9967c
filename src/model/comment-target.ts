import { type Static, Type } from 'typebox'
import { allBlocks } from '../core/document/identify.ts'
import { blockText } from '../core/document/text.ts'
import type { PageRecord } from '../core/revision.ts'
import type { PageTree } from '../core/tree.ts'
import type { Reader, Row } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import { present, Timestamp } from './common.ts'
import { pagesOf, parsedOf } from './content.ts'

/** What is discussed: a space, or one of its change requests. */
export interface Discussed {
  space: Row<'space'>
  changeRequest?: Row<'changeRequest'> | undefined
}

/** The columns that say what a comment is about; all null for the whole content. */
export type Target = Pick<Row<'comment'>, 'pageId' | 'page' | 'nodeId' | 'nodePreview'>

export const WHOLE_CONTENT: Target = { pageId: null, page: null, nodeId: null, nodePreview: null }

const TargetPage = Type.Object({
  id: Type.String(),
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  path: Type.String(),
  outdated: Type.Boolean({
    description: 'The page, or the block of it, is not in the present content as it was',
  }),
})

/** What a comment is about, as the API shows it (management-api, Comment). */
export const CommentTarget = Type.Object({
  node: Type.Optional(Type.Object({ id: Type.String(), preview: Type.Optional(Type.String()) })),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String()),
  page: Type.Optional(TargetPage),
  space: Type.String(),
  revision: Type.String({ description: 'What was there when it was written' }),
})
export type CommentTarget = Static<typeof CommentTarget>

/** What is kept of a page that was commented on, for when it is gone. */
type KeptPage = Omit<Static<typeof TargetPage>, 'outdated'> & {
  /** The hash of its body. */
  document?: string
}

/** Characters of a block that its comment quotes. */
const PREVIEW_MAX = 200

/**
 * The target of a new comment, by the id of a page and the key of a block of it.
 * @throws 400 if the content has no such page, or the page no such block
 */
export async function needTarget(
  db: Reader,
  revision: Row<'revision'>,
  { page: pageId, node }: { page?: string | undefined; node?: string | undefined },
): Promise<Target> {
  if (pageId === undefined) {
    if (node !== undefined) throw invalid('Send the "page" that the "node" is in')
    return WHOLE_CONTENT
  }
  const tree = await pagesOf(db, revision)
  const page = tree.get(pageId)
  if (!page)
    throw invalid('"page" must be the id of a page of this content', [
      { path: 'body.page', message: 'is not a page of this content' },
    ])
  const target = { pageId, page: JSON.stringify({ ...shownOf(tree, page), document: page.document }) }
  if (node === undefined) return { ...WHOLE_CONTENT, ...target }

  const { nodes } = await parsedOf(db, revision.spaceId, page.document)
  const block = allBlocks(nodes).find(({ key }) => key === node)
  if (!block)
    throw invalid('"node" must be the key of a block of the page, as "format=document" gives it', [
      { path: 'body.node', message: 'is not a block of this page' },
    ])
  return { ...target, nodeId: node, nodePreview: shortened(blockText(block)) }
}

/** What comments are about, by the ids of the comments, and whether it is still there in the present content. */
export async function targetsOf(
  db: Reader,
  content: Row<'revision'>,
  rows: Row<'comment'>[],
): Promise<Map<string, CommentTarget>> {
  const isOnPage = rows.some(({ pageId }) => pageId !== null)
  const tree = isOnPage ? await pagesOf(db, content) : undefined
  const keys = blockKeys(db, content.spaceId)
  const targets = new Map<string, CommentTarget>()
  for (const row of rows) {
    const { changeRequestId, reviewId, nodeId, nodePreview } = row
    targets.set(row.id, {
      ...(nodeId === null ? {} : { node: { id: nodeId, ...present({ preview: nodePreview }) } }),
      ...present({ changeRequest: changeRequestId, review: reviewId }),
      ...(tree && row.page !== null ? { page: await targetPage(tree, row, keys) } : {}),
      space: row.spaceId,
      revision: row.revisionId,
    })
  }
  return targets
}

/** The page as it is now; where it is gone, as it was when the comment was written. */
async function targetPage(
  tree: PageTree,
  { pageId, page, nodeId }: Row<'comment'>,
  keys: (page: PageRecord) => Promise<ReadonlySet<string>>,
): Promise<CommentTarget['page']> {
  const { document, ...kept } = JSON.parse(page ?? '') as KeptPage
  const record = pageId === null ? undefined : tree.get(pageId)
  if (!record) return { ...kept, outdated: true }
  const shown = shownOf(tree, record)
  // Whoever did not touch the body did not touch the block.
  if (nodeId === null || record.document === document) return { ...shown, outdated: false }
  return { ...shown, outdated: !(await keys(record)).has(nodeId) }
}

/** The keys of the blocks of pages, each page read once however many comments are on it. */
function blockKeys(db: Reader, spaceId: string) {
  const known = new Map<string, ReadonlySet<string>>()
  return async ({ document }: PageRecord): Promise<ReadonlySet<string>> => {
    const found = known.get(document ?? '')
    if (found) return found
    const { nodes } = await parsedOf(db, spaceId, document)
    const keys = new Set([...allBlocks(nodes)].flatMap(({ key }) => key ?? []))
    known.set(document ?? '', keys)
    return keys
  }
}

function shownOf(tree: PageTree, record: PageRecord): Omit<KeptPage, 'document'> {
  const { id, title, emoji, icon, createdAt, updatedAt } = record
  return { id, title, ...present({ emoji, icon }), createdAt, updatedAt, path: tree.path(id) }
}

/** A text on one line, cut after so many characters. */
function shortened(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim())
  if (characters.length <= PREVIEW_MAX) return characters.join('')
  return `${characters.slice(0, PREVIEW_MAX - 1).join('')}…`
}
