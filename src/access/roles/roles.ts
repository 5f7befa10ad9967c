import type { DefaultLevel, Role } from '../../db/schema.ts'

const POWER: Record<Role, number> = { read: 1, comment: 2, edit: 3, review: 4, create: 5, admin: 6 }

/** Every role, the most powerful first. */
export const ROLES: readonly Role[] = ['admin', 'create', 'review', 'edit', 'comment', 'read']

/** Whether a role, or its absence, gives at least what `needed` gives. */
export function atLeast(role: Role | null, needed: Role): boolean {
  return role !== null && POWER[role] >= POWER[needed]
}

/** The higher of two roles; null is no access. */
export function higher(a: Role | null, b: Role | null): Role | null {
  if (a === null || b === null) return a ?? b
  return POWER[a] >= POWER[b] ? a : b
}

/** The lower of two roles; null, no access, is lower than any. */
export function lower(a: Role | null, b: Role | null): Role | null {
  return higher(a, b) === a ? b : a
}

/** The access settings of a space or collection. */
export interface Level {
  defaultLevel: DefaultLevel
  /** Roles granted on it to the user or to the user's teams; null is an explicit "no access". */
  grants: (Role | null)[]
}

/** The setting that decided a role. `step` is its place in the chain; the space or collection itself is 0. */
export type Decision =
  | { by: 'administrator' }
  | { by: 'grant'; step: number }
  | { by: 'defaultLevel'; step: number }
  | { by: 'organization' }

/**
 * The role of a member on a space or collection; null is none. The nearest setting decides, not the highest role.
 * @param organizationRole the member's role in the organization; null for a guest
 * @param chain the space or collection itself, then its parents up to the top
 */
export function effectiveRole(organizationRole: Role | null, chain: readonly Level[]): Role | null {
  return decideRole(organizationRole, chain).role
}

/** The effective role, and the setting that decided it. */
export function decideRole(
  organizationRole: Role | null,
  chain: readonly Level[],
): { role: Role | null; decision: Decision } {
  if (organizationRole === 'admin') return { role: 'admin', decision: { by: 'administrator' } }

  for (const [step, { defaultLevel, grants }] of chain.entries()) {
    if (grants.length > 0) return { role: grants.reduce(higher, null), decision: { by: 'grant', step } }
    if (defaultLevel === 'inherit') continue
    return {
      role: organizationRole === null ? null : defaultLevel,
      decision: { by: 'defaultLevel', step },
    }
  }
  return { role: organizationRole, decision: { by: 'organization' } }
}

/** The parent and the default level of a space or collection. */
export interface AccessPlace {
  parent: string | null
  defaultLevel: DefaultLevel
}

/** The role of a member on each of the collections of an organization. */
export function rolesOnCollections(
  organizationRole: Role | null,
  collections: (AccessPlace & { id: string })[],
  grants: { targetId: string; role: Role | null }[],
): Map<string, Role | null> {
  const levels = new Map(collections.map((collection) => [collection.id, collection]))
  const granted = Map.groupBy(grants, ({ targetId }) => targetId)
  const roles = new Map<string, Role | null>()

  const roleOn = ({ id, parent, defaultLevel }: AccessPlace & { id: string }): Role | null => {
    const known = roles.get(id)
    if (known !== undefined) return known
    const own = (granted.get(id) ?? []).map(({ role }) => role)
    const above = own.length === 0 && defaultLevel === 'inherit' && parent ? levels.get(parent) : undefined
    const role = above ? roleOn(above) : effectiveRole(organizationRole, [{ defaultLevel, grants: own }])
    roles.set(id, role)
    return role
  }
  for (const collection of collections) roleOn(collection)
  return roles
}

/** The role of a member on a space of the organization, from their roles on its collections. */
export function roleOnSpace(
  organizationRole: Role | null,
  roles: Map<string, Role | null>,
  { parent, defaultLevel }: AccessPlace,
  granted: { role: Role | null }[] = [],
): Role | null {
  const grants = granted.map(({ role }) => role)
  if (grants.length === 0 && defaultLevel === 'inherit' && parent !== null) return roles.get(parent) ?? null
  return effectiveRole(organizationRole, [{ defaultLevel, grants }])
}

/** The roles that give at least what `needed` gives. */
export function rolesFrom(needed: Role): Role[] {
  return ROLES.filter((role) => atLeast(role, needed))
}

/**
 * The `permissions` of an organization for a member with this role, or for a user who is not a member.
 * @param ownsTeam whether the member owns one of its teams; administrators manage all teams
 */
export function organizationPermissions(standing: Role | null | 'outsider', ownsTeam: boolean) {
  const role = standing === 'outsider' ? null : standing
  const admin = role === 'admin'
  const create = atLeast(role, 'create')
  return {
    view: standing !== 'outsider',
    access: standing !== 'outsider',
    admin,
    ownTeam: admin || ownsTeam,
    createContent: create,
    createOpenAPISpec: create,
    ingestConversations: false,
    viewBilling: admin,
    listMembers: role !== null,
    listTeams: role !== null,
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  }
}

/** The `permissions` of a site for a member of its organization; null for a guest or a reader of the site. */
export function sitePermissions(role: Role | null) {
  const create = atLeast(role, 'create')
  return {
    view: true,
    access: role !== null,
    edit: create,
    create,
    admin: create,
    installIntegration: false,
    viewAdaptiveSchema: role !== null,
    editAdaptiveSchema: create,
  }
}

/**
 * The `permissions` of a team. Administrators of the organization and owners of the team manage its members. Guests see
 * only the teams that they own.
 */
export function teamPermissions(role: Role | null, teamRole: 'owner' | 'member' | null) {
  const admin = role === 'admin' || teamRole === 'owner'
  return { admin, view: admin || atLeast(role, 'read') }
}

/** The `permissions` of a space for a caller with this role. A locked space does not matter, because change requests edit it. */
export function spacePermissions(role: Role | null) {
  return {
    view: atLeast(role, 'read'),
    access: atLeast(role, 'read'),
    admin: atLeast(role, 'create'),
    viewInviteLinks: atLeast(role, 'create'),
    edit: atLeast(role, 'edit'),
    triggerGitSync: atLeast(role, 'create'),
    comment: atLeast(role, 'comment'),
    merge: atLeast(role, 'review'),
    review: atLeast(role, 'review'),
    installIntegration: false,
  }
}

/** The role that each operation on a comment or a reply requires; null: nobody can edit another member's text. */
export function commentNeeds(own: boolean) {
  return {
    view: 'read',
    edit: own ? 'comment' : null,
    delete: own ? 'comment' : 'admin',
    reply: 'comment',
    resolve: own ? 'comment' : 'review',
  } as const
}

/** The `permissions` of a comment or a reply for a caller with this role on its space. */
export function commentPermissions(role: Role | null, own: boolean) {
  const needs = commentNeeds(own)
  return {
    view: atLeast(role, needs.view),
    edit: needs.edit !== null && atLeast(role, needs.edit),
    delete: atLeast(role, needs.delete),
    reply: atLeast(role, needs.reply),
  }
}

/** The `permissions` of a collection for a caller with this role. */
export function collectionPermissions(role: Role | null) {
  const create = atLeast(role, 'create')
  return { view: atLeast(role, 'read'), admin: create, viewInviteLinks: create, create }
}
