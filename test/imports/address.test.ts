import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const files = createServer((request, response) => {
  if (request.url === '/moved.md') return response.writeHead(302, { location: '/100%zz.md' }).end()
  return response.end('# One\n\nText\n')
}).listen(0, '127.0.0.1')
await once(files, 'listening')
after(() => files.close())
const { port } = files.address() as { port: number }

const importFrom = async (path: string) => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const url = `http://127.0.0.1:${port}${path}`
  const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'markdown' })
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content/pages`)).body
  return { imported, file: pages[0]?.git.path as string | undefined }
}

test('the name of a file is the last segment of its URL, decoded if its encoding is valid', async () => {
  for (const [path = '', name] of [
    ['/a%20page.md', 'a page.md'],
    ['/%ff.md', '%ff.md'],
    ['/moved.md', '100%zz.md'],
  ]) {
    const { imported, file } = await importFrom(path)
    assert.equal(imported.status, 201, `${path}: ${imported.text}`)
    assert.equal(file, name)
  }
})

test('refuses an invalid URL, and names the field', async () => {
  const { imported } = await importFrom('/100%zz.md')
  assert.equal(imported.status, 400)
  assert.match(imported.body.error.message, /body\.url/)
})
