import type { JWTPayload } from 'jose'
import { isRecord } from '../../core/data/is-record.ts'
import { jose } from '../../core/runtime/libraries.ts'
import type { ReaderProof, Sealing, SiteReader } from '../../http/route.ts'

const PURPOSE = 'site tokens'
const DAY_MS = 24 * 3_600_000
/** A token is valid for so long after the UTC day of which it is. */
const AFTER_DAY_MS = 5 * 60_000
/** The longest site token, in characters: clients keep it in paths and cookies. */
export const LONGEST_SITE_TOKEN = 12_000
/** The claims of a reader whose JSON is longer do not fit into a token, in characters. */
export const LONGEST_CLAIMS_JSON = 4000
/** A token lists at most so many spaces. What its reader may see does not depend on the list. */
const MOST_SPACES = 100

/** The place on a site for which a token is made. */
export interface SiteTokenPlace {
  siteSpace: string
  siteSection?: string
  space: string
  /** The spaces that the reader may see. */
  spaces: string[]
}

/**
 * A token with which a reader of a site reads it by the API: a JWT with HS256 (RFC 7519). It is the same text for the same
 * reader, place and UTC day, because clients cache by it.
 * @param expires when what the reader has proved ends, if that is before the day does
 */
export async function signSiteToken(
  sealing: Sealing,
  { organizationId, siteId, proof }: Omit<SiteReader, 'expires'>,
  { siteSpace, siteSection, space, spaces }: SiteTokenPlace,
  { now, expires }: { now: Date; expires: Date | undefined },
): Promise<string> {
  const { claims, keyHash, signedBy, preview } = proof
  const endOfDay = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS + AFTER_DAY_MS
  const exp = Math.floor(Math.min(endOfDay, expires?.getTime() ?? Infinity) / 1000)
  const payload = {
    kind: 'site',
    organization: organizationId,
    site: siteId,
    siteSpace,
    ...(siteSection === undefined ? {} : { siteSection }),
    space,
    spaces: spaces.slice(0, MOST_SPACES),
    ...(JSON.stringify(claims) === '{"unsigned":{}}' ? {} : { claims }),
    ...(keyHash === undefined ? {} : { keyHash }),
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(preview === undefined ? {} : { preview }),
    exp,
  }
  const key = new TextEncoder().encode(sealing.derive(PURPOSE))
  return new (jose().SignJWT)(payload).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
}

/** Reads a site token; undefined if it is none, was made by another installation, or has expired. */
export async function readSiteToken(
  sealing: Sealing,
  token: string,
  now: Date,
): Promise<SiteReader | undefined> {
  if (token.length > LONGEST_SITE_TOKEN || !isJwt(token)) return undefined
  try {
    const {
      kind,
      organization,
      site,
      claims,
      keyHash,
      signedBy,
      preview,
      exp = 0,
    } = await verified(token, sealing.deriveAll(PURPOSE), now)
    if (kind !== 'site' || typeof organization !== 'string' || typeof site !== 'string') return undefined
    const unsigned = isRecord(claims) && isRecord(claims.unsigned) ? claims.unsigned : {}
    const proof: ReaderProof = {
      claims: isRecord(claims) ? { ...claims, unsigned } : { unsigned },
      ...(typeof keyHash === 'string' ? { keyHash } : {}),
      ...(typeof signedBy === 'string' ? { signedBy } : {}),
      ...(typeof preview === 'string' ? { preview } : {}),
    }
    return { organizationId: organization, siteId: site, proof, expires: new Date(exp * 1000) }
  } catch {
    // The signature, the algorithm or the time is wrong, or it is no JWT.
    return undefined
  }
}

/** Whether a text has the form of a JWT. API tokens have no dots. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** The payload of a JWT that one of the keys signed. @throws if none did, or if it has expired */
async function verified(token: string, keys: readonly string[], now: Date): Promise<JWTPayload> {
  const { jwtVerify, errors } = jose()
  for (const key of keys) {
    try {
      const read = await jwtVerify(token, new TextEncoder().encode(key), {
        algorithms: ['HS256'],
        currentDate: now,
        requiredClaims: ['exp'],
      })
      return read.payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
