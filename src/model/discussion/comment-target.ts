import { type Static, Type } from 'typebox'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { invalidField, unknownId } from '../../http/errors.ts'
import { omitNullish, Timestamp } from '../common.ts'
import { pagesOf } from '../content/content.ts'
import { blockTextsOf } from '../content/read-document.ts'

/** The subject of a discussion: a space, or one of its change requests. */
export interface Discussed {
  space: Row<'space'>
  changeRequest?: Row<'changeRequest'> | undefined
}

/** The columns for the target of a comment; all null for the whole content. */
export type CommentTargetColumns = Pick<Row<'comment'>, 'pageId' | 'page' | 'nodeId' | 'nodePreview'>

export const WHOLE_CONTENT: CommentTargetColumns = {
  pageId: null,
  page: null,
  nodeId: null,
  nodePreview: null,
}

const TargetPage = Type.Object({
  id: Type.String(),
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  path: Type.String(),
  outdated: Type.Boolean({
    description: 'The page or block was changed or deleted after the comment was written',
  }),
})

/** The target of a comment, as the API returns it. */
export const CommentTarget = Type.Object({
  node: Type.Optional(Type.Object({ id: Type.String(), preview: Type.Optional(Type.String()) })),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String()),
  page: Type.Optional(TargetPage),
  space: Type.String(),
  revision: Type.String({ description: 'The revision in which the comment was written' }),
})
export type CommentTarget = Static<typeof CommentTarget>

/** The fields of a commented page that are stored in case it is deleted. */
type KeptPage = Omit<Static<typeof TargetPage>, 'outdated'> & {
  /** The hash of the page's body. */
  document?: string
}

/** The maximum length of the quote from a block. */

/**
 * The target of a new comment, by the id of a page and the key of a block of it.
 * @throws 400 if the content has no such page, or the page no such block
 */
export async function needCommentTarget(
  db: Reader,
  revision: Row<'revision'>,
  { page: pageId, node }: { page?: string | undefined; node?: string | undefined },
): Promise<CommentTargetColumns> {
  if (pageId === undefined) {
    if (node !== undefined)
      throw invalidField(
        'body.page',
        'is required with "node": send the id of the page that contains the block',
      )
    return WHOLE_CONTENT
  }
  const tree = await pagesOf(db, revision)
  const page = tree.get(pageId)
  if (!page) throw unknownId('body.page', pageId, 'a page of this content')
  const target = { pageId, page: JSON.stringify({ ...shownOf(tree, page), document: page.document }) }
  if (node === undefined) return { ...WHOLE_CONTENT, ...target }

  const text = (await blockTextsOf(db, revision.spaceId, page.document)).get(node)
  if (text === undefined)
    throw invalidField(
      'body.node',
      `must be the key of a block of this page, as "format=document" returns it, but was ${JSON.stringify(node)}`,
    )
  return { ...target, nodeId: node, nodePreview: text }
}

/** The targets of comments by comment id, and whether each is unchanged in the current content. */
export async function commentTargetsOf(
  db: Reader,
  content: Row<'revision'>,
  rows: Row<'comment'>[],
): Promise<Map<string, CommentTarget>> {
  const isOnPage = rows.some(({ pageId }) => pageId !== null)
  const tree = isOnPage ? await pagesOf(db, content) : undefined
  const targets = new Map<string, CommentTarget>()
  for (const row of rows) {
    const { changeRequestId, reviewId, nodeId, nodePreview } = row
    targets.set(row.id, {
      ...(nodeId === null ? {} : { node: { id: nodeId, ...omitNullish({ preview: nodePreview }) } }),
      ...omitNullish({ changeRequest: changeRequestId, review: reviewId }),
      ...(tree && row.page !== null ? { page: await targetPage(db, tree, row) } : {}),
      space: row.spaceId,
      revision: row.revisionId,
    })
  }
  return targets
}

/** The current page; if it was deleted, the page as it was when the comment was written. */
async function targetPage(
  db: Reader,
  tree: PageTree,
  { pageId, page, nodeId, spaceId }: Row<'comment'>,
): Promise<CommentTarget['page']> {
  const { document, ...kept } = JSON.parse(page ?? '') as KeptPage
  const record = pageId === null ? undefined : tree.get(pageId)
  if (!record) return { ...kept, outdated: true }
  const shown = shownOf(tree, record)
  // If the body has the same hash, the block is unchanged.
  if (nodeId === null || record.document === document) return { ...shown, outdated: false }
  const blocks = await blockTextsOf(db, spaceId, record.document)
  return { ...shown, outdated: !blocks.has(nodeId) }
}

function shownOf(tree: PageTree, record: PageRecord): Omit<KeptPage, 'document'> {
  const { id, title, emoji, icon, createdAt, updatedAt } = record
  return { id, title, ...omitNullish({ emoji, icon }), createdAt, updatedAt, path: tree.path(id) }
}
