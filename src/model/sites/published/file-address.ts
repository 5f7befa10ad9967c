import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Sealing } from '../../../http/route.ts'

/** Signed addresses that are made in the same period expire together, so that pages with them can be cached. */
const PERIOD_MS = 12 * 3_600_000
const SIGNATURE_LENGTH = 22
const PURPOSE = 'file addresses'
const KEY_NAME_LENGTH = 8

/** Marks the address of a file in a preview, which may be that of a site that is not published. */
export const PREVIEW_FILES = 'preview'

/**
 * Signs addresses of the files of a site that not everyone may see. A signed address works for 12 to 24 hours without a
 * cookie, because browsers send none with the images of a page in an opaque origin, and other clients send their token
 * only with what they ask for themselves.
 */
export function fileSigner(sealing: Sealing, siteId: string, now: Date, of?: typeof PREVIEW_FILES) {
  const until = (Math.floor(now.getTime() / PERIOD_MS) + 2) * PERIOD_MS
  const period = until.toString(36)
  const key = sealing.derive(PURPOSE)
  return {
    /** Distinguishes the addresses that are made now from those that expire earlier, or that another secret signed. */
    period: `${period} ${hash('sha256', key, 'base64url').slice(0, KEY_NAME_LENGTH)}`,
    signFile(file: string): string {
      const signature = signatureOf(key, [siteId, file, period, of ?? ''])
      return `?until=${period}${of === undefined ? '' : `&of=${of}`}&signature=${signature}`
    },
  }
}

/** When the signed address of a file expires; undefined if it is not signed, or has expired. */
export function expiryOf(
  sealing: Sealing,
  siteId: string,
  file: string,
  query: URLSearchParams,
  now: Date,
): Date | undefined {
  const period = query.get('until') ?? ''
  const until = Number.parseInt(period, 36)
  if (!(until > now.getTime())) return undefined
  const given = Buffer.from(query.get('signature') ?? '')
  const isSigned = sealing.deriveAll(PURPOSE).some((key) => {
    const expected = Buffer.from(signatureOf(key, [siteId, file, period, query.get('of') ?? '']))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned ? new Date(until) : undefined
}

function signatureOf(key: string, parts: string[]): string {
  return createHmac('sha256', key).update(parts.join(' ')).digest('base64url').slice(0, SIGNATURE_LENGTH)
}
