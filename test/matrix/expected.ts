/** What ACCESS.md promises, written a second time and without a look at `src/access`, so that one checks the other. */
import assert from 'node:assert/strict'

/** Whoever calls, as far as the rules ask. */
export interface Standing {
  /** With a valid token. */
  token: boolean
  /** Whether the token can only read. */
  readOnly: boolean
  /** In the organization, and not disabled there. */
  member: boolean
  /** In the organization; null is a guest. */
  role: string | null
  /** What was granted directly on the space or collection that the address names; null is "no access". */
  granted?: string | null
}

/** What a request names, as far as the rules ask. */
export interface Names {
  /** The caller is the user that it names. */
  self?: boolean
  /** The caller owns the team that it names. */
  owner?: boolean
  /** What its body or its invite leads to, if that is not the organization. */
  leadsTo?: 'space' | 'collection'
}

/** What a caller is told: all is well, or why not, with the permission that a 403 names. */
export type Verdict = 'allowed' | 401 | 404 | { status: 403; permission: string | undefined }

const LADDER = ['read', 'comment', 'edit', 'review', 'create', 'admin']

/** What a route answers a caller, from what it declares that it needs. */
export function verdict(needs: string, method: string, caller: Standing, names: Names = {}): Verdict {
  if (needs === 'anyone') return 'allowed'
  if (!caller.token) return 401
  if (caller.readOnly && method !== 'GET') return { status: 403, permission: undefined }
  if (needs === 'token') return 'allowed'
  return onThing(needs, caller, names)
}

/** What a caller who may come in at all is told of a thing that needs a permission. */
export function onThing(needs: string, caller: Standing, names: Names = {}): Verdict {
  const [, subject = '', needed = '', also = ''] = /^(\w+): (\w+)(?:, or (.+))?$/.exec(needs) ?? []
  if (!caller.member) return subject === 'user' && names.self ? 'allowed' : 404
  const refused: Verdict = { status: 403, permission: needed }

  switch (subject) {
    case 'user':
      return names.self || needed === 'member' ? 'allowed' : refused
    case 'organization':
      if (also === 'oneself' && names.self) return 'allowed'
      if (also === 'create on what it leads to' && names.leadsTo)
        return onThing(`${names.leadsTo}: create`, withoutGrant(caller))
      return needed === 'member' || reaches(caller.role, needed) ? 'allowed' : refused
    case 'site':
      if (caller.role === null) return 404
      return reaches(caller.role, needed) ? 'allowed' : refused
    case 'people':
      // Whom a guest does not see cannot be named by them.
      return caller.role === null ? 404 : 'allowed'
    case 'team':
      if (caller.role === null && !names.owner) return 404
      if (needed === 'read') return 'allowed'
      return caller.role === 'admin' || (needed === 'owner' && names.owner) ? 'allowed' : refused
    case 'space':
    case 'collection': {
      const direct = caller.role === 'admin' ? 'admin' : caller.granted
      const role = direct === undefined ? caller.role : direct
      if (role === null) return 404
      return reaches(role, needed) ? 'allowed' : refused
    }
    default:
      return assert.fail(`No rule is known for "${needs}": write it here, from ACCESS.md`)
  }
}

/** Where something else is asked for than what the address names. */
export function withoutGrant({ granted: _granted, ...standing }: Standing): Standing {
  return standing
}

const reaches = (role: string | null, needed: string) =>
  role !== null && LADDER.includes(needed) && LADDER.indexOf(role) >= LADDER.indexOf(needed)
