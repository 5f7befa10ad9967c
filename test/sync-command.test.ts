/** `lectern sync`, once and when a git host announces a push. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createRepository } from './git-repository.ts'
import { COMMAND, runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada } = world
const connection = ['--url', world.url, '--token', ada.token]
const env = { LECTERN_DATA: folder.path }
const SECRET = 'a-secret-of-the-webhook'

const repository = createRepository(join(folder.path, 'handbook.git'))
repository.commit({ 'README.md': '# Home\n' })

async function titlesOf(spaceId: string): Promise<string[]> {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
  return body.pages.map(({ title }: { title: string }) => title)
}

test('a source is synced with the space that it made', async () => {
  const unknown = await runHere(['sync', repository.url, ...connection], env)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /has not been imported yet; name the space .*--space/)
  for (const wrong of [
    ['--every', '5m30s'],
    ['--every', '1s'],
    ['--listen', 'port'],
    ['--listen', '8080'],
  ]) {
    const { code, err } = await runHere(['sync', repository.url, ...wrong, ...connection], env)
    assert.equal(code, 1)
    assert.match(err, /--every must be|--listen must be|LECTERN_WEBHOOK_SECRET/)
  }

  const { body } = await ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
    title: 'Synced',
    editMode: 'live',
  })
  const first = await runHere(['sync', repository.url, '--space', body.id, ...connection], env)
  assert.equal(first.code, 0, first.err)
  assert.doesNotMatch(first.out, /^Site/m)
  repository.commit({ 'guide.md': '# Guide\n\n{%- if a -%}\n\nSecret\n' })
  const second = await runHere(['sync', repository.url, ...connection], env)
  assert.deepEqual([second.code, second.err], [0, ''])
  assert.match(second.out, /1 created, 0 changed, 0 deleted/)
  assert.match(
    second.out,
    /^ {2}1 condition hides more than its author may have meant\n {6}guide\.md:3: "\{%- if a -%\}" is no condition, /m,
  )
  assert.deepEqual(await titlesOf(body.id), ['Home', 'Guide'])
})

test('a signed webhook starts a sync, and a fault does not end the command', async () => {
  const own = createRepository(join(folder.path, 'pushed.git'))
  own.commit({ 'README.md': '# Home\n' })
  const { body: space } = await ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
    title: 'Pushed',
    editMode: 'live',
  })
  const args = ['sync', own.url, '--space', space.id, '--listen', '127.0.0.1:0', ...connection]
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, HOME: folder.path, ...env, LECTERN_WEBHOOK_SECRET: SECRET },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  const until = async (isDone: () => boolean | Promise<boolean>) => {
    while (!(await isDone())) {
      assert.equal(child.exitCode, null, err)
      await wait(20)
    }
  }
  try {
    await until(() => /^Pages .* created/m.test(out))
    const [, address = ''] = /Webhooks are received at (\S+)/.exec(out) ?? []
    const send = async (headers: Record<string, string>, ref = 'refs/heads/main', method = 'POST') => {
      const body = JSON.stringify({ ref, repository: { default_branch: 'main' } })
      const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('SIGNATURE', signature)]),
      )
      const response = await fetch(address, { method, headers: sent, ...(method === 'POST' ? { body } : {}) })
      return response.status
    }
    const github = { 'x-github-event': 'push', 'x-hub-signature-256': 'SIGNATURE' }
    assert.equal(await send({}, undefined, 'GET'), 405)
    assert.equal(await send({ 'x-github-event': 'push' }), 401)
    assert.equal(await send({ ...github, 'x-hub-signature-256': 'sha256=00' }), 401)
    assert.equal(
      await send({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'another-secret-than-that' }),
      401,
    )
    assert.equal(await send({ ...github, 'x-github-event': 'ping' }), 200)
    assert.equal(await send(github, 'refs/heads/other'), 200)
    assert.equal(await send(github, 'refs/tags/v1'), 200)

    own.commit({ 'github.md': '# GitHub\n' })
    assert.equal(await send(github), 202)
    await until(async () => (await titlesOf(space.id)).includes('GitHub'))
    own.commit({ 'gitlab.md': '# GitLab\n' })
    assert.equal(await send({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET }), 202)
    await until(async () => (await titlesOf(space.id)).includes('GitLab'))

    renameSync(own.folder, `${own.folder}-away`)
    assert.equal(await send(github), 202)
    await until(() => /fatal/.test(err))
    renameSync(`${own.folder}-away`, own.folder)
    own.commit({ 'gitea.md': '# Gitea\n' })
    const gitea = { 'x-gitea-event': 'push', 'x-gitea-signature': 'SIGNATURE' }
    assert.equal(await send(gitea), 202)
    await until(async () => (await titlesOf(space.id)).includes('Gitea'))
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  assert.equal(child.exitCode, 0, err)
})
