/** A file that a commit renames stays the same page: with its id, comments and edits, and its old address redirects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { contentAt } from '../imports/syncing.ts'
import { createWorld } from '../world.ts'
import { startGitHost } from './git-host.ts'
import { MAIN_BRANCH as main, syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const world = await createWorld()
const { ada } = world
const { liveSpace, edit } = syncedSpacesIn(world)

const LONG = Array.from({ length: 12 }, (_, nth) => `Paragraph ${nth} of the page.\n`).join('\n')
const FILES = {
  'docs/SUMMARY.md': '# Contents\n\n- [Home](README.md)\n- [Guide](guide.md)\n- [Install](install.md)\n',
  'docs/README.md': '# Home\n\nSee [how to install](install.md).\n',
  'docs/guide.md': '# Guide\n',
  'docs/install.md': `# Install\n\n${LONG}\n![Map](map.png)\n`,
  'docs/map.png': 'no picture, but bytes',
  LICENSE: 'Free\n',
}

test('`git mv` with changes keeps the page, its comments, and what was edited here', async () => {
  const { repository, address } = host.create('renames')
  repository.commit(FILES)
  const space = await liveSpace()
  assert.equal((await ada(`PUT ${space}/git/connection`, { url: address, ...main })).status, 200)
  await runDueJobs(world)
  const before = await contentAt(world, space)
  const idOf = (content: typeof before, path: string) =>
    content.pages.find(({ git }) => git?.path === path)?.id
  const id = idOf(before, 'install.md')
  assert(id)
  const { body: files } = await ada(`GET ${space}/content/files`)
  const comment = await ada(`POST ${space}/comments`, { page: id, body: { markdown: 'Good' } })
  assert.equal(comment.status, 200, comment.text)

  // An edit here, and at the same time a commit that moves the page into the guide, with another change.
  await edit(space, 'Install', FILES['docs/install.md'].replace('Paragraph 1 of', 'First paragraph of'))
  repository.git('mv', 'docs/map.png', 'docs/plan.png')
  repository.commit({
    'docs/SUMMARY.md':
      '# Contents\n\n- [Home](README.md)\n- [Guide](guide.md)\n  - [Install](guide/setup.md)\n',
    'docs/README.md': '# Home\n\nSee [how to install](guide/setup.md).\n',
    'docs/install.md': null,
    'docs/guide/setup.md': FILES['docs/install.md']
      .replace('Paragraph 10 of', 'Last paragraph of')
      .replace('map.png', '../plan.png'),
  })
  assert.equal((await ada(`POST ${space}/git/connection/sync`, {})).status, 204)
  await runDueJobs(world)
  const connection = (await ada(`GET ${space}/git/connection`)).body
  assert.equal(connection.outcome, 'synced', JSON.stringify(connection))

  const after = await contentAt(world, space)
  assert.equal(idOf(after, 'guide/setup.md'), id)
  assert.equal(after.pages.length, 3)
  const text = after.texts['guide/setup.md'] ?? ''
  for (const part of ['First paragraph of', 'Last paragraph of', '../plan.png'])
    assert(text.includes(part), part)
  assert.equal(repository.files()['docs/guide/setup.md'], text)
  assert.equal(repository.files()['docs/install.md'], undefined)
  const { items } = (await ada(`GET ${space}/comments`)).body
  assert.equal(items[0].target.page.id, id)
  assert.notEqual(items[0].target.page.path, 'install')
  // The file is the same, too.
  const { body: filesAfter } = await ada(`GET ${space}/content/files`)
  assert.equal(files.items.length, 1)
  assert.equal(filesAfter.items[0].id, files.items[0].id)
  assert.deepEqual(after.files, ['plan.png'])

  // The next rename follows the commit of this sync.
  repository.git('mv', 'docs/guide/setup.md', 'docs/guide/begin.md')
  repository.commit({
    'docs/SUMMARY.md':
      '# Contents\n\n- [Home](README.md)\n- [Guide](guide.md)\n  - [Install](guide/begin.md)\n',
    'docs/README.md': '# Home\n\nSee [how to install](guide/begin.md).\n',
  })
  await ada(`POST ${space}/git/connection/sync`, {})
  await runDueJobs(world)
  assert.equal(idOf(await contentAt(world, space), 'guide/begin.md'), id)
})
