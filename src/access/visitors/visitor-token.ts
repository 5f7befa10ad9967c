import { jose } from '../../core/runtime/libraries.ts'

/** The longest token of a visitor, in characters: with its name, a cookie has at most 4096 bytes (RFC 6265). */
const LONGEST_TOKEN = 4000

/** The claims that the token of a visitor proves, or the reason why it proves nothing. */
export type VisitorTokenReading =
  | { ok: true; claims: Record<string, unknown>; expires: Date | undefined }
  | { ok: false; reason: 'expired' | 'invalid' }

/**
 * Reads a token that a backend made for a visitor: a JWT with HS256 (RFC 7515, RFC 7519). `exp` and `nbf` are honoured.
 * No other algorithm is accepted, whatever the header of the token says.
 * @param key the private key of the site, used as UTF-8 text
 */
export async function readVisitorToken(token: string, key: string, now: Date): Promise<VisitorTokenReading> {
  if (token.length > LONGEST_TOKEN) return { ok: false, reason: 'invalid' }
  const { jwtVerify, errors } = jose()
  try {
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(key), {
      algorithms: ['HS256'],
      currentDate: now,
    })
    const { typ } = protectedHeader
    if (typ !== undefined && typ.toUpperCase() !== 'JWT') return { ok: false, reason: 'invalid' }
    const { exp } = payload
    return { ok: true, claims: payload, expires: exp === undefined ? undefined : new Date(exp * 1000) }
  } catch (error) {
    return { ok: false, reason: error instanceof errors.JWTExpired ? 'expired' : 'invalid' }
  }
}
