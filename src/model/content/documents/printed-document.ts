/** Documents as Markdown. */
import type { Document } from '../../../core/document/model.ts'
import { printDocument } from '../../../core/document/print.ts'
import type { Reader } from '../../../db/schema.ts'
import { invalid } from '../../../http/errors.ts'
import { inThread, type TaskKind, tookTooMuch } from '../in-thread.ts'
import { because } from '../../../core/languages/reasons.ts'

const PRINTED: TaskKind<Document, string> = {
  module: new URL('../../../core/document/print.ts', import.meta.url),
  name: 'printDocument',
  timeMs: 10_000,
}

/** In characters of JSON: printing more could delay other requests. */
const SHORT = 20_000

/**
 * The Markdown of a document that a request has sent.
 * @throws 400 if it takes too long to print, 503
 */
export async function markdownOfDocument(db: Reader, spaceId: string, document: Document): Promise<string> {
  const sources = JSON.stringify(document.nodes).length > SHORT ? 'slow' : 'quick'
  try {
    return await inThread(PRINTED, (task) => printDocument(task), document, { db, spaceId, sources })
  } catch (error) {
    throw tookTooMuch(error) ? invalid(because('convert-too-slow')) : error
  }
}
