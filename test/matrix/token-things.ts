/** API tokens, and sessions by an identity provider, which authorize them. */
import assert from 'node:assert/strict'
import { randomText } from '../../src/core/data/id.ts'
import { insertToken } from '../../src/model/people/token.ts'
import { inSession } from '../signed-in.ts'
import type { Person, World } from '../world.ts'

/** Creates API tokens in an organization. */
export function tokensIn(world: World, { admin, organizationId }: { admin: Person; organizationId: string }) {
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
    /** A token of the administrator, or of somebody else. */
    async token(by = admin): Promise<string> {
      const { body, text } = await by('POST /v1/user/tokens', { label: 'x' })
      assert(body.id, text)
      return body.id as string
    },
    /** A token of a user, or of the administrator for a caller without a user. */
    async tokenOf(userId: string, limitedTo?: string): Promise<string> {
      const id = randomText(22)
      const fields = { id, userId: userId || admin.id, label: 'x', now: new Date(), readOnly: true }
      await world.db.write((tx) => insertToken(tx, { ...fields, organizationId: limitedTo }))
      return id
    },
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
