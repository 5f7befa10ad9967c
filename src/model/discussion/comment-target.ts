import { type Static, Type } from 'typebox'
import { type FollowedBlock, followRange, type TextRange } from '../../core/content/edit/block-diff.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { invalidField, unknownId } from '../../http/errors.ts'
import { omitNullish, Timestamp } from '../common.ts'
import { pagesOf } from '../content/content.ts'
import { blocksFollowed, type Versions } from '../content/compared-pages.ts'
import { blockTextsOf, leafTextOf } from '../content/documents/read-document.ts'
import { because } from '../../core/languages/reasons.ts'

/** The subject of a discussion: a space, or one of its change requests. */
export interface Discussed {
  space: Row<'space'>
  changeRequest?: Row<'changeRequest'> | undefined
}

/** The columns for the target of a comment; all null for the whole content. */
export type CommentTargetColumns = Pick<
  Row<'comment'>,
  'pageId' | 'page' | 'nodeId' | 'nodePreview' | 'range'
>

export const WHOLE_CONTENT: CommentTargetColumns = {
  pageId: null,
  page: null,
  nodeId: null,
  nodePreview: null,
  range: null,
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
    description: 'The page or block was deleted after the comment was written',
  }),
})

/** A part of a block's text. */
export const TextRangeSchema = Type.Unsafe<TextRange>(
  Type.Object(
    { start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 1 }) },
    {
      title: 'TextRange',
      description:
        'A part of the text of all leaves of the block, in UTF-16 units; `end` is not included. It is absent once nothing of the part is left',
    },
  ),
)

/** The target of a comment, as the API returns it. */
export const CommentTarget = Type.Object({
  node: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'The key that the block has now, or had last' }),
      preview: Type.Optional(Type.String({ description: 'The text when the comment was written' })),
      range: Type.Optional(TextRangeSchema),
    }),
  ),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String()),
  page: Type.Optional(TargetPage),
  space: Type.String(),
  revision: Type.String({ description: 'The revision in which the comment was written' }),
})
export type CommentTarget = Static<typeof CommentTarget>

/** The fields of a commented page that are stored in case it is deleted. */
type KeptPage = Omit<Static<typeof TargetPage>, 'outdated'> & {
  /** The hash of the page's body that has the block. */
  document?: string
}

/** The maximum length of the quote from a block. */
const QUOTE_MAX = 200

/**
 * The target of a new comment, by the id of a page, the key of a block of it, and a part of the block's text.
 * @throws 400 if the content has no such page, the page no such block, or the block no such text
 */
export async function needCommentTarget(
  db: Reader,
  revision: Row<'revision'>,
  { page: pageId, node, range }: { page?: string; node?: string; range?: TextRange },
): Promise<CommentTargetColumns> {
  if (range !== undefined && node === undefined)
    throw invalidField('body.node', because('range-without-node'))
  if (pageId === undefined) {
    if (node !== undefined) throw invalidField('body.page', because('node-without-page'))
    return WHOLE_CONTENT
  }
  const tree = await pagesOf(db, revision)
  const page = tree.get(pageId)
  if (!page) throw unknownId('body.page', pageId, 'a page of this content')
  const target = { pageId, page: JSON.stringify({ ...shownOf(tree, page), document: page.document }) }
  if (node === undefined) return { ...WHOLE_CONTENT, ...target }

  const text = (await blockTextsOf(db, revision.spaceId, page.document)).get(node)
  if (text === undefined)
    throw invalidField('body.node', because('block-key-unknown', { key: JSON.stringify(node) }))
  if (range === undefined) return { ...target, nodeId: node, nodePreview: text, range: null }
  const whole = await leafTextOf(db, revision.spaceId, page.document, node)
  if (whole === null) throw invalidField('body.range', because('range-without-text'))
  if (range.start >= range.end || range.end > whole.length)
    throw invalidField(
      'body.range',
      because('range-outside', { length: whole.length, range: JSON.stringify(range) }),
    )
  const quote = whole.slice(range.start, range.end).slice(0, QUOTE_MAX).toWellFormed()
  return { ...target, nodeId: node, nodePreview: quote, range: JSON.stringify(range) }
}

/** The targets of comments by comment id, each where it is in the current content. */
export async function commentTargetsOf(
  db: Reader,
  content: Row<'revision'>,
  rows: Row<'comment'>[],
): Promise<Map<string, CommentTarget>> {
  const isOnPage = rows.some(({ pageId }) => pageId !== null)
  const tree = isOnPage ? await pagesOf(db, content) : undefined
  const targets = new Map<string, CommentTarget>()
  for (const row of rows) {
    const { changeRequestId, reviewId, nodePreview } = row
    const place = tree && row.page !== null ? await commentPlace(db, tree, row) : undefined
    const node = place?.node && { ...place.node, ...omitNullish({ preview: nodePreview }) }
    targets.set(row.id, {
      ...(node ? { node } : {}),
      ...omitNullish({ changeRequest: changeRequestId, review: reviewId }),
      ...(place ? { page: place.page } : {}),
      space: row.spaceId,
      revision: row.revisionId,
    })
  }
  return targets
}

/** A block, and the part of its text. */
export interface CommentedNode {
  id: string
  range?: TextRange
}

/** The place of a comment on a page. */
interface CommentPlace {
  page: NonNullable<CommentTarget['page']>
  node?: CommentedNode
}

/**
 * The current page and block of a comment on a page. If the page was deleted, it is the page as it was when the comment was
 * written; if the block is gone, it is the block as it was last.
 */
export async function commentPlace(
  db: Reader,
  tree: PageTree,
  { pageId, page, nodeId, range, spaceId }: Row<'comment'>,
): Promise<CommentPlace> {
  const { document, ...kept } = JSON.parse(page ?? '') as KeptPage
  const was =
    nodeId === null ? undefined : { id: nodeId, ...(range === null ? {} : { range: fromText(range) }) }
  const node = was ? { node: was } : {}
  const record = pageId === null ? undefined : tree.get(pageId)
  if (!record) return { page: { ...kept, outdated: true }, ...node }
  const shown = shownOf(tree, record)
  // If the body has the same hash, the block is unchanged.
  if (!was || record.document === document) return { page: { ...shown, outdated: false }, ...node }
  const followed = await followNode(db, spaceId, { before: document, after: record.document }, was)
  return { page: { ...shown, outdated: !followed }, node: followed ?? was }
}

/** The block of a document in a later one; undefined if it is gone. */
async function followNode(
  db: Reader,
  spaceId: string,
  versions: Versions,
  { id, range }: CommentedNode,
): Promise<CommentedNode | undefined> {
  const blocks = await blocksFollowed(db, spaceId, versions)
  if (blocks) return followedNode({ id, ...(range && { range }) }, blocks)
  // The earlier document cannot be compared; a block with the same key has the same text.
  const texts = await blockTextsOf(db, spaceId, versions.after)
  return texts.has(id) ? { id, ...(range && { range }) } : undefined
}

/** The block by its key in a later version. */
export function followedNode(
  { id, range }: CommentedNode,
  blocks: ReadonlyMap<string, FollowedBlock>,
): CommentedNode | undefined {
  const block = blocks.get(id)
  if (!block) return undefined
  const rest = range && followRange(range, block.words)
  return { id: block.key, ...(rest ? { range: rest } : {}) }
}

const fromText = (range: string) => JSON.parse(range) as TextRange

function shownOf(tree: PageTree, record: PageRecord): Omit<KeptPage, 'document'> {
  const { id, title, emoji, icon, createdAt, updatedAt } = record
  return { id, title, ...omitNullish({ emoji, icon }), createdAt, updatedAt, path: tree.path(id) }
}
