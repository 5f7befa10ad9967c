/** Archives with several documentation trees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const archive = archiveOf({
  'README.md': '# The project\n',
  'api/SUMMARY.md': '* [API](README.md)\n* [Calls](calls.md)\n',
  'api/README.md': '# API\n\n[Calls](calls.md)\n\n![](../shared/a.png)\n',
  'api/calls.md': '# Calls\n',
  'cloud/.gitbook.yaml': 'root: docs\n',
  'cloud/docs/README.md': '# Cloud\n',
  'shared/a.png': 'x',
})

async function importing(body: object, bytes = archive) {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Trees' })
  const url = await upload(ada, organizationId, bytes)
  const result = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'zip', ...body })
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content`)).body
  return { result, paths: (pages as { path: string }[]).map(({ path }) => path) }
}

test('an archive with several trees is refused with their folders, and nothing is imported', async () => {
  const { result, paths } = await importing({})
  assert.equal(result.status, 400)
  assert.match(
    result.body.error.message,
    /2 documentation trees: "api" \(3 Markdown files\), "cloud" \(1 Markdown file\)\. Import one with its folder as "root"/,
  )
  assert.deepEqual(paths, [])
})

test('one tree is imported with the files beside it that it uses', async () => {
  const api = await importing({ root: 'api' })
  assert.deepEqual(api.paths, ['readme', 'calls'])
  assert.deepEqual([api.result.body.problems, api.result.body.importedResources], [[], 3])
  assert.deepEqual((await importing({ root: './cloud/' })).paths, ['readme'])
})

test('all of an archive is imported on demand', async () => {
  const { paths } = await importing({ root: '' })
  assert(paths.includes('readme') && paths.includes('api') && paths.includes('cloud'), paths.join())
})

test('the only tree of an archive is found', async () => {
  const { paths } = await importing(
    {},
    archiveOf({ 'AGENTS.md': '# Agents', 'docs/SUMMARY.md': '* [One](one.md)', 'docs/one.md': '# One' }),
  )
  assert.deepEqual(paths, ['one'])
})

for (const [root, message] of [
  ['none', /has no folder "none"/],
  ['../api', /has no folder "\.\.\/api"/],
] as const)
  test(`the folder "${root}" is refused`, async () => {
    const { result } = await importing({ root })
    assert.equal(result.status, 400)
    assert.match(result.body.error.message, message)
  })

test('sources without folders refuse one', async () => {
  const { result } = await importing({ root: 'api', source: 'html' })
  assert.deepEqual(
    [result.status, result.body.error.message],
    [400, 'body.root is for archives of repositories and projects; leave it out'],
  )
})
