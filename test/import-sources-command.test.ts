/** `lectern import` of folders and git repositories, and again into the same space. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createRepository } from './git-repository.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada } = world
const connection = ['--no-site', '--url', world.url, '--token', ada.token]

async function importing(...args: string[]) {
  const ended = await runHere(['import', ...args, ...connection], { LECTERN_DATA: folder.path })
  return { ...ended, spaceId: /spaces\/(\w+)/.exec(ended.out)?.[1] ?? '' }
}

async function pagesOf(spaceId: string) {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content`)
  return body.pages as { title: string; createdAt: string; updatedAt: string; git: { path: string } }[]
}

test('a folder is imported like an archive, and again into the same space', async () => {
  const docs = join(folder.path, 'team-docs')
  mkdirSync(join(docs, 'node_modules'), { recursive: true })
  writeFileSync(join(docs, 'README.md'), '# Home\n')
  writeFileSync(join(docs, 'guide.md'), '# Guide\n')
  writeFileSync(join(docs, 'node_modules/other.md'), '# Other\n')
  symlinkSync('/etc/passwd', join(docs, 'secret.md'))
  const first = await importing(docs)
  assert.equal(first.code, 3, first.err)
  assert.match(first.out, /1 symbolic link or special file is not imported\n {6}secret\.md\n/)
  assert.deepEqual(
    (await pagesOf(first.spaceId)).map(({ title }) => title),
    ['Home', 'Guide'],
  )
  assert.equal((await ada(`GET /v1/spaces/${first.spaceId}`)).body.title, 'Team docs')

  writeFileSync(join(docs, 'guide.md'), '# Guide 2\n')
  const second = await importing(docs)
  assert.equal(second.spaceId, first.spaceId)
  assert.match(second.out, /0 created, 1 changed, 0 deleted/)
  assert.match(second.out, /Change request 1 has the changes/)
  assert.equal((await pagesOf(first.spaceId))[1]?.title, 'Guide', 'the space is locked')

  const other = await importing(docs, '--new')
  assert.notEqual(other.spaceId, first.spaceId)
  const plain = await importing(docs, '--space', first.spaceId)
  assert.match(plain.err, /locked.*With --sync, a change request gets the changes/)
})

test('a branch of a git repository is imported, with the dates of its history', async () => {
  const repository = createRepository(join(folder.path, 'handbook.git'))
  repository.commit({ 'docs/README.md': '# Home\n', 'docs/old page.md': '# Old\n' }, '2020-01-01T00:00:00Z')
  repository.commit({ 'docs/README.md': '# Home\n\nNew.\n', 'other.md': '# Other\n' }, '2021-01-01T00:00:00Z')
  repository.git('checkout', '--quiet', '-b', 'next')
  const oid = repository.commit({ 'docs/next.md': '# Next\n' }, '2022-01-01T00:00:00Z')
  repository.git('checkout', '--quiet', 'main')

  const main = await importing(repository.url, '--path', 'docs/')
  assert.equal(main.code, 0, main.err)
  const pages = await pagesOf(main.spaceId)
  assert.deepEqual(
    pages.map(({ title, createdAt, updatedAt, git }) => [title, git.path, createdAt, updatedAt]),
    [
      ['Home', 'README.md', '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
      ['Old', 'old page.md', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'],
    ],
  )

  const next = await importing(repository.url, '--path', 'docs', '--branch', 'next')
  assert.equal(next.code, 0, next.err)
  assert.notEqual(next.spaceId, main.spaceId)
  const { body } = await ada(`GET /v1/spaces/${next.spaceId}/git/info`)
  assert.deepEqual(
    [body.kind, body.url, body.branch, body.path, body.oid, body.name],
    ['git', repository.url, 'next', 'docs', oid, 'handbook/docs'],
  )
  const again = await importing(repository.url, '--branch', 'main', '--path', 'docs', '--no-dates')
  assert.equal(again.spaceId, main.spaceId)
  assert.match(again.out, /0 created, 0 changed, 0 deleted/)
})

test('hooks, filters and symbolic links of a repository do nothing', async () => {
  const repository = createRepository(join(folder.path, 'hostile'))
  const mark = join(folder.path, 'mark')
  writeFileSync(join(repository.folder, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${mark}\n`, {
    mode: 0o755,
  })
  symlinkSync('/etc/passwd', join(repository.folder, 'secret.md'))
  repository.commit({ 'README.md': '# Home\n', '.gitattributes': '*.md filter=bad export-ignore\n' })
  const result = await importing(repository.url)
  assert.equal(result.code, 3, result.err)
  assert.match(result.out, /1 symbolic link or special file is not imported\n {6}secret\.md\n/)
  assert.deepEqual((await pagesOf(result.spaceId)).length, 1)
})

test('messages name the flag that mends the fault', async () => {
  const repository = createRepository(join(folder.path, 'small'))
  repository.commit({ 'README.md': '# Home\n' })
  const empty = createRepository(join(folder.path, 'empty'))
  const page = join(folder.path, 'page.md')
  writeFileSync(page, '# Page\n')
  const cases: [string[], RegExp][] = [
    [[repository.url, '--branch', 'none'], /--branch/],
    [[repository.url, '--path', 'none'], /no folder "none".*--path/],
    [[empty.url], /no commits.*--branch/s],
    [[`file://${folder.path}/nowhere`], /does not (?:exist|appear)/],
    [[folder.path, '--branch', 'main'], /--branch is for git URLs.*file:\/\//],
    [[page, '--path', 'docs'], /--path is for git repositories and folders.*--root/],
    [[join(folder.path, 'none')], /is not a file or a folder\. Name an archive/],
    [['ext::sh -c touch% x'], /is not a file or a folder/],
    [['--upload-pack=touch x', '--new'], /Unknown option|unknown/i],
    [[page, '--new', '--sync'], /--new makes a space/],
    [[page, '--org', 'none'], /no organization "none".*--org/],
  ]
  for (const [args, message] of cases) {
    const { code, err } = await importing(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /\n {4}at /)
  }
  for (const [args, message] of [
    [['--url', world.url, '--token', 'wrong'], /--token/],
    [['--url', 'docs.example.com', '--token', 'x'], /--url must be an address/],
    [['--url', `${world.url}/v2`, '--token', ada.token], /--url/],
  ] as const) {
    const { err } = await runHere(['import', page, ...args], { LECTERN_DATA: folder.path })
    assert.match(err, message)
  }
  const slash = await runHere([
    'import',
    page,
    '--no-site',
    '--url',
    `${world.url}/v1/`,
    '--token',
    ada.token,
  ])
  assert.equal(slash.code, 0, slash.err)
})
