/** The readers of sites, and what each meets on a site by the rules of the manual. */
import type { Sees, SurfaceReader } from './reader-surfaces.ts'
import { jwt } from './reading.ts'

/** A reader, and what proves who they are. */
export interface Asking extends SurfaceReader {
  name: string
  /** What the reader may see beyond the pages for everyone; undefined if nothing proves who they are. */
  signedIn?: { pro?: boolean }
  beta?: boolean
}

/** Ten minutes from now, as a token has it. */
export const soon = () => Math.floor(Date.now() / 1000) + 600

/** The header of a client that sends the token of a visitor. */
export const bearer = (claims: object, key: string) => ({ authorization: `Bearer ${jwt(key, claims)}` })

/** Every kind of reader of a site. @param key that of its share link */
export function readersOf({ privateKey }: { privateKey: string }, key: string): Asking[] {
  const sends = (claims: object) => bearer(claims, privateKey)
  return [
    { name: 'stranger' },
    { name: 'right key', prefix: `${key}/` },
    { name: 'wrong key', prefix: `${key.slice(0, -4)}aaaa/` },
    { name: 'valid JWT', headers: sends({ exp: soon() }), signedIn: {} },
    { name: 'expired', headers: sends({ plan: 'pro', exp: soon() - 1200 }) },
    { name: 'not valid yet', headers: sends({ plan: 'pro', nbf: soon() }) },
    { name: 'signed with another key', headers: bearer({ plan: 'pro' }, 'another key') },
    { name: 'claims A', headers: sends({ plan: 'pro', exp: soon() }), signedIn: { pro: true } },
    { name: 'claims B', headers: sends({ plan: 'free', exp: soon() }), signedIn: {} },
    { name: 'undeclared claims', headers: sends({ plan: 'PRO', admin: true, exp: soon() }), signedIn: {} },
    {
      name: 'cookie A',
      headers: { cookie: `lectern-visitor=${jwt(privateKey, { plan: 'pro' })}` },
      signedIn: { pro: true },
    },
    {
      name: 'right key and claims A',
      prefix: `${key}/`,
      headers: sends({ plan: 'pro' }),
      signedIn: { pro: true },
    },
    { name: 'unsigned claims', query: '?visitor.beta=true&visitor.plan=pro', beta: true },
    {
      name: 'unsigned claims in a JWT',
      headers: sends({ unsigned: { beta: true } }),
      signedIn: {},
      beta: true,
    },
  ]
}

export const VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth', 'unpublished'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** What a reader meets: the site with these parts, or a refusal with this status. @param key that of the share link */
export function expected(
  visibility: Visibility,
  { prefix, headers, signedIn, beta }: Asking,
  key: string,
): Sees | { status: number } {
  const sees = { pro: signedIn?.pro ?? false, beta: beta ?? false }
  if (visibility === 'unpublished') return { status: 404 }
  if (visibility === 'share-link') return prefix === `${key}/` ? sees : { status: 404 }
  if (visibility === 'visitor-auth') {
    if (prefix) return { status: 302 }
    if (signedIn) return sees
    return { status: headers ? 401 : 302 }
  }
  return prefix ? { status: 302 } : sees
}
