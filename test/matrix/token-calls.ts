/** Requests for the API tokens of the caller. */
import { type Make, none, withBody } from './makers.ts'

export const TOKEN_CALLS: Record<string, Make> = {
  listTokens: none,
  getToken: async (t, { person, limitedTo }) => ({
    params: { tokenId: await t.tokenOf(person.id, limitedTo) },
  }),
  createToken: withBody(none, { label: 'x' }),
  deleteToken: async (t, { person, writes }) => ({
    params: { tokenId: await t.token(writes ? person : undefined) },
  }),
}
