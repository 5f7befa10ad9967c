import { sql } from 'kysely'
import { type Reaching, withinReach } from '../../access/roles/reached.ts'
import type { Reader } from '../../db/schema.ts'
import { listsDomain } from '../places/organization.ts'
import { activeProviders, isActive } from './identity-provider.ts'

const MOST_OPTIONS = 10
const MOST_GUARDED = 50

/** A button of the sign-in page: a way to sign in with the identity provider of an organization. */
export interface SignInOption {
  /** The name of the provider. */
  title: string
  /** The path at which signing in starts. */
  startUrl: string
}

/**
 * The identity providers for the domain of an e-mail address. They depend on the domain alone, so that nobody learns
 * which addresses have accounts. An organization can list any domain, and its provider could ask people for the password
 * of another service: so it counts only if one of its administrators has proved to have an address of the domain, or if
 * there is no other organization.
 * @param next where to go after signing in
 */
export async function signInOptions(db: Reader, email: string, next: string): Promise<SignInOption[]> {
  const domain = email.toLowerCase().split('@').at(-1) ?? ''
  if (!/^[a-z0-9.-]{1,253}$/.test(domain) || !email.includes('@')) return []
  const rows = await db
    .selectFrom('identityProvider')
    .innerJoin('organization', 'organization.id', 'identityProvider.organizationId')
    .selectAll('identityProvider')
    .where(listsDomain(domain))
    .where((eb) =>
      eb.or([
        eb(eb.selectFrom('organization').select(eb.fn.countAll<number>().as('count')), '=', 1),
        eb.exists(
          eb
            .selectFrom('member')
            .innerJoin('user', 'user.id', 'member.userId')
            .innerJoin('account', 'account.userId', 'member.userId')
            .select('member.userId')
            .whereRef('member.organizationId', '=', 'organization.id')
            .where('member.role', '=', 'admin')
            .where('member.disabled', '=', 0)
            .where('account.emailVerifiedAt', 'is not', null)
            .where(sql`"user"."email"`, 'like', `%@${domain}`),
        ),
      ]),
    )
    .orderBy('identityProvider.id')
    .limit(MOST_OPTIONS)
    .execute()
  return rows.filter(isActive).map(({ id, label }) => ({
    title: label,
    startUrl: startPath(id, next),
  }))
}

/** An organization that requires single sign-on. */
export interface GuardedOrganization {
  id: string
  title: string
  /** Where a member can sign in. */
  options: SignInOption[]
}

/** The organizations of a user that are closed to their session because they require single sign-on, oldest first. */
export async function closedOrganizations(db: Reader, me: Reaching): Promise<GuardedOrganization[]> {
  return me.ownSignIn ? guardedOrganizations(db, me) : []
}

/**
 * The organizations of a user that require single sign-on, oldest first. In a session that is limited to an organization,
 * only this one.
 * @param next where to go after signing in; by default, to the organization
 */
export async function guardedOrganizations(
  db: Reader,
  me: Reaching,
  next?: string,
): Promise<GuardedOrganization[]> {
  const guarded = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.title'])
    .where('member.userId', '=', me.userId)
    .where('member.disabled', '=', 0)
    .where('organization.sso', '=', 1)
    .where(withinReach(me, 'organization.id'))
    .orderBy('organization.id')
    .limit(MOST_GUARDED)
    .execute()
  if (guarded.length === 0) return []

  const ids = guarded.map(({ id }) => id)
  const providers = await activeProviders(db)
    .select(['id', 'label', 'organizationId'])
    .where('organizationId', 'in', ids)
    .orderBy('id')
    .execute()
  const byOrganization = Map.groupBy(providers, ({ organizationId }) => organizationId)
  return guarded.map(({ id, title }) => ({
    id,
    title,
    options: (byOrganization.get(id) ?? [])
      .slice(0, MOST_OPTIONS)
      .map((one) => ({ title: one.label, startUrl: startPath(one.id, next ?? `/app/o/${id}`) })),
  }))
}

/** @param next where to go after signing in */
const startPath = (providerId: string, next: string) => `/sso/${providerId}?next=${encodeURIComponent(next)}`
