/** Texts of a page that closed tabs could not save. */
import type { Block } from '../../../../core/document/model.ts'
import type { PagePlace } from '../../api/page-place.ts'
import type { KeptText } from './kept-text.ts'
import { readNewest, readPage, send } from './page-requests.ts'
import { savedPage, type SentEntry } from './saving.ts'
import type { OpenedPage } from './page-work.ts'

/** Sends texts. @returns the first that the server does not take */
export async function sendTexts(place: PagePlace, texts: readonly KeptText[]): Promise<KeptText | undefined> {
  let refused: KeptText | undefined
  for (const kept of texts) {
    const unsaved = kept.read()
    const isSent = !unsaved || (await send(place, unsaved).then(Boolean, () => false))
    if (isSent) kept.write(undefined)
    if (isSent || refused) kept.leave()
    else refused = kept
  }
  return refused
}

/** Opens a page with a text that an earlier session could not save. */
export async function openWith(place: PagePlace, kept: KeptText): Promise<OpenedPage> {
  const { revision, title, entries } = kept.read()!
  const base = await readPage(place, revision).catch(() => undefined)
  if (base) {
    const blocks = leftBlocks(base.blocks, entries)
    return { saved: savedPage(revision, base.title, base.blocks), title: title ?? base.title, blocks, kept }
  }
  // The server no longer has the revision, so nobody can say what changed: the texts of both are kept.
  const newest = await readNewest(place)
  const saved = savedPage(newest.revision, newest.title, newest.blocks)
  return { saved, title: title ?? newest.title, blocks: withEntries(newest.blocks, entries), kept }
}

/** The blocks that entries stand for. */
function leftBlocks(base: readonly Block[], entries: readonly SentEntry[]): Block[] {
  const byKey = new Map(base.map((block) => [block.key, block]))
  return entries.flatMap((one) => ('keep' in one ? (byKey.get(one.keep) ?? []) : [one]))
}

/** A page with the blocks that were sent for an earlier version of it: each that differs follows what it was. */
function withEntries(newest: readonly Block[], entries: readonly SentEntry[]): Block[] {
  const blocks = [...newest]
  let at = 0
  for (const one of entries) {
    const key = 'keep' in one ? one.keep : one.key
    const known = key === undefined ? -1 : blocks.findIndex((block) => block.key === key)
    if (known >= 0) at = known + 1
    if (!('keep' in one)) blocks.splice(at++, 0, one)
  }
  return blocks
}
