import { createHash } from 'node:crypto'

/** The address of a document, derived from its source: 40 characters of `[0-9a-f]`. */
export function documentHash(source: string): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 40)
}

/** The git object id of these bytes. */
export function gitObjectId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
