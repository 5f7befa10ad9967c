/** The server imports a branch of a repository of another host into a space, and pushes a space to one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentAt } from '../imports/syncing.ts'
import { createWorld } from '../world.ts'
import { HOST_TOKEN, startGitHost } from './git-host.ts'
import { MAIN_BRANCH as main, REPOSITORY_FILES as FILES, syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const lines: string[] = []
const world = await createWorld(
  { LECTERN_LOG: 'info' },
  { logTo: { write: (line) => void lines.push(line) } },
)
const { ada, organizationId } = world
const { liveSpace, edit } = syncedSpacesIn(world)

async function importing(space: string, url: string, more: object = {}) {
  const answer = await ada(`POST ${space}/git/import`, { url, ...main, ...more })
  assert.equal(answer.status, 204, answer.text)
}

async function exporting(space: string, url: string, more: object = {}) {
  const answer = await ada(`POST ${space}/git/export`, {
    url,
    ...main,
    commitMessage: 'From the space',
    ...more,
  })
  assert.equal(answer.status, 204, answer.text)
}

test('a branch and a space take over what the other changed, and lose nothing', async () => {
  const { repository, address } = host.create('both')
  const start = repository.commit(FILES)
  const space = await liveSpace()
  await importing(space, address)
  const { texts } = await contentAt(world, space)
  assert.equal(texts['a.md'], FILES['docs/a.md'])
  const { body: info } = await ada(`GET ${space}/git/info`)
  assert.deepEqual([info.url, info.branch, info.path, info.oid], [address, 'main', 'docs', start])

  // Nothing changed, so that there is no commit and no revision.
  const { revision } = await contentAt(world, space)
  await exporting(space, address)
  await importing(space, address)
  assert.equal((await contentAt(world, space)).revision, revision)
  assert.equal(repository.git('rev-parse', 'main').trim(), start)

  await edit(space, 'A', '# A\n\nOne, in the space.\n\nTwo.\n')
  const other = repository.commit({
    'docs/a.md': '# A\n\nOne.\n\nTwo, in the branch.\n',
    'docs/c.txt': 'Kept',
  })
  const refused = await ada(`POST ${space}/git/export`, { url: address, ...main, commitMessage: 'Lost?' })
  assert.equal(refused.status, 409, refused.text)
  assert.equal(refused.body.error.reason, 'repository-unseen-changes')

  await importing(space, address)
  const merged = '# A\n\nOne, in the space.\n\nTwo, in the branch.\n'
  assert.equal((await contentAt(world, space)).texts['a.md'], merged)
  await exporting(space, address, { commitMessage: 'From the space\n\nWith a body' })
  assert.deepEqual(repository.files(), { ...FILES, 'docs/a.md': merged, 'docs/c.txt': 'Kept' })
  const shown = repository.git('log', '-1', '--format=%an <%ae>%n%P%n%B').trim().split('\n')
  const { body: user } = await ada('GET /v1/user')
  assert.deepEqual(shown, [
    `${user.displayName} <${ada.id}@users.invalid>`,
    other,
    'From the space',
    '',
    'With a body',
  ])
})

test('changes of the same text, and those of a locked space, are in a change request', async () => {
  const { repository, address } = host.create('conflicts')
  repository.commit(FILES)
  const space = await liveSpace()
  await importing(space, address)
  await edit(space, 'A', '# A\n\nOne, here.\n\nTwo.\n')
  repository.commit({ 'docs/a.md': '# A\n\nOne, there.\n\nTwo.\n' })
  const { revision } = await contentAt(world, space)
  await importing(space, address)
  assert.equal((await contentAt(world, space)).revision, revision)
  const { body: info } = await ada(`GET ${space}/git/info`)
  const { body: conflicts } = await ada(`GET ${space}/change-requests/${info.changeRequest}/conflicts`)
  assert.equal(conflicts.items.length, 1)

  const other = await liveSpace()
  await importing(other, address, { standalone: true })
  assert.deepEqual((await contentAt(world, other)).pages, [])
  const { body: proposed } = await ada(`GET ${other}/git/info`)
  const { texts } = await contentAt(world, `${other}/change-requests/${proposed.changeRequest}`)
  assert.equal(texts['b.md'], '# B\n')
})

test('content that was never synced with the branch is replaced only with force', async () => {
  const { repository, address } = host.create('first')
  repository.commit(FILES)
  const space = await liveSpace()
  await edit(space, 'Mine', 'Text\n')
  const refused = await ada(`POST ${space}/git/import`, { url: address, ...main })
  assert.equal(refused.status, 409)
  assert.equal(refused.body.error.reason, 'repository-would-replace')
  await importing(space, address, { force: true })
  assert.deepEqual(
    (await contentAt(world, space)).pages.map(({ title }) => title),
    ['Home', 'A', 'B'],
  )
})

test('an export begins a missing branch at the main one, and one of an empty repository', async () => {
  const { repository, address } = host.create('branches')
  repository.commit(FILES)
  const space = await liveSpace()
  await importing(space, address)
  await edit(space, 'B', '# B\n\nNew.\n')
  await exporting(space, address, { ref: 'refs/heads/docs/next' })
  assert.equal(repository.git('show', 'docs/next:docs/b.md'), '# B\n\nNew.\n')
  assert.equal(repository.git('show', 'docs/next:LICENSE'), 'Free\n')
  assert.equal(repository.git('show', 'main:docs/b.md'), '# B\n')

  const empty = host.create('empty')
  await exporting(space, empty.address)
  assert.equal(empty.repository.git('show', 'main:docs/b.md'), '# B\n\nNew.\n')
})

test('credentials reach the host, and neither the database nor the log', async () => {
  const { repository, address } = host.create('closed')
  repository.commit(FILES)
  const space = await liveSpace()
  const closed = await ada(`POST ${space}/git/import`, { url: address, ...main })
  assert.equal(closed.body.error.reason, 'repository-refuses')
  const wrong = await ada(`POST ${space}/git/import`, {
    url: address.replace('//', '//bot:wrong-token@'),
    ...main,
  })
  assert.equal(wrong.status, 409)
  assert.doesNotMatch(wrong.text, /wrong-token/)

  const { user, token } = HOST_TOKEN
  const withToken = address.replace('//', `//${user}:${token}@`)
  await importing(space, withToken)
  await edit(space, 'B', '# B\n\nNew.\n')
  await exporting(space, withToken)
  assert.equal(repository.files()['docs/b.md'], '# B\n\nNew.\n')
  assert.equal((await ada(`GET ${space}/git/info`)).body.url, address)

  const { body: events } = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=100`)
  const { body: info } = await ada(`GET ${space}/git/info`)
  const basic = Buffer.from(`${user}:${token}`).toString('base64')
  for (const text of [JSON.stringify(events), JSON.stringify(info), lines.join('')]) {
    assert(text.length > 0)
    assert(!text.includes(token) && !text.includes(basic) && !text.includes('wrong-token'))
  }
  assert.match(JSON.stringify(events), /space\.git\.import/)
})

test('only addresses that the server may reach are read, and no redirect is followed', async () => {
  const { repository, address } = host.create('moved')
  repository.commit(FILES)
  const space = await liveSpace()
  const refuse = async (url: string, reason: string) => {
    for (const [way, more] of [
      ['import', {}],
      ['export', { commitMessage: 'No' }],
    ] as const) {
      const answer = await ada(`POST ${space}/git/${way}`, { url, ...main, ...more })
      assert(answer.status >= 400, url)
      const { error } = answer.body
      assert.equal(error.details?.[0]?.reason ?? error.reason, reason, `${url}: ${answer.text}`)
    }
  }
  await refuse('http://169.254.169.254/latest.git', 'address-private')
  await refuse('https://[::1]/docs.git', 'address-private')
  await refuse('http://10.0.0.1/docs.git', 'address-private')
  await refuse('https://bot:secret@10.0.0.1/docs.git', 'address-private')
  for (const url of ['file:///etc', 'ssh://git@127.0.0.1/docs.git', 'ext::sh', 'git://127.0.0.1/docs.git'])
    await refuse(url, 'repository-address-http')

  const before = host.requests.length
  host.intercept = (_request, response) => {
    response.writeHead(302, { location: `${host.url}/other.git/info/refs?service=git-upload-pack` }).end()
    return true
  }
  await refuse(address, 'repository-moved')
  assert.equal(host.requests.length, before + 2)
  host.intercept = (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end('0123456789012345678901234567890123456789\trefs/heads/main\n')
    return true
  }
  await refuse(address, 'repository-not-git')
  host.intercept = (_request, response) => {
    response.writeHead(500).end()
    return true
  }
  await refuse(address, 'repository-failing')
  host.intercept = undefined
  await refuse(`${host.url}/nowhere.git`, 'repository-missing')
})

test('a wrong branch or folder is named', async () => {
  const { repository, address } = host.create('wrong')
  repository.commit(FILES)
  const space = await liveSpace()
  const reasonOf = async (more: object) => {
    const { body } = await ada(`POST ${space}/git/import`, { url: address, ...main, ...more })
    return body.error.details?.[0]?.reason ?? body.error.reason
  }
  assert.equal(await reasonOf({ ref: 'refs/heads/none' }), 'repository-branch-missing')
  assert.equal(await reasonOf({ repoProjectDirectory: 'none' }), 'repository-folder-missing')
  assert.equal(await reasonOf({ repoProjectDirectory: '../docs' }), 'not-repository-path')
  for (const ref of [
    'main',
    'refs/heads/',
    'refs/heads/--upload-pack=x',
    'refs/heads/a..b',
    'refs/heads/a*',
    'refs/tags/v1',
  ])
    assert.equal(await reasonOf({ ref }), 'not-branch-ref', ref)
})

test('only who may trigger a sync imports and exports', async () => {
  const { repository, address } = host.create('roles')
  repository.commit(FILES)
  const space = await liveSpace()
  for (const [role, status] of [
    ['read', 403],
    ['edit', 403],
    ['create', 204],
  ] as const) {
    const person = await world.person(`Who may ${role}`, role)
    const { permissions } = (await person(`GET ${space}`)).body
    assert.equal(permissions.triggerGitSync, status === 204)
    const imported = await person(`POST ${space}/git/import`, { url: address, ...main })
    assert.equal(imported.status, status, imported.text)
    const body = { url: address, ...main, commitMessage: 'Change' }
    assert.equal((await person(`POST ${space}/git/export`, body)).status, status)
  }
})

test('a space names its repository on a host that clients know', async () => {
  const { body: made } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.md', type: 'text/markdown', size: 4 },
    kind: 'import_file',
  })
  await ada(`PUT ${made.url}`, new TextEncoder().encode('# Hi'))
  for (const [url, page, provider] of [
    ['https://github.com/acme/docs.git', 'https://github.com/acme/docs/tree/next/v2/a%20b', 'github'],
    ['git@gitlab.example.com:a/docs.git', 'https://gitlab.example.com/a/docs/-/tree/next/v2/a%20b', 'gitlab'],
    ['https://git.example.com/docs.git', undefined, undefined],
  ] as const) {
    const space = await liveSpace()
    const sync = { kind: 'git', key: '0'.repeat(64), name: 'docs', url, branch: 'next/v2', path: 'a b' }
    const answer = await ada(`POST ${space}/content/import`, { url: made.url, source: 'markdown', sync })
    assert.equal(answer.status, 201, answer.text)
    const { gitSync } = (await ada(`GET ${space}`)).body
    assert.deepEqual([gitSync?.url, gitSync?.installationProvider], [page, provider])
    const { items } = (await ada(`GET /v1/orgs/${organizationId}/spaces?limit=100`)).body
    const listed = (items as { id: string; gitSync?: object }[]).find(({ id }) => space.endsWith(id))
    assert.deepEqual(listed?.gitSync, gitSync)
  }
})
