/** Host names that visitors would trust for the wrong reason, and requests with two of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

test('no organization takes a name of the installation, by request or by its title', async () => {
  const path = `/v1/orgs/${organizationId}`
  for (const hostname of ['www', 'api', 'app', 'admin', 'localhost', 'mail', 'login', 'wpad', 'status']) {
    const { status, body } = await ada(`PATCH ${path}`, { hostname })
    assert.deepEqual([status, body.error?.details?.[0]?.path], [400, 'body.hostname'], hostname)
    assert(body.error.message.includes(`"${hostname}"`), body.error.message)
    const { hostname: derived } = (await ada('POST /v1/orgs', { title: hostname })).body
    assert.notEqual(derived, hostname)
    assert.match(derived, new RegExp(`^${hostname}-\\d+$`))
  }
  assert.equal((await ada(`PATCH ${path}`, { hostname: 'acme' })).status, 200)
  assert.equal((await ada(`PATCH ${path}`, { hostname: 'docs' })).status, 200)
})

test('no organization takes the name of the host of the API', async () => {
  const own = await createWorld({
    LECTERN_URL: 'https://manual.example.com',
    LECTERN_SITES_HOST: 'example.com',
  })
  const base = `http://127.0.0.1:${new URL(`http://${own.app.server.listeningOrigin.split('//')[1]}`).port}`
  const ask = (hostname: string) => own.ada(`PATCH ${base}/v1/orgs/${own.organizationId}`, { hostname })
  assert.equal((await ask('manual')).status, 400)
  assert.equal((await ask('manuals')).status, 200)
})

test('a request with two hosts is refused, to the API and to sites', async () => {
  const { port, host } = new URL(world.url)
  const answerTo = async (path: string, ...hosts: string[]) => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = hosts.map((one) => `${one}\r\n`).join('')
    socket.end(`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
    return (await text(socket)).split(' ')[1]
  }
  assert.equal(await answerTo('/v1', `Host: ${host}`), '200')
  for (const path of ['/v1', '/docs', '/livez', '/sites/docs/x/', '/nothing', '/%zz']) {
    assert.equal(await answerTo(path, `Host: ${host}`, 'Host: docs.localhost'), '400', path)
    assert.equal(await answerTo(path, 'hOST: docs.localhost', `Host: ${host}`), '400', path)
  }
  assert.equal(await answerTo('/v1'), '400', 'none')
})
