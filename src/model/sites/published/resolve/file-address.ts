import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../../../core/data/is-record.ts'
import type { ReaderProof, Sealing } from '../../../../http/route.ts'

/** Signed addresses that are made in the same period expire together, so that pages with them can be cached. */
const PERIOD_MS = 3_600_000
/** The end of what a reader proved is rounded up to this, so that readers whose tokens end at about the same time share pages. */
const STEP_MS = 5 * 60_000
const SIGNATURE_LENGTH = 22
const PURPOSE = 'file addresses'
/** A longer text in an address was not made here: it has the claims of a reader, which a site token bounds too. */
export const LONGEST_SEALED_READER = 12_000

/** Signs the addresses of files for one reader. */
export interface FileSigner {
  /** Differs between addresses that work for other readers, or until another time. */
  version: string
  signFile: (file: string) => string
}

/**
 * Signs addresses of the files of a site that not everyone may see. A signed address works for one to two hours without a
 * cookie, because browsers send none with the images of a page in an opaque origin, and other clients send their token
 * only with what they ask for themselves. It has what its reader proved, encrypted, so that each request for the file
 * is decided as one for a page is. Equal readers get equal addresses, in all processes.
 * @param expires when what the reader proved ends, if that is earlier
 */
export function fileSigner(
  sealing: Sealing,
  siteId: string,
  proof: ReaderProof,
  { now, expires }: { now: Date; expires: Date | undefined },
): FileSigner {
  const period = (Math.floor(now.getTime() / PERIOD_MS) + 2) * PERIOD_MS
  const until = Math.min(period, Math.ceil((expires?.getTime() ?? Infinity) / STEP_MS) * STEP_MS)
  const reader = sealing.sealAlike(JSON.stringify([until, proof]), purposeOf(siteId))
  const key = sealing.derive(PURPOSE)
  return {
    version: hash('sha256', reader, 'base64url').slice(0, SIGNATURE_LENGTH),
    signFile: (file) => `?reader=${reader}&signature=${signatureOf(key, [siteId, file, reader])}`,
  }
}

/** What the reader proved for whom the address of a file was signed; undefined if it is not signed, or has expired. */
export function readerOfAddress(
  sealing: Sealing,
  siteId: string,
  file: string,
  query: URLSearchParams,
  now: Date,
): { proof: ReaderProof; expires: Date } | undefined {
  const reader = query.get('reader') ?? ''
  if (reader.length > LONGEST_SEALED_READER) return undefined
  const given = Buffer.from(query.get('signature') ?? '')
  const isSigned = sealing.deriveAll(PURPOSE).some((key) => {
    const expected = Buffer.from(signatureOf(key, [siteId, file, reader]))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  const text = isSigned ? sealing.open(reader, purposeOf(siteId)) : undefined
  if (text === undefined) return undefined
  const [until, proof] = JSON.parse(text) as [number, ReaderProof]
  return until > now.getTime() && isRecord(proof) ? { proof, expires: new Date(until) } : undefined
}

const purposeOf = (siteId: string) => `${PURPOSE} ${siteId}`

function signatureOf(key: string, parts: string[]): string {
  return createHmac('sha256', key).update(parts.join(' ')).digest('base64url').slice(0, SIGNATURE_LENGTH)
}
