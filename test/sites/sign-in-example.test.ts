/** The backend in the chapter on readers works as it is. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { freePort, temporaryFolder } from '../process.ts'
import { createWorld } from '../world.ts'
import { cookiesOf, siteForReaders } from './reading.ts'

const world = await createWorld()
const site = await siteForReaders(world, 'Example')
const CHAPTER = resolve(import.meta.dirname, '../../docs/readers.md')
const PORT = await freePort()
const backend = `http://127.0.0.1:${PORT}/login`

/** Sends a request to the backend, which may still be starting. */
async function ask(query: string, account: string): Promise<Response> {
  const headers = { authorization: `Basic ${Buffer.from(account).toString('base64')}` }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(backend + query, { headers, redirect: 'manual' })
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((again) => setTimeout(again, 100))
    }
  }
}

test('a reader signs in at the backend of the manual, and sees what is for their plan', async (t) => {
  const [, example = ''] = /```js\n([\s\S]*?)\n```/.exec(readFileSync(CHAPTER, 'utf8')) ?? []
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = join(folder.path, 'backend.mjs')
  writeFileSync(file, example)
  const env = {
    ...process.env,
    SITE_URL: world.url + site.base,
    SITE_KEY: site.privateKey,
    PORT: String(PORT),
  }
  const running = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  const ended = once(running, 'exit')
  t.after(async () => {
    running.kill()
    await ended
  })
  await world.ada(`PATCH ${site.at}/publishing/auth`, { backend: 'custom', fallbackURL: backend })
  await site.set({ visibility: 'visitor-auth' })

  const sent = await site.get('mixed')
  assert.deepEqual([sent.status, sent.headers.get('location')], [302, `${backend}?location=mixed`])
  for (const [path, within] of Object.entries({
    '..%2f..%2fx?q=1': 'x?q=1',
    '%20..%2f%09..%5c..%5cx': '..%5C..%5Cx',
    '%5c..%2fx': 'x',
    'a/..%2f.%2fb..': 'a/b..',
  })) {
    const { headers } = await site.get(path)
    assert.equal(new URL(headers.get('location')!).searchParams.get('location'), within, path)
  }
  assert.equal((await ask('?location=mixed', 'ada:wrong')).status, 401)
  assert.equal((await ask('?location=mixed', '__proto__')).status, 401)
  for (const [account, text] of [
    ['ada:lovelace', 'The secret text'],
    ['bob:builder', 'The free text'],
  ] as const) {
    const signedIn = await ask('?location=mixed', account)
    const { pathname, search, origin } = new URL(signedIn.headers.get('location')!)
    assert.equal(origin, new URL(world.url).origin)
    const arrived = await site.get(pathname + search)
    assert.deepEqual([arrived.status, arrived.headers.get('location')], [303, `${site.base}mixed`])
    const page = await site.get('mixed', { cookie: cookiesOf(arrived) })
    assert(page.text.includes(text), account)
  }
  for (const outside of ['../other/', 'a/../../other/', '..\\other/', '%2e%2e/other/', '.%2E/other/'])
    assert.equal((await ask(`?location=${encodeURIComponent(outside)}`, 'ada:lovelace')).status, 400, outside)
  const elsewhere = await ask(`?location=${encodeURIComponent('//evil.example/')}`, 'ada:lovelace')
  assert.equal(new URL(elsewhere.headers.get('location')!).origin, new URL(world.url).origin)
})
