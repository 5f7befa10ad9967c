import assert from 'node:assert/strict'
import { archiveOf, spaceWith } from '../importing.ts'
import type { Person, World } from '../world.ts'

const DOCS = {
  'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Install](install.md)\n* [Gone soon](soon.md)\n',
  'README.md': '# Home\n\nHello.\n',
  'install.md':
    '# Install\n\n## Needs\n\nA computer, and a *screen*.\n\n{% hint style="info" %}\nA mouse helps.\n{% endhint %}\n',
  'soon.md': '# Gone soon\n\nNot for long.\n',
}

export const said = (markdown: string) => ({ body: { markdown } })

/** A space with three pages, and a change request of it. */
export async function discussedSpace(world: World, title: string) {
  const { ada } = world
  const { spaceId } = await spaceWith(world, archiveOf(DOCS), title)
  const space = `/v1/spaces/${spaceId}`
  const { body } = await ada(`POST ${space}/change-requests`, { subject: 'Discussed' })
  const { pages } = (await ada(`GET ${space}/content/pages`)).body as {
    pages: { id: string; title: string }[]
  }
  const pageOf = (name: string) => pages.find((page) => page.title === name)?.id ?? assert.fail(name)
  return {
    spaceId,
    space,
    changeRequest: `${space}/change-requests/${body.id}`,
    changeRequestId: body.id as string,
    number: body.number as number,
    pageOf,
    /** The keys of the blocks of a page, by type. */
    async blocksOf(pageId: string, content = `${space}/content`) {
      const answer = await ada(`GET ${content}/page/${pageId}`)
      assert.equal(answer.status, 200, answer.text)
      const { nodes } = answer.body.document as { nodes: { type: string; key: string }[] }
      return (type: string) => nodes.find((node) => node.type === type)?.key ?? assert.fail(type)
    },
  }
}

/** Posts a comment and a reply to it. */
export async function post(person: Person, base: string, fields: object = said('Hm.')) {
  const answer = await person(`POST ${base}/comments`, fields)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Ends the membership of a person. */
export async function leave(world: World, person: Person): Promise<void> {
  const answer = await world.ada(`DELETE /v1/orgs/${world.organizationId}/members/${person.id}`)
  assert.equal(answer.status, 204, answer.text)
}
