/** Makes the parts of an EPUB in a thread, and measures the time that each takes. */
import { makeImage } from '../core/epub/images.ts'
import type { EpubImage, EpubPageFile, EpubPageTask } from '../core/epub/model.ts'
import { describeBook, type DescribeTask } from '../core/epub/package.ts'
import { settleLinks, type SettleTask } from '../core/epub/settle.ts'
import type { ArchivedFile } from '../core/zip/zip.ts'
import { colouredEpubPage } from './epub-page.ts'

/** What a thread has made, and the time that it took, in milliseconds. */
export interface Measured<R> {
  made: R
  ms: number
}

export const measuredPage = (task: EpubPageTask): Promise<Measured<EpubPageFile>> =>
  measured(() => colouredEpubPage(task))

export const measuredLinks = (task: SettleTask): Promise<Measured<EpubPageFile>> =>
  measured(() => settleLinks(task))

export const measuredImage = (bytes: Uint8Array): Promise<Measured<EpubImage>> =>
  measured(() => makeImage(bytes))

export const measuredDescription = (task: DescribeTask): Promise<Measured<Map<string, ArchivedFile>>> =>
  measured(() => describeBook(task))

async function measured<R>(make: () => R | Promise<R>): Promise<Measured<R>> {
  const since = performance.now()
  const made = await make()
  return { made, ms: performance.now() - since }
}
