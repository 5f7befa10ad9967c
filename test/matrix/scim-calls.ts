/** Requests for the tokens of SCIM, and for the API tokens that are authorized for an organization. */
import { inOrg, type Make, org } from './makers.ts'

/** An authorized token of the caller, if they may have one. */
const authorized: Make = async (t, { person, writes }) => ({
  params: { ...inOrg(t), tokenId: await t.authorizedToken(writes ? person : undefined) },
})

export const SCIM_CALLS: Record<string, Make> = {
  listScimTokens: org,
  createScimToken: org,
  getScimToken: async (t) => ({ params: { ...inOrg(t), tokenId: await t.scimToken() } }),
  deleteScimToken: async (t) => ({ params: { ...inOrg(t), tokenId: await t.scimToken() } }),

  listTokenAuthorizations: org,
  getTokenAuthorization: authorized,
  deleteTokenAuthorization: authorized,
  createTokenAuthorization: async (t, { writes, limitedTo, another }) => {
    if (!writes || limitedTo !== undefined) return { params: inOrg(t), body: { token: await t.token() } }
    const person = await another()
    const token = await t.token(person)
    return { params: inOrg(t), body: { token }, as: await t.inProviderSession(person) }
  },
}
