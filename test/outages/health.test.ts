/** What load balancers and operators see of an outage: `/readyz`, and the log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { s3Blobs } from '../../src/blobs/s3.ts'
import { readiness } from '../../src/server/health.ts'
import { watchedMail } from '../../src/server/watched-mail.ts'
import { runHere } from '../process.ts'
import { createWorld } from '../world.ts'
import { storageWorld } from './storage.ts'

const { world, bucket, blobs, log } = await storageWorld()
const db = { check: () => Promise.resolve() }

/** A body of `/readyz`. */
interface Ready {
  status?: string
  error?: { reason: string }
  checks: { name: string; status: string; reason?: string; message?: string }[]
}

test('a bucket that fails is in the body of /readyz, and the copy stays ready', async (t) => {
  t.after(() => bucket.fail(undefined))
  const read = async () => {
    const response = await fetch(`${world.url}/readyz`)
    return { status: response.status, body: (await response.json()) as Ready }
  }
  await bucket.fail('500')
  const { status, body } = await read()
  assert.deepEqual([status, body.status], [200, 'ready'])
  const [database, files] = body.checks
  assert.deepEqual([database?.name, database?.status], ['database', 'ok'])
  assert.deepEqual([files?.name, files?.status, files?.reason], ['files', 'failing', 'file-store-busy'])
  assert.match(files?.message ?? '', /accepts no requests/)

  const before = bucket.requests.length
  assert.equal(before, 1, 'one request, without retries')
  await Promise.all(Array.from({ length: 20 }, read))
  assert.equal(bucket.requests.length, before, 'many requests cause one check')
})

test('a bucket that hangs is in the result within two seconds, and one check waits for it', async (t) => {
  t.after(() => bucket.fail(undefined))
  const check = readiness({ db, blobs: blobs('usual') })
  await bucket.fail('hang')
  const { refusal, checks } = await check()
  assert.equal(refusal, undefined)
  assert.deepEqual(
    checks.map(({ name, fault }) => [name, fault?.reason]),
    [
      ['database', undefined],
      ['files', 'file-store-slow'],
    ],
  )
  assert.equal(bucket.requests.length, 1)
})

test('a bucket that does not exist, and one that refuses the credentials, are reported with what to check', async () => {
  const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const wrongKey = { accessKeyId: 'WRONG', secretAccessKey: 'WRONG' }
  for (const [cause, options] of [
    [/returned 404 .*\/missing$/, { ...key, bucket: 'missing' }],
    [/returned 403 .*\/docs$/, { ...wrongKey, bucket: 'docs' }],
  ] as const) {
    const wrong = s3Blobs({ endpoint: bucket.url, region: 'us-east-1', ...options })
    await assert.rejects(wrong.check(), cause)
    const { refusal, checks } = await readiness({ db, blobs: wrong })()
    assert.equal(refusal, undefined)
    assert.equal(checks[1]?.fault?.reason, 'file-store-refused')
    assert.match(checks[1]?.fault?.message ?? '', /check the credentials and the bucket/)
  }
})

test('lectern doctor names the bucket that does not exist, and the variables to check', async () => {
  const { code, out } = await runHere(['doctor', '--json'], {
    LECTERN_DATA: world.config.data,
    LECTERN_S3_ENDPOINT: bucket.url,
    LECTERN_S3_BUCKET: 'missing',
    LECTERN_S3_ACCESS_KEY_ID: 'S3RVER',
    LECTERN_S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
  assert.equal(code, 1)
  const { checks } = JSON.parse(out) as { checks: { name: string; message: string; advice?: string }[] }
  const files = checks.find(({ name }) => name === 'files')
  assert.match(files?.message ?? '', /returned 404 NoSuchBucket to PUT \/missing\//)
  assert.match(files?.advice ?? '', /LECTERN_S3_.* the bucket/)
})

test('a disk of this copy that fails refuses requests', async () => {
  const own = { check: () => Promise.reject(new Error('broken')) }
  const { refusal } = await readiness({ db, blobs: own })()
  assert.equal(refusal?.reason, 'file-disk-silent')
})

test('the mail server is in the body of /readyz with the outcome of the last email', async () => {
  let error: Error | undefined
  const mail = {
    configured: true,
    send: () => (error ? Promise.reject(error) : Promise.resolve()),
  }
  const other = await createWorld({}, { mail })
  const { app, url } = other
  const email = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  const shown = async () => {
    const response = await fetch(`${url}/readyz`)
    assert.equal(response.status, 200)
    return ((await response.json()) as Ready).checks.find(({ name }) => name === 'mail')
  }
  assert.deepEqual(await shown(), { name: 'mail', status: 'ok' })
  error = Object.assign(new Error('no connection'), { code: 'ESOCKET' })
  await assert.rejects(app.services.mail.send(email))
  assert.equal((await shown())?.reason, 'mail-failing')
  error = undefined
  await app.services.mail.send(email)
  assert.equal((await shown())?.status, 'ok')
})

test('a refused recipient is no fault of the mail server, and a refused sender is', async () => {
  for (const [command, reason] of [
    ['RCPT TO', undefined],
    ['DATA', undefined],
    ['MAIL FROM', 'mail-failing'],
  ] as const) {
    const fields = { code: 'EENVELOPE', command, responseCode: 550 }
    const error = Object.assign(new Error('550 refused'), fields)
    const mail = watchedMail({ configured: true, send: () => Promise.reject(error) })
    await assert.rejects(mail.send({ to: 'gone@example.com', subject: 'Hello', text: 'Hello' }))
    assert.equal(mail.fault()?.reason, reason, command)
  }
})

test('/healthz is /livez', async () => {
  for (const path of ['/livez', '/healthz']) {
    const response = await fetch(world.url + path)
    assert.deepEqual([response.status, await response.text()], [200, '{"status":"live"}'])
  }
})

test('an outage is logged once in a minute, not for each request', async (t) => {
  t.after(() => bucket.fail(undefined))
  const { ada, nobody, organizationId } = world
  const { body } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size: 3 },
    kind: 'import_file',
  })
  const { pathname, search } = new URL(body.url as string)
  await bucket.fail('another protocol')
  log.length = 0
  for (let i = 0; i < 5; i++) {
    const sent = await nobody(`PUT ${pathname}${search}`, Buffer.from('abc'), {
      'content-type': 'application/octet-stream',
    })
    assert.equal(sent.status, 503)
  }
  const lines = log.filter((line) => line.includes('the store of uploaded files does not work'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /does not match the HTTP/, 'with the error of the connection')
})
