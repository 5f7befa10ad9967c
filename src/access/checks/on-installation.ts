import type { Reader, Row } from '../../db/schema.ts'
import { forbidden } from '../../http/errors.ts'
import type { Access } from '../../http/route.ts'
import { because } from '../../core/languages/reasons.ts'
import { isReached, type Reaching, refuseWithoutSso } from '../roles/reached.ts'

/**
 * The installation, for its administrators: those of the organization that the first start created, which is the subject.
 * Its existence is no secret, so everybody else gets 403.
 */
export function onInstallation(): Access<{ organization: Row<'organization'> }> {
  return {
    needs: 'administrator of the installation',
    async load({ db, me }) {
      const organization = await administered(db, me)
      if (organization) return { organization }
      await refuseWithoutSso(db, me, async (any) => (await administered(db, any))?.id)
      throw forbidden(because('installation-admin-required'))
    },
  }
}

/** Whether a caller may see and steer the installation. */
export const isInstallationAdmin = async (db: Reader, me: Reaching): Promise<boolean> =>
  (await administered(db, me)) !== undefined

/** The organization of the first start, if the caller reaches and administers it. */
async function administered(db: Reader, me: Reaching): Promise<Row<'organization'> | undefined> {
  const organization = await db
    .selectFrom('instance')
    .innerJoin('organization', 'organization.id', 'instance.value')
    .innerJoin('member', 'member.organizationId', 'organization.id')
    .selectAll('organization')
    .where('instance.name', '=', 'organization')
    .where('member.userId', '=', me.userId)
    .where('member.role', '=', 'admin')
    .where('member.disabled', '=', 0)
    .executeTakeFirst()
  return organization && (await isReached(db, me, organization)) ? organization : undefined
}
