/** A push to a space: main is a revision, and another branch is a change request. */
import assert from 'node:assert/strict'
import { rm, writeFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { contentAt } from '../imports/syncing.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { cloneFolder, remoteOf } from './cloning.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { liveSpace, sources, write } = proposalsIn(world)
const { folder, git, attempt, filesIn } = await cloneFolder()

const FILES = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n',
  'README.md': '# Home\n\nHello.\n',
  'guide/README.md': '# Guide\n\n[Home](../README.md)\n',
  'guide/install.md': '# Install\n\nFirst.\n\nSecond.\n',
}

let clones = 0
async function clone(space: string, token = ada.token) {
  const name = `clone-${++clones}`
  await git('clone', '--quiet', remoteOf(world, organizationId, idOf(space), token), name)
  return name
}

const headOf = async (name: string) => (await git('-C', name, 'rev-parse', 'HEAD')).trim()
const titleOf = (one: { page?: { title: string } }) => one.page?.title
const idOf = (space: string) => space.split('/').at(-1)!

async function put(name: string, path: string, text: string) {
  const file = join(folder, name, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function commit(name: string, message: string, files: Record<string, string> = {}) {
  for (const [path, text] of Object.entries(files)) await put(name, path, text)
  await git('-C', name, 'add', '--all')
  await git('-C', name, 'commit', '--quiet', '-m', message)
}

const push = (name: string, ...args: string[]) => attempt('-C', name, 'push', 'origin', ...args)

async function changeRequests(space: string) {
  const { body } = await ada(`GET ${space}/change-requests`)
  return body.items as { id: string; number: number; subject: string; status: string; revision: string }[]
}

test('a push of a branch makes a change request, and the next one updates it', async () => {
  const space = await liveSpace(FILES)
  const before = await contentAt(world, space)
  const name = await clone(space)
  await commit(name, 'Explain more\n\nWith *reasons*.', {
    'guide/install.md': '# Install\n\nFirst.\n\nThird.\n',
  })
  const pushed = await push(name, 'HEAD:my-change')
  assert.equal(pushed.code, 0, pushed.err)
  assert.match(pushed.err, /remote: Change request 1: Explain more/)
  assert.match(pushed.err, new RegExp(`remote: +${world.url}/app/s/${idOf(space)}/~/changes/1`))

  const [change, ...others] = await changeRequests(space)
  assert.deepEqual([change!.subject, change!.status, others.length], ['Explain more', 'open', 0])
  const shown = await ada(`GET ${space}/change-requests/${change!.id}`)
  assert.match(shown.text, /reasons/)
  const { body: diff } = await ada(`GET ${space}/change-requests/${change!.id}/changes`)
  assert.deepEqual(diff.changes.map(titleOf), ['Install'], JSON.stringify(diff))
  assert.deepEqual(await contentAt(world, space), before)

  await commit(name, 'And more', { 'guide/install.md': '# Install\n\nFirst.\n\nFourth.\n' })
  const again = await push(name, 'HEAD:my-change')
  assert.equal(again.code, 0, again.err)
  assert.equal((await changeRequests(space)).length, 1)
  assert.match((await sources(`${space}/change-requests/1`)).Install!, /Fourth/)
})

test('a push to main is a revision, which a pull fast-forwards to, and pages keep their ids when files move', async () => {
  const space = await liveSpace(FILES)
  const before = await contentAt(world, space)
  const name = await clone(space)
  await git('-C', name, 'rm', '--quiet', 'guide/README.md')
  await mkdir(join(folder, name, 'setup'))
  await git('-C', name, 'mv', 'guide/install.md', 'setup/first.md')
  await commit(name, 'Move things', {
    'SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n* [Install](setup/first.md)\n* [New](new.md)\n',
    'new.md': '# New\n\n![Dot](.gitbook/assets/dot.svg)\n',
    '.gitbook/assets/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    'setup/first.md': '# Install\n\nFirst.\n\nSecond, and more.\n',
  })
  await commit(name, 'A second one', { 'README.md': '# Home\n\nHello again.\n' })
  const pushed = await push(name, 'main')
  assert.equal(pushed.code, 0, pushed.err)
  assert.match(pushed.err, /remote: "Live" has the changes/)

  const after = await contentAt(world, space)
  const idNamed = (content: typeof after, title: string) =>
    content.pages.find((page) => page.title === title)?.id
  assert.deepEqual(after.pages.map(({ title }) => title).toSorted(), ['Home', 'Install', 'New'])
  assert.equal(idNamed(after, 'Install'), idNamed(before, 'Install'))
  assert.equal(idNamed(after, 'Home'), idNamed(before, 'Home'))

  await git('-C', name, 'pull', '--quiet', '--ff-only')
  const fresh = await clone(space)
  assert.deepEqual(await filesIn(fresh), await filesIn(name))
  await git('-C', fresh, 'fsck', '--strict', '--full')
  const subjects = await git('-C', fresh, 'log', '--format=%s')
  assert.match(subjects, /A second one\n(?:.*\n)*Move things/)
  const { body } = await ada(`GET ${space}/revisions`)
  assert.equal(body.items.length, 3)
})

test('a branch that was pushed is fetched by others, also with edits from the console and without the cache', async () => {
  const space = await liveSpace(FILES)
  const name = await clone(space)
  await commit(name, 'Mine', { 'README.md': '# Home\n\nMine.\n' })
  assert.equal((await push(name, 'HEAD:a/mine')).code, 0)
  const other = await clone(space)
  await git('-C', other, 'checkout', '--quiet', 'a/mine')
  assert.equal(await headOf(other), await headOf(name))

  await write(`${space}/change-requests/1`, { 'guide/install.md': '# Install\n\nFrom the console.\n' })
  await commit(name, 'Again', { 'README.md': '# Home\n\nMine again.\n' })
  const stale = await push(name, 'HEAD:a/mine')
  assert.notEqual(stale.code, 0)
  assert.match(stale.err, /fetch first|non-fast-forward/)

  await rm(join(world.config.data, 'git'), { recursive: true })
  await git('-C', name, 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'a/mine')
  assert.match((await filesIn(name))['guide/install.md']!, /From the console/)
  const pushed = await push(name, 'HEAD:a/mine')
  assert.equal(pushed.code, 0, pushed.err)
  const texts = await sources(`${space}/change-requests/1`)
  assert.match(texts.Home!, /Mine again/)
  assert.match(texts.Install!, /From the console/)
})

test('a branch that merges main has the newer base, so that the change request shows its own changes alone', async () => {
  const space = await liveSpace(FILES)
  const name = await clone(space)
  await commit(name, 'Mine', { 'README.md': '# Home\n\nMine.\n' })
  assert.equal((await push(name, 'HEAD:mine')).code, 0)
  await write(space, { 'guide/install.md': '# Install\n\nNewer.\n' })
  await git('-C', name, 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
  const pushed = await push(name, 'HEAD:mine')
  assert.equal(pushed.code, 0, pushed.err)
  const { body } = await ada(`GET ${space}/change-requests/1/changes`)
  assert.deepEqual(body.changes.map(titleOf), ['Home'])
  const { body: change } = await ada(`GET ${space}/change-requests/1`)
  assert.equal(change.outdated, false)
  assert.equal((await ada(`POST ${space}/change-requests/1/merge`)).status, 200)
  assert.match((await sources(space)).Install!, /Newer/)
  assert.doesNotMatch(await git('-C', name, 'ls-remote', 'origin'), /heads\/mine/)

  // What was pushed is in the history of main, so that git knows that the branch is merged.
  const pushedOid = await headOf(name)
  await git('-C', name, 'pull', '--quiet', '--ff-only', 'origin', 'main')
  await commit(name, 'Another', { 'README.md': '# Home\n\nAnother.\n' })
  const another = await push(name, 'HEAD:mine')
  assert.match(another.err, /Change request 2: Another/)
  const merged = await headOf(await clone(space))
  await rm(join(world.config.data, 'git'), { recursive: true })
  const fresh = await clone(space)
  assert.equal(await headOf(fresh), merged)
  await git('-C', fresh, 'merge-base', '--is-ancestor', pushedOid, 'HEAD')
})

test('a forced push replaces the content and keeps the revisions, and a deleted branch is an archived change request', async () => {
  const space = await liveSpace(FILES)
  const name = await clone(space)
  await commit(name, 'One', { 'README.md': '# Home\n\nOne.\n', 'guide/install.md': '# Install\n\nOne.\n' })
  assert.equal((await push(name, '-o', 'subject=Of mine', '-o', 'draft', 'HEAD:mine')).code, 0)
  const { body: first } = await ada(`GET ${space}/change-requests/1`)
  assert.deepEqual([first.subject, first.status], ['Of mine', 'draft'])
  await git('-C', name, 'reset', '--quiet', '--hard', 'origin/main')
  await commit(name, 'Two', { 'README.md': '# Home\n\nTwo.\n' })
  assert.notEqual((await push(name, 'HEAD:mine')).code, 0)
  const forced = await push(name, '--force', 'HEAD:mine')
  assert.equal(forced.code, 0, forced.err)
  const { body } = await ada(`GET ${space}/change-requests/1/changes`)
  assert.deepEqual(body.changes.map(titleOf), ['Home'])
  const { body: revisions } = await ada(`GET ${space}/change-requests/1/revisions`)
  assert.equal(revisions.items.length, 2)
  const { body: second } = await ada(`GET ${space}/change-requests/1`)
  assert.deepEqual([second.subject, second.status], ['Of mine', 'draft'])

  const gone = await push(name, '--delete', 'mine')
  assert.equal(gone.code, 0, gone.err)
  assert.equal((await ada(`GET ${space}/change-requests/1`)).body.status, 'archived')
  await git('-C', name, 'push', '--quiet', 'origin', 'HEAD:mine')
  assert.equal((await ada(`GET ${space}/change-requests/2`)).body.status, 'open')
  assert.match((await push(name, '--delete', 'main')).err, /main cannot be deleted/)
})

test('a push that the person may not make is refused with a sentence', async () => {
  const space = await liveSpace(FILES)
  const name = await clone(space)
  await commit(name, 'Change', { 'README.md': '# Home\n\nChanged.\n' })
  const reader = await world.person('Rita', 'read')
  const as = (token: string) => remoteOf(world, organizationId, idOf(space), token)
  assert.match((await attempt('-C', name, 'push', as(reader.token), 'HEAD:mine')).err, /edit/)
  const stranger = await world.stranger('Eve')
  assert.match((await attempt('-C', name, 'push', as(stranger.token), 'HEAD:mine')).err, /not found/)
  const { body: token } = await ada('POST /v1/user/tokens', { label: 'ro', readOnly: true })
  const readOnly = await attempt('-C', name, 'push', as(token.token as string), 'HEAD:mine')
  assert.match(readOnly.err, /read-only|403/)
  await ada(`PATCH ${space}`, { editMode: 'locked' })
  const locked = await push(name, 'main')
  assert.match(locked.err, /git push origin HEAD:my-change/)
  assert.equal((await push(name, 'HEAD:my-change')).code, 0)
  assert.match((await push(name, 'HEAD:refs/tags/v1')).err, /Only branches can be pushed/)
  assert.match((await push(name, 'HEAD:refs/heads/a@b/-c')).err, /cannot have a branch with this name/)
  await git('-C', name, 'checkout', '--quiet', '--orphan', 'other')
  await commit(name, 'Other')
  assert.match((await push(name, 'other')).err, /no commit of this space in its history/)
})

test('what a space cannot store is refused with file and line, and nothing is stored', async () => {
  const space = await liveSpace(FILES)
  const before = await contentAt(world, space)
  const cases: [Record<string, string>, RegExp][] = [
    [{ 'README.md': '---\ntitle: !x a\n---\n\n# Home\n' }, /remote: README\.md: .*on line 1/],
    [{ 'README.md': `# Home\n\n${'long words '.repeat(500_000)}\n` }, /remote: README\.md/],
    [{ 'other.md': '# Other\n' }, /remote: other\.md: is not listed/],
    [
      { '.github/workflows/a.yml': 'on: push\n' },
      /remote: \.github\/workflows\/a\.yml: A space has no place/,
    ],
    [{ 'SUMMARY.md': `${FILES['SUMMARY.md']}* [Gone](gone.md)\n` }, /remote: SUMMARY\.md:\d+: .*gone\.md/],
    [{ '.gitattributes': '* text\n' }, /remote: \.gitattributes: Git itself uses this path/],
  ]
  for (const [files, expected] of cases)
    for (const to of ['main', 'HEAD:mine']) {
      const name = await clone(space)
      await commit(name, 'Bad', files)
      const refused = await push(name, to)
      assert.notEqual(refused.code, 0, `${JSON.stringify(Object.keys(files))} ${refused.err}`)
      assert.match(refused.err, expected)
    }
  assert.deepEqual(await contentAt(world, space), before)
  assert.equal((await changeRequests(space)).length, 0)
})

test('an empty space is filled by a push, also if it is locked', async () => {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'New' })
  const space = `/v1/spaces/${body.id}`
  const name = await clone(space)
  await commit(name, 'Begin', FILES)
  const pushed = await push(name, 'HEAD:main')
  assert.equal(pushed.code, 0, pushed.err)
  assert.deepEqual(await filesIn(await clone(space)), FILES)
  const { body: events } = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=5`)
  const event = events.items.find(({ action }: { action: string }) => action === 'space.content.import')
  assert.equal(event.target.id, body.id, JSON.stringify(events.items))
  const { text } = await ada(`GET /v1/orgs/${organizationId}/audit-events/${event.id}`)
  assert.match(text, new RegExp(await headOf(name)))
})
