import { type Static, Type } from 'typebox'
import type { ItemOutcome, PageOutcome } from '../../core/content/batch/apply.ts'
import type { WrittenBlock as Written } from '../../core/content/edit/written-block.ts'
import { oneOf } from '../common.ts'
import { READING_PROBLEM_FIELDS } from './documents/reading-problem.ts'

const changed = <const T extends string>(object: T) =>
  Type.Object({
    object: oneOf([object]),
    id: Type.String(),
    urls: Type.Object({ location: Type.String({ format: 'uri' }) }),
  })
const ChangedPage = changed('page')
const ChangedFile = changed('file')
const ChangedReusableContent = changed('reusable-content')

/** A block after a write: one of those sent, with its new key, or one that somebody else has written. */
const WrittenBlock = Type.Unsafe<Written>({
  title: 'WrittenBlock',
  type: 'object',
  properties: {
    entry: { type: 'integer', description: 'The index of the block in the `blocks` of the change' },
    key: { type: 'string', description: 'The key that it has now' },
    block: {
      type: 'object',
      description: 'A block that the change did not send',
      additionalProperties: true,
    },
  },
})

/** The title and blocks of a page or reusable content after a change that sent blocks. */
const written = {
  title: Type.Optional(
    Type.String({
      description: 'The title now, if the change sent blocks. Somebody else may have changed it meanwhile',
    }),
  ),
  blocks: Type.Optional(
    Type.Array(WrittenBlock, { description: 'The top-level blocks now, if the change sent blocks' }),
  ),
}

/** The title and blocks of a page or reusable content after a change that sent blocks. */
export interface WrittenNow {
  title?: string
  blocks: Written[]
}

/** The outcome for each page in the order of the changes, followed by files and reusable contents. */
export const ChangedContent = Type.Union(
  [
    Type.Object({ object: oneOf(['created_page']), ref: Type.Optional(Type.String()), page: ChangedPage }),
    Type.Object({
      object: oneOf(['updated_page']),
      page: ChangedPage,
      ...written,
    }),
    Type.Object({ object: oneOf(['deleted_page']), page: Type.String() }),
    Type.Object({ object: oneOf(['updated_file']), file: ChangedFile }),
    Type.Object({ object: oneOf(['deleted_file']), file: Type.String() }),
    Type.Object({
      object: oneOf(['created_reusable_content']),
      ref: Type.Optional(Type.String()),
      reusableContent: ChangedReusableContent,
    }),
    Type.Object({
      object: oneOf(['updated_reusable_content']),
      reusableContent: ChangedReusableContent,
      ...written,
    }),
    Type.Object({ object: oneOf(['deleted_reusable_content']), reusableContent: Type.String() }),
  ],
  { title: 'ChangedContent' },
)

/** Something that a page or a reusable content does not show as its author meant it. The batch stored it all the same. */
export const BatchProblem = Type.Object(
  {
    page: Type.Optional(Type.String({ description: 'The id of the page' })),
    reusableContent: Type.Optional(Type.String({ description: 'The id of the reusable content' })),
    title: Type.String(),
    ...READING_PROBLEM_FIELDS,
  },
  { title: 'BatchProblem' },
)

/**
 * @param locationOf returns the URL of a page by its id
 * @param now what the page says, if a change of the batch sent blocks
 */
export function toChangedContent(
  { change, page: id, ref }: PageOutcome,
  locationOf: (page: string) => string,
  now: WrittenNow | undefined,
): Static<typeof ChangedContent> {
  if (change === 'deleted') return { object: 'deleted_page', page: id }
  const page = { object: 'page' as const, id, urls: { location: locationOf(id) } }
  if (change === 'updated') return { object: 'updated_page', page, ...now }
  return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page }
}

/**
 * The changed files and reusable contents. New files are elsewhere in the response.
 * @param address the URL of the content
 * @param writtenOf what a reusable content says, if a change of the batch sent blocks
 */
export function toChangedItems(
  items: readonly ItemOutcome[],
  address: string,
  writtenOf: (id: string) => WrittenNow | undefined,
): Static<typeof ChangedContent>[] {
  return items.flatMap((item): Static<typeof ChangedContent>[] => {
    const { change, kind, id, ref } = item
    const urls = { location: `${address}/${kind}s/${id}` }
    if (kind === 'file') {
      if (change === 'deleted') return [{ object: 'deleted_file', file: id }]
      return change === 'updated' ? [{ object: 'updated_file', file: { object: 'file', id, urls } }] : []
    }
    if (change === 'deleted') return [{ object: 'deleted_reusable_content', reusableContent: id }]
    const reusableContent = { object: 'reusable-content' as const, id, urls }
    if (change === 'updated')
      return [{ object: 'updated_reusable_content', reusableContent, ...writtenOf(id) }]
    return [{ object: 'created_reusable_content', ...(ref === undefined ? {} : { ref }), reusableContent }]
  })
}
