/** Requests for the tokens of SCIM. */
import { inOrg, type Make, org } from './makers.ts'

export const SCIM_CALLS: Record<string, Make> = {
  listScimTokens: org,
  createScimToken: org,
  getScimToken: async (t) => ({ params: { ...inOrg(t), tokenId: await t.scimToken() } }),
  deleteScimToken: async (t) => ({ params: { ...inOrg(t), tokenId: await t.scimToken() } }),
}
