/** Writers who save one page at the same time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

test('saves that arrive together are all in the page, or are refused', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nFirst.\n\nSecond.\n' }))
  const requests = `/v1/spaces/${spaceId}/change-requests`
  const { number } = (await world.ada(`POST ${requests}`, { subject: 'Together' })).body
  const content = `${requests}/${number}/content`
  const page = (await world.ada(`GET ${content}/pages`)).body.pages[0].id as string
  const expected: string[] = []
  for (let round = 0; round < 10; round++) {
    const { revision } = (await world.ada(`GET ${requests}/${number}`)).body
    const { markdown } = (await world.ada(`GET ${content}/page/${page}?format=markdown`)).body
    await Promise.all(
      [
        ['heading', / Home/],
        ['first', / ?First/],
        ['second', / ?Second/],
      ].map(async ([name, place]) => {
        const word = `${name as string}${round}`
        const document = { markdown: (markdown as string).replace(place!, (found) => ` ${word}${found}`) }
        const changes = [{ operation: 'update_page', page, document }]
        const { status } = await world.ada(`POST ${content}`, { revision, changes })
        if (status === 200) expected.push(word)
        else assert.equal(status, 409)
      }),
    )
  }
  const { markdown } = (await world.ada(`GET ${content}/page/${page}?format=markdown`)).body
  assert.deepEqual(
    expected.filter((word) => !(markdown as string).includes(word)),
    [],
    markdown,
  )
  assert(expected.length > 20)
})
