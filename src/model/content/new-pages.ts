import { documentHash, gitObjectId } from '../../core/content/hash.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { spread } from '../../core/content/tree/order.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { commitRevision, needRevision } from './commit.ts'
import { storeDocuments } from './documents/stored-document.ts'

/** A page that is written into a new space. */
export interface NewPage extends Pick<PageRecord, 'title' | 'emoji' | 'description'> {
  /** The path in the repository. A page is below the `README.md` of its folder. */
  file: string
  source: string
}

/** The path of the page above: the `README.md` of the folder, or for such a file, of the folder around it. */
function fileAbove(file: string): string | undefined {
  const folders = file.split('/').slice(0, -1)
  if (file.endsWith('README.md')) folders.pop()
  return folders.length === 0 ? undefined : `${folders.join('/')}/README.md`
}

/** The last part of the address of a page: the name of its file, or of the folder for a `README.md`. */
function slugOfFile(file: string): string {
  const [name = '', folder = 'readme'] = file.split('/').toReversed()
  return name === 'README.md' ? folder : name.replace(/\.md$/, '')
}

/** Writes pages into a new, empty space, in their order. */
export async function writeNewPages(
  tx: Tx,
  space: Row<'space'>,
  pages: readonly NewPage[],
  { message, userId, now, newId }: { message: string; userId: string; now: Date; newId: () => string },
): Promise<void> {
  const at = now.toISOString()
  const orders = spread(pages.length)
  const ids = new Map(pages.map(({ file }) => [file, newId()]))
  const records = pages.map(({ file, source, ...fields }, i): [string, PageRecord] => {
    const id = ids.get(file) ?? newId()
    const parent = ids.get(fileAbove(file) ?? '') ?? null
    const body = { document: documentHash(source), oid: gitObjectId(Buffer.from(source)), file }
    const place = { parent, order: orders[i] ?? '', slug: slugOfFile(file) }
    return [id, { id, type: 'document', ...fields, ...place, ...body, createdAt: at, updatedAt: at }]
  })
  await storeDocuments(tx, space.id, new Map(pages.map(({ source }) => [documentHash(source), source])))
  const parent = await needRevision(tx, space.id, space.revisionId)
  await commitRevision(
    tx,
    parent,
    { pages: new Map(records) },
    { id: newId(), type: 'edits', message, userId, now },
  )
}
