import { type Static, Type } from 'typebox'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Sealing } from '../../http/route.ts'
import { omitNullish, oneOf, Uri } from '../common.ts'

export const PublishingAuth = Type.Object(
  {
    object: oneOf(['publishing-auth']),
    backend: oneOf(['custom']),
    privateKey: Type.String({
      description: 'The key that signs the tokens of visitors (JWT with HS256), used as UTF-8 text',
    }),
    fallbackURL: Type.Optional({
      ...Uri,
      description: 'Where visitors without a valid token are sent, with the query parameter `location`',
    }),
  },
  { title: 'SitePublishingAuth' },
)
export type PublishingAuth = Static<typeof PublishingAuth>

export type StoredAuth = Row<'sitePublishingAuth'>

export function findPublishingAuth(db: Reader, siteId: string): Promise<StoredAuth | undefined> {
  return db.selectFrom('sitePublishingAuth').selectAll().where('siteId', '=', siteId).executeTakeFirst()
}

/**
 * The key that signs the tokens of a site's visitors. Until it is stored, it is derived from the secret of the
 * installation, so that reading it for the first time writes nothing.
 */
export function signingKeyOf(
  sealing: Sealing,
  siteId: string,
  stored: Pick<StoredAuth, 'sealedKey'> | undefined,
) {
  if (!stored) return sealing.derive(visitorKeyPurpose(siteId))
  const key = sealing.open(stored.sealedKey, visitorKeyPurpose(siteId))
  if (key === undefined)
    throw new Error(`The private key of the site ${siteId} was sealed with another secret`)
  return key
}

/** A private key for its column. */
export function sealVisitorKey(sealing: Sealing, siteId: string, key: string): string {
  return sealing.seal(key, visitorKeyPurpose(siteId))
}

/** For what the private key of a site is sealed, and derived. */
export const visitorKeyPurpose = (siteId: string) => `visitor key ${siteId}`

/**
 * Stores derived keys of sites, because a rotation of the secret would change them. @param most how many, at most
 * @returns how many there were
 */
export async function storeDerivedKeys(tx: Tx, sealing: Sealing, now: Date, most: number): Promise<number> {
  const sites = await tx
    .selectFrom('site')
    .leftJoin('sitePublishingAuth', 'sitePublishingAuth.siteId', 'site.id')
    .select('site.id')
    .where('sitePublishingAuth.siteId', 'is', null)
    .orderBy('site.id')
    .limit(most)
    .execute()
  const rows = sites.map(({ id }) => ({
    siteId: id,
    backend: 'custom' as const,
    integration: null,
    sealedKey: sealVisitorKey(sealing, id, signingKeyOf(sealing, id, undefined)),
    fallbackUrl: null,
    updatedAt: now.toISOString(),
  }))
  if (rows.length > 0) await tx.insertInto('sitePublishingAuth').values(rows).execute()
  return rows.length
}

export function toPublishingAuth(
  sealing: Sealing,
  siteId: string,
  stored: StoredAuth | undefined,
): PublishingAuth {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: signingKeyOf(sealing, siteId, stored),
    ...omitNullish({ fallbackURL: stored?.fallbackUrl }),
  }
}
