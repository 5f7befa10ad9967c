/** What a site has by its id alone: a share link, and an MCP server that it names. */
import assert from 'node:assert/strict'
import type { Person } from '../world.ts'

/** @param org the path of the organization below `/v1` */
export function partsOfSitesIn(admin: Person, org: string) {
  async function idOfNew(siteId: string, parts: string, body: object): Promise<string> {
    const answer = await admin(`POST ${org}/sites/${siteId}/${parts}`, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }

  return {
    shareLinkOf: (siteId: string) => idOfNew(siteId, 'share-links', { name: 'A link' }),
    mcpServerOf: (siteId: string) =>
      idOfNew(siteId, 'mcp-servers', {
        name: 'Status',
        url: 'https://mcp.example.com/',
        headers: { authorization: 'Bearer x' },
      }),
  }
}
