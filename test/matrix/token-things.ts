/** Sessions by an identity provider, and the API tokens that are authorized in them. */
import assert from 'node:assert/strict'
import { inSession } from '../signed-in.ts'
import type { Person, World } from '../world.ts'

export function authorizedIn(
  world: World,
  { admin, organizationId }: { admin: Person; organizationId: string },
) {
  let providerId: string | undefined

  async function inProviderSession(person: Person): Promise<Person> {
    if (providerId === undefined) {
      const made = await admin(`POST /v1/orgs/${organizationId}/saml`, { label: 'Provider' })
      assert.equal(made.status, 201, made.text)
      providerId = made.body.id as string
    }
    return inSession(world, person, { method: 'saml', providerId, organizationId })
  }

  return {
    inProviderSession,
    /** The id of a token that is authorized for the organization: of this member, or of its administrator. */
    async authorizedToken(person: Person = admin): Promise<string> {
      const found = await world.db.read
        .selectFrom('member')
        .select('userId')
        .where('userId', '=', person.id)
        .where('organizationId', '=', organizationId)
        .where('disabled', '=', 0)
        .executeTakeFirst()
      const by = await inProviderSession(found ? person : admin)
      const { body, text } = await by('POST /v1/user/tokens', { label: 'x' })
      assert(body.id, text)
      return body.id as string
    },
  }
}
