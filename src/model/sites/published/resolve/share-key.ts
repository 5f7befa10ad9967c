import { prepare } from '../../../../db/prepare.ts'
import type { Reader } from '../../../../db/schema.ts'
import { isShareKey, SHARE_KEY_PREFIX } from '../../../../http/request/secret-paths.ts'

/** The key at the start of a path within a site, and the rest of the path; undefined if it starts otherwise. */
export function keyIn(path: string): { key: string; rest: string | undefined } | undefined {
  if (!path.startsWith(SHARE_KEY_PREFIX)) return undefined
  const [key = '', ...rest] = path.split('/')
  return isShareKey(key) ? { key, rest: rest.length > 0 ? rest.join('/') : undefined } : undefined
}

const linkByKey = prepare((db, argument) =>
  db
    .selectFrom('siteShareLink')
    .select(['id', 'siteId', 'active', 'sealedKey'])
    .where('keyHash', '=', argument(0)),
)

/** The active share link of a site whose key has this hash. */
export async function shareLinkWith(db: Reader, siteId: string, keyHash: string) {
  const [link] = await linkByKey(db, keyHash)
  return link?.siteId === siteId && link.active === 1 ? link : undefined
}
