import { readConfig } from '../installation/config.ts'
import { limitPageBytes } from '../core/document/shape/limits.ts'
import { openDatabase } from '../db/open.ts'
import { indexAgain } from '../model/search/space-index.ts'
import { UsageError } from './usage.ts'
import { printLines } from './print.ts'

/** Makes the search indexes of all spaces again, or that of one. A server can run meanwhile: it uses the ones before. */
export async function reindexCommand([spaceId, ...rest]: string[]): Promise<void> {
  if (rest.length > 0) throw new UsageError('Name at most one space: lectern reindex [<space>]')
  const config = readConfig(process.env)
  limitPageBytes(config.maxPage)
  const db = await openDatabase(config)
  try {
    const spaces = await db.read
      .selectFrom('space')
      .select(['id', 'title'])
      .$if(spaceId !== undefined, (some) => some.where('id', '=', spaceId ?? ''))
      .orderBy('id')
      .execute()
    if (spaceId !== undefined && spaces.length === 0) throw new UsageError(`There is no space "${spaceId}"`)
    for (const { id, title } of spaces) {
      const pages = await indexAgain(db, id)
      printLines(`${id}: ${pages} pages of "${title}" are indexed`)
    }
  } finally {
    await db.close()
  }
}
