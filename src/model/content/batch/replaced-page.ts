/**
 * The pages and reusable contents of replaced revisions, so that writes can be based on them after their content is deleted. A page is stored
 * as its difference from the same page of the revision before the burst: compressed, with that page as the dictionary.
 */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import type { PageRecord, ReusableRecord } from '../../../core/content/revision.ts'

/** Only the sweeping of bursts packs, which is a job: a process takes one thread of libuv for it at a time. */
const compress = promisify(zstdCompress)

/** A page or reusable content in one revision; a revision without it has neither. */
export interface PageState {
  record: PageRecord | ReusableRecord | null
  source: string
}

/**
 * The window covers the largest page twice, as the dictionary and as the text. Lower levels than 3 miss most of what two
 * large texts have in common; 6 takes no longer.
 */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 6, [constants.ZSTD_c_windowLog]: 22 }
/** More than the JSON of any page, so that nothing else is ever read. */
const MOST_BYTES = 32 * 1024 * 1024

const bytesOf = ({ record, source }: PageState): Buffer => Buffer.from(JSON.stringify([record, source]))

/** The difference of a page from what it was before. */
export function packPage(before: PageState, after: PageState): Promise<Uint8Array> {
  return compress(bytesOf(after), { params: PARAMETERS, dictionary: bytesOf(before) })
}

/**
 * The page that `packPage` packed, made from the same state before. Any number of requests can unpack, so they take none
 * of libuv's threads: decompressing takes no longer than reading the JSON, about 2 ms for the largest page.
 */
export function unpackPage(before: PageState, data: Uint8Array): PageState {
  const json = zstdDecompressSync(data, { dictionary: bytesOf(before), maxOutputLength: MOST_BYTES })
  const [record, source] = JSON.parse(json.toString()) as [PageState['record'], string]
  return { record, source }
}
