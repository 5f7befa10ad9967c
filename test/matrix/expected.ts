/** A second implementation of docs/access.md that does not use `src/access`, so that one checks the other. */
import assert from 'node:assert/strict'

/** The facts about a caller that the rules need. */
export interface Standing {
  /** True for a valid token. */
  token: boolean
  /** True if the token is read-only. */
  readOnly: boolean
  /** True if the session is limited to another organization, whose identity provider opened it. */
  limited?: boolean
  /** True for an enabled member or guest of the organization. */
  member: boolean
  /** The role in the organization; null is a guest. */
  role: string | null
  /** The direct grant on the space, collection or site of the path; null is "no access". */
  granted?: string | null
}

/** The facts about the resource of a request that the rules need. */
export interface Names {
  /** True if it is the caller. */
  self?: boolean
  /** True if the caller owns the team. */
  owner?: boolean
  /** The resource that the body or the invite names, unless it is the organization. */
  leadsTo?: 'space' | 'collection'
}

/** The expected status, with the permission that a 403 names. */
export type Verdict = 'allowed' | 400 | 401 | 404 | { status: 403; permission: string | undefined }

const LADDER = ['read', 'comment', 'edit', 'review', 'create', 'admin']

/** The expected response of a route, from the requirements that it declares. A POST that only reads counts as a GET. */
export function verdict(needs: string, method: string, caller: Standing, names: Names = {}): Verdict {
  if (needs === 'anyone') return 'allowed'
  if (!caller.token) return 401
  if (caller.readOnly && method !== 'GET') return { status: 403, permission: undefined }
  if (needs === 'token') return 'allowed'
  if (needs === 'account') return caller.limited ? { status: 403, permission: undefined } : 'allowed'
  if (needs === 'administrator of the installation')
    return caller.member && caller.role === 'admin' ? 'allowed' : { status: 403, permission: undefined }
  return onThing(needs, caller, names)
}

/** The expected response for an authenticated caller to a resource that requires a permission. */
export function onThing(needs: string, caller: Standing, names: Names = {}): Verdict {
  const [, subject = '', needed = '', also = ''] = /^(\w+): (\w+)(?:, or (.+))?$/.exec(needs) ?? []
  if (subject === 'user' && needed === 'self' && names.self && caller.limited)
    return { status: 403, permission: undefined }
  if (!caller.member) return subject === 'user' && names.self ? 'allowed' : 404
  const refused: Verdict = { status: 403, permission: needed }

  switch (subject) {
    case 'user':
      return names.self || needed === 'member' ? 'allowed' : refused
    case 'organization':
      if (also === 'oneself' && names.self) return 'allowed'
      if (also.startsWith('create on the ') && names.leadsTo)
        return onThing(`${names.leadsTo}: create`, withoutGrant(caller))
      return needed === 'member' || reaches(caller.role, needed) ? 'allowed' : refused
    case 'people':
      // Guests cannot name members whom they cannot see.
      return caller.role === null ? 404 : 'allowed'
    case 'specification':
      // Guests name no specifications but those that the space shows.
      return caller.role === null ? 404 : 'allowed'
    case 'team':
      if (caller.role === null && !names.owner) return 404
      if (needed === 'read') return 'allowed'
      return caller.role === 'admin' || (needed === 'owner' && names.owner) ? 'allowed' : refused
    case 'space':
    case 'site':
    case 'collection': {
      const direct = caller.role === 'admin' ? 'admin' : caller.granted
      const role = direct === undefined ? caller.role : direct
      if (role === null) return 404
      return reaches(role, needed) ? 'allowed' : refused
    }
    default:
      return assert.fail(`No rule is known for "${needs}": add it here, according to docs/access.md`)
  }
}

/** The response for a resource in the body: 400 instead of 404 if the caller cannot see it. */
export const inBody = (onIt: Verdict): Verdict => (onIt === 404 ? 400 : onIt)

/** Requests that need permission on something other than the resource of the path. */
export function withoutGrant({ granted: _granted, ...standing }: Standing): Standing {
  return standing
}

const reaches = (role: string | null, needed: string) =>
  role !== null && LADDER.includes(needed) && LADDER.indexOf(role) >= LADDER.indexOf(needed)
