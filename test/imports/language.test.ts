/** A space takes the language of what is imported into it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, importArchive, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const TEXT = '本页说明如何在自己的机器上安装服务器，以及第一次启动之前需要准备什么。'
const chinese = archiveOf({
  'README.md': `# 概述\n\n${TEXT}\n\n\`\`\`sh\nnpm install --save-exact lectern\n\`\`\`\n`,
  'setup.md': `# Setup\n\n${TEXT}\n`,
})

test('a space without a language takes that of most pages, and so does its site', async () => {
  const { spaceId } = await spaceWith(world, chinese, 'Chinese')
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.language, 'zh')
  const { address } = await publish(world, spaceId, 'Chinese')
  const { host, pathname } = new URL(address)
  const page = await (await fetch(`${world.url}/sites/${host.split('.')[0]}${pathname}`)).text()
  assert.match(page, /<html[^>]* lang="zh"/)
})

test('a language that was chosen stays', async () => {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, {
    title: 'French',
    language: 'fr',
  })
  assert.equal((await importArchive(world, space.id, chinese)).status, 201)
  assert.equal((await ada(`GET /v1/spaces/${space.id}`)).body.language, 'fr')
})

test('content without a language leaves the space without one', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# 1.2.3\n\n4.5.6\n' }), 'Numbers')
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.language, undefined)
})
