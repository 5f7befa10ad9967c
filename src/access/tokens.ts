import { hash } from 'node:crypto'
import { prepare } from '../db/prepare.ts'
import type { Database, Reader } from '../db/schema.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

/** The prefix of API tokens, by which scanners recognize a leaked one. */
export const TOKEN_PREFIX = 'lec_'

/** The hash that is stored instead of a secret. Secrets are random, so they need no salt. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

const tokenByHash = prepare((db, argument) =>
  db.selectFrom('token').select(['id', 'userId', 'readOnly', 'expiresAt']).where('hash', '=', argument(0)),
)

/** The caller whose token is in an `Authorization` header. @throws 401, with the same message for every cause */
export async function callerOf(db: Reader, authorization: string | undefined, now: Date): Promise<Caller> {
  const token = /^Bearer +(\S{1,255})$/i.exec(authorization ?? '')?.[1]
  if (!token) throw unauthorized()

  const [found] = await tokenByHash(db, hashSecret(token))
  if (!found || (found.expiresAt !== null && found.expiresAt <= now.toISOString())) throw unauthorized()
  return { userId: found.userId, tokenId: found.id, readOnly: found.readOnly === 1 }
}

/** Collects the times at which tokens were used and writes them in batches, so that a read does not write. */
export function tokenUse(db: Database) {
  const used = new Map<string, Date>()

  return {
    note(tokenId: string, now: Date) {
      used.set(tokenId, now)
    },
    async flush() {
      const entries = [...used]
      used.clear()
      if (entries.length === 0) return
      try {
        await db.write(async (tx) => {
          for (const [id, lastUsedAt] of entries) {
            await tx
              .updateTable('token')
              .set({ lastUsedAt: lastUsedAt.toISOString() })
              .where('id', '=', id)
              .execute()
          }
        })
      } catch (error) {
        // The next flush writes them, unless the token was used again since.
        for (const [id, lastUsedAt] of entries) if (!used.has(id)) used.set(id, lastUsedAt)
        throw error
      }
    },
  }
}
