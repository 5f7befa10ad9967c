/** Code that takes long to highlight, and what the readers of another organization notice of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../effort.ts'
import { archiveOf, upload } from '../importing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const BLOCKS = isLongRun() ? 80 : 40

/** Publishes one page of Markdown for an organization. @returns the address of the page on the API's host */
async function publishPage(by: Person, organizationId: string, markdown: string): Promise<string> {
  const space = (await by(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Code' })).body
  const url = await upload(by, organizationId, archiveOf({ 'README.md': markdown }))
  const done = await by(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'zip' })
  assert.equal(done.status, 201, done.text)
  const site = (await by(`POST /v1/orgs/${organizationId}/sites`, { title: 'Code', spaces: [space.id] })).body
  const { body } = await by(`POST /v1/orgs/${organizationId}/sites/${site.id}/publish`)
  const { host, pathname } = new URL(body.urls.published)
  return `${world.url}/sites/${host.split('.')[0]}${pathname}`
}

const COLOURED = /class="[^"]*keyword|<span class="[a-z-]+">const/

test('slow code of one organization neither delays nor bleaches the pages of another', async () => {
  const eve = await world.stranger('Eve')
  const line = 'var x = from a in b where a.c == "d" select new { a, e = $"{a}" }; // f\n'
  const blocks = Array.from(
    { length: BLOCKS },
    (_, index) => `\`\`\`csharp\n// ${index}\n${line.repeat(150)}\`\`\`\n`,
  )
  const slow = await publishPage(world.ada, world.organizationId, `# Slow\n\n${blocks.join('\n')}`)
  const quick = await publishPage(eve, eve.organizationId, '# Quick\n\n```js\nconst a = 1\n```\n')
  // The threads and the grammar are started, so that only the code is compared.
  await (await fetch(quick)).text()

  const other = await publishPage(eve, eve.organizationId, '# Other\n\n```js\nconst b = "2"\n```\n')
  const order: string[] = []
  const answers = [slow, other].map(async (address, index) => {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 300))
    const text = await (await fetch(address)).text()
    order.push(index === 0 ? 'slow' : 'other')
    return text
  })
  let [, html = ''] = await Promise.all(answers)
  assert.equal(order[0], 'other')
  // On a busy machine, the page does not wait for its colours, and has them the next time.
  for (let tries = 0; !COLOURED.test(html) && tries < 10; tries++) html = await (await fetch(other)).text()
  assert.match(html, COLOURED)
})
