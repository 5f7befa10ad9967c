import { type Static, Type } from 'typebox'
import { hashSecret } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Role, Row } from '../../db/schema.ts'
import { SHARE_KEY_PREFIX } from '../../http/request/secret-paths.ts'
import type { Sealing } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { atLeast } from '../../access/roles/roles.ts'
import { Id, omitNullish, oneOf, Timestamp, Uri } from '../common.ts'

/** 26 characters of 36 are 134 bits. */
const KEY_LENGTH = 26

export const InShareLink = Type.Object({ organizationId: Id, siteId: Id, shareLinkId: Id })
export const ShareLinkName = Type.String({ maxLength: 50 })

export const ShareLink = Type.Object(
  {
    object: oneOf(['share-link']),
    id: Type.String(),
    name: Type.String(),
    active: Type.Boolean(),
    createdAt: Timestamp,
    urls: Type.Object({
      published: Type.Optional({
        ...Uri,
        description:
          'The address to share. It is absent for callers who cannot manage the site, and while nobody can open it: while the site is not published or not `share-link`, or the link is not active.',
      }),
    }),
  },
  { title: 'ShareLink' },
)
export type ShareLink = Static<typeof ShareLink>

/** A new key of a share link, as the columns that store it. */
export function newShareKey(sealing: Sealing, id: string): { keyHash: string; sealedKey: string } {
  const key = SHARE_KEY_PREFIX + randomText(KEY_LENGTH)
  return { keyHash: hashSecret(key), sealedKey: sealing.seal(key, shareKeyPurpose(id)) }
}

/** For what the key of a share link is sealed. */
export const shareKeyPurpose = (id: string) => `share-link ${id}`

/** The key of a share link. */
export function keyOfShareLink(
  sealing: Sealing,
  { id, sealedKey }: Pick<Row<'siteShareLink'>, 'id' | 'sealedKey'>,
): string {
  const key = sealing.open(sealedKey, shareKeyPurpose(id))
  if (key === undefined) throw new Error(`The key of the share link ${id} was sealed with another secret`)
  return key
}

/** The data about a site and the caller that is needed to show share links. */
export interface ShareLinkPlace {
  urls: Urls
  sealing: Sealing
  organization: Row<'organization'>
  /** The caller's role on the site. */
  role: Role
  site: Row<'site'>
}

export function toShareLink(
  { urls, sealing, organization, role, site }: ShareLinkPlace,
  link: Row<'siteShareLink'>,
): ShareLink {
  const { id, name, active, createdAt } = link
  const isOpen = site.published === 1 && site.visibility === 'share-link' && active === 1
  const key = isOpen && atLeast(role, 'create') ? keyOfShareLink(sealing, link) : undefined
  const published = key && `${urls.site(site, organization.hostname)}${key}/`
  return {
    object: 'share-link',
    id,
    name,
    active: active === 1,
    createdAt,
    urls: omitNullish({ published }),
  }
}
