import { Type } from 'typebox'
import { onSelf } from '../access/checks/on.ts'
import { reaches } from '../access/roles/reached.ts'
import { route } from '../http/route.ts'
import { verifiedDomain } from '../model/people/account.ts'
import { listsDomain, Organization, ownTeamsIn, toOrganization } from '../model/places/organization.ts'

export const getOrganizationsForEmailDomain = route({
  method: 'GET',
  path: '/v1/email-domains/:emailDomain/orgs',
  summary: 'List the organizations that users with an e-mail domain can join',
  description:
    'Callers with a verified address of the domain see all of these organizations. Other callers see only those they are members of.',
  access: onSelf(),
  params: Type.Object({ emailDomain: Type.String({ maxLength: 253 }) }),
  returns: Type.Object({ organizations: Type.Array(Organization) }),
  async handler({ db, me, urls, params }) {
    const domain = params.emailDomain.toLowerCase()
    const isTheirs = (await verifiedDomain(db, me.userId)) === domain
    const rows = await db
      .selectFrom('organization')
      .leftJoin('member', (join) =>
        join.onRef('member.organizationId', '=', 'organization.id').on('member.userId', '=', me.userId),
      )
      .selectAll('organization')
      .select(['member.userId', 'member.role as memberRole', 'member.disabled'])
      .where(listsDomain(domain))
      .where(reaches(me, 'organization.id'))
      .orderBy('organization.id')
      .limit(1000)
      .execute()
    const visible = rows.filter(({ userId, disabled }) => (userId === null ? isTheirs : disabled === 0))
    const owned = await ownTeamsIn(db, me.userId)
    return {
      organizations: visible.map((row) =>
        toOrganization(urls, row, row.userId === null ? 'outsider' : row.memberRole, owned.has(row.id)),
      ),
    }
  },
})
