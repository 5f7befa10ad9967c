import { isRecord } from '../../core/data/is-record.ts'
import type { Sealing } from '../../http/route.ts'

const HOUR_MS = 3_600_000
/** The query parameter that carries the token of a preview. */
export const PREVIEW_PARAMETER = 'preview'
const PURPOSE = 'site preview'

/** A preview token: its holder sees a site as a visitor with these claims, with the rights of a member. */
export interface Preview {
  siteId: string
  /** The member who created it. Its holder sees only what that member may see. */
  userId: string
  claims: Record<string, unknown>
  /** The look that the preview shows in place of the saved one. */
  look?: PreviewedLook | undefined
}

/** Changes to the settings of a site, or of one of its spaces, that nobody has saved. */
export interface PreviewedLook {
  /** The site space; empty for the whole site. */
  siteSpaceId: string
  changes: Record<string, unknown>
}

/** A token that is valid for an hour. It is stored nowhere. */
export function previewToken(
  sealing: Sealing,
  { siteId, userId, claims, look, now }: Preview & { now: Date },
): string {
  return sealing.seal(JSON.stringify([siteId, userId, claims, now.getTime() + HOUR_MS, look]), PURPOSE)
}

/** Reads the token of a preview. @returns undefined if it is not valid, or no longer; `until` is in milliseconds */
export function readPreviewToken(
  sealing: Sealing,
  token: string,
  now: Date,
): (Preview & { until: number }) | undefined {
  const text = sealing.open(token, PURPOSE)
  if (text === undefined) return undefined
  type Sealed = [string, string, unknown, number, (PreviewedLook | null)?]
  const [siteId, userId, claims, until, look] = JSON.parse(text) as Sealed
  if (until <= now.getTime() || !isRecord(claims)) return undefined
  return { siteId, userId, claims, until, ...(look ? { look } : {}) }
}
