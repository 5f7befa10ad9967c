import { append } from '../core/data/lists.ts'
import { shorten } from '../core/text/shorten.ts'
import type { Row, Tx } from '../db/schema.ts'
import type { Sealing } from '../http/route.ts'
import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import type { Signing } from '../model/audit/signing.ts'
import { setPassword } from '../model/people/account.ts'
import { insertSpace } from '../model/places/space.ts'
import { writeSample } from '../model/sites/sample.ts'
import { insertSite, touchSite } from '../model/sites/site.ts'
import { addSiteSpace } from '../model/sites/structure/site-space.ts'
import { applyProvider, type ProviderKeys } from './apply-provider.ts'
import { ConfigError } from './config.ts'
import type { Setup } from './setup-file.ts'

const LONGEST_SPACE_TITLE = 50

/** What applying a setup needs. */
export interface SetupContext {
  signing: Signing & Sealing
  now: Date
  newId: () => string
  /** The hash of the administrator's password, if the setup has one. */
  passwordHash: string | undefined
  keys: ProviderKeys
}

/**
 * Makes the first organization what a setup declares, and adds what is missing. Nothing is removed, and a password that
 * a user has set stays. @returns a line for each change; none if everything is as declared
 */
export async function applySetup(tx: Tx, setup: Setup, context: SetupContext): Promise<string[]> {
  const organization = await tx
    .selectFrom('organization')
    .selectAll('organization')
    .innerJoin('instance', 'instance.value', 'organization.id')
    .where('instance.name', '=', 'organization')
    .executeTakeFirst()
  if (!organization)
    throw new ConfigError([
      'The organization of the first start no longer exists, so no setup can be applied. Administer the others in the console',
    ])
  const changes = [
    ...(await applyOrganization(tx, organization, setup.organization ?? {}, context)),
    ...(await applyAdministrator(tx, organization.id, setup.administrator, context)),
  ]
  for (const provider of setup.signIn ?? [])
    append(
      changes,
      await applyProvider(tx, organization.id, provider, { ...context, sealing: context.signing }),
    )
  if (setup.site) append(changes, await applySite(tx, organization, setup.site, context))
  if (changes.length === 0) return []
  await appendAuditEvent(tx, context.signing, organization.id, {
    ...BY_SYSTEM,
    occurredAt: context.now.toISOString(),
    action: 'instance.set-up',
    targetType: 'organization',
    targetId: organization.id,
    targetLabel: setup.organization?.title ?? organization.title,
    payload: JSON.stringify({ after: { changes } }),
  })
  return changes
}

async function applyOrganization(
  tx: Tx,
  before: Row<'organization'>,
  { title = before.title, hostname = before.hostname }: NonNullable<Setup['organization']>,
  { now }: SetupContext,
): Promise<string[]> {
  if (title === before.title && hostname === before.hostname) return []
  const other = await tx
    .selectFrom('organization')
    .select('title')
    .where('hostname', '=', hostname)
    .where('id', '!=', before.id)
    .executeTakeFirst()
  if (other)
    throw new ConfigError([
      `organization.hostname: "${hostname}" belongs to the organization "${other.title}"; choose another name`,
    ])
  await tx
    .updateTable('organization')
    .set({ title, hostname, updatedAt: now.toISOString() })
    .where('id', '=', before.id)
    .execute()
  return [`The organization is "${title}" with the host name "${hostname}"`]
}

async function applyAdministrator(
  tx: Tx,
  organizationId: string,
  wanted: Setup['administrator'],
  { now, newId, passwordHash }: SetupContext,
): Promise<string[]> {
  if (!wanted) return []
  const { email, name } = wanted
  const changes: string[] = []
  const at = now.toISOString()
  let user = await tx.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst()
  if (!user) {
    const displayName = name ?? 'Administrator'
    user = { id: newId(), displayName, email, photoUrl: null, createdAt: at, updatedAt: at }
    await tx
      .insertInto('user')
      .values({ id: user.id, displayName, email, photoUrl: null, createdAt: at, updatedAt: at })
      .execute()
    changes.push(`The user ${email} is created`)
  }
  if (await makeAdministrator(tx, organizationId, user.id, at)) changes.push(`${email} is an administrator`)
  if (passwordHash === undefined) return changes
  const account = await tx
    .selectFrom('account')
    .select('passwordHash')
    .where('userId', '=', user.id)
    .executeTakeFirst()
  if (account?.passwordHash) return changes
  await setPassword(tx, { userId: user.id, passwordHash, verified: true, now })
  return [...changes, `${email} has a password`]
}

/** @returns whether the user was no administrator */
async function makeAdministrator(
  tx: Tx,
  organizationId: string,
  userId: string,
  at: string,
): Promise<boolean> {
  const key = { organizationId, userId }
  const member = await tx
    .selectFrom('member')
    .select(['role', 'disabled'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (member?.role === 'admin' && member.disabled === 0) return false
  await tx
    .insertInto('member')
    .values({ ...key, role: 'admin', disabled: 0, sso: 0, joinedAt: at, lastSeenAt: null })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'organizationId']).doUpdateSet({ role: 'admin', disabled: 0 }),
    )
    .execute()
  return true
}

async function applySite(
  tx: Tx,
  { id: organizationId }: { id: string },
  wanted: NonNullable<Setup['site']>,
  { now, newId }: SetupContext,
): Promise<string[]> {
  const { title, visibility = 'public', content = 'empty' } = wanted
  const before = await tx
    .selectFrom('site')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('title', '=', title)
    .executeTakeFirst()
  const site =
    before ?? (await insertSite(tx, { organizationId, title, type: 'basic', visibility, now, newId }))
  if (!before) {
    const { userId } = await tx
      .selectFrom('member')
      .select('userId')
      .where('organizationId', '=', organizationId)
      .where('role', '=', 'admin')
      .orderBy('userId')
      .executeTakeFirstOrThrow()
    const context = { organizationId, userId, now, newId }
    const space = await insertSpace(tx, { ...context, title: shorten(title, LONGEST_SPACE_TITLE) })
    if (content === 'sample') await writeSample(tx, space, context)
    await addSiteSpace(tx, site, space, { now, newId })
  }
  // A site that an administrator has taken down stays so, unless the setup says that it is published.
  const published = wanted.published ?? (before === undefined || before.published === 1)
  const changes = {
    published: published ? 1 : 0,
    visibility: wanted.visibility ?? site.visibility,
  } as const
  const isSame = site.published === changes.published && site.visibility === changes.visibility
  if (!isSame) {
    await tx.updateTable('site').set(changes).where('id', '=', site.id).execute()
    await touchSite(tx, site, now)
  }
  if (!before) return [`The site "${title}" is created${published ? ' and published' : ''}`]
  return isSame
    ? []
    : [
        `The site "${title}" is ${published ? 'published' : 'not published'}, and its visibility is "${changes.visibility}"`,
      ]
}
