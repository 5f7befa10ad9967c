/** The differences between two revisions as the reader of a preview of a site sees them. */
import { withoutHiddenIn } from '../core/document/markdown/hiding-tags.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import type { Urls } from '../http/urls.ts'
import { changesBetween, type ShownDifference } from '../model/history/semantic-changes.ts'
import { readerContent } from '../model/sites/published/content/reader-content.ts'
import type { SpaceReading } from '../model/sites/published/on-reader.ts'

type PageEdited = Extract<ShownDifference, { type: 'page_edited' }>

/** Fields that the API shows to no reader. */
const UNSHOWN: ReadonlySet<PageEdited['attributes'][number]> = new Set(['condition', 'variables'])

/**
 * The changes of pages that the reader sees in both revisions, without the differences of their blocks.
 * @throws 404 if the reader does not preview the site
 */
export async function changesForReader(
  services: { db: Reader; urls: Urls },
  reading: SpaceReading,
  { before, after }: { before: Row<'revision'> | undefined; after: Row<'revision'> },
  { limit, pageId }: { limit?: number; pageId?: string },
) {
  if (!reading.open.visit.preview) throw notFound('revision')
  const to = (await readerContent(services, reading, after)).tree
  const from = before && (await readerContent(services, reading, before)).tree

  function seen(one: ShownDifference): ShownDifference | undefined {
    switch (one.type) {
      case 'page_created':
        return to.get(one.page.id) && one
      case 'page_deleted':
        return from?.get(one.page.id) && one
      case 'page_moved':
        return from?.get(one.before.id) && to.get(one.after.id) && one
      case 'page_edited': {
        const attributes = one.attributes.filter((name) => !UNSHOWN.has(name))
        const isSeen = from?.get(one.before.id) && to.get(one.after.id) && attributes.length > 0
        return isSeen ? { ...one, attributes } : undefined
      }
      default:
        return undefined
    }
  }

  const { db, urls } = services
  const query = { ...(limit === undefined ? {} : { limit }), ...(pageId === undefined ? {} : { pageId }) }
  return withoutHiddenIn(await changesBetween(db, urls, before, after, { ...query, seen }))
}
