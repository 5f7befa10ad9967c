import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { draftOn } from '../batches.ts'
import { upload } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const stranger = await world.stranger('Stranger')
const bob = await world.person('Bob', 'edit')

interface File {
  id: string
  name: string
  contentType: string
  size: number
  downloadURL: string
  dimensions?: object
}

/** Returns the files of a new change request. */
async function insertFiles(files: [name: string, content: string | Uint8Array][]): Promise<File[]> {
  const { send } = await draftOn(world)
  const { status, text, body } = await send({
    operation: 'insert_files',
    files: files.map(([name, content]) => ({
      name,
      base64: Buffer.from(content).toString('base64'),
      contentType: 'application/octet-stream',
    })),
  })
  assert.equal(status, 200, text)
  return body.insertedFiles
}

const range = (file: File, value: string, headers: Record<string, string> = {}) =>
  fetch(file.downloadURL, { headers: { range: value, ...headers } })

test('a request for one range returns that part, and a request for several returns the whole file', async () => {
  const [file] = await insertFiles([['a.txt', '0123456789']])
  const cases: [header: string, status: number, text: string, range: string | null][] = [
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['Bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99999999999999999999', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    [`bytes=${'9'.repeat(400)}-`, 416, '', 'bytes */10'],
    ['bytes=4-2', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ]
  for (const [header, status, text, contentRange] of cases) {
    const answer = await range(file!, header)
    assert.deepEqual(
      [answer.status, await answer.text(), answer.headers.get('content-range')],
      [status, text, contentRange],
      header,
    )
  }
})

test('If-Range returns a part only of the same bytes, and If-None-Match returns 304 for the same bytes', async () => {
  const [file] = await insertFiles([['a.txt', '0123456789']])
  const whole = await fetch(file!.downloadURL)
  const etag = whole.headers.get('etag') ?? ''
  assert.match(etag, /^"[^"]+"$/)

  const same = await range(file!, 'bytes=1-2', { 'if-range': etag })
  assert.deepEqual([same.status, await same.text()], [206, '12'])
  for (const other of ['"other"', `W/${etag}`, 'Fri, 20 Nov 2026 12:00:00 GMT']) {
    const answer = await range(file!, 'bytes=1-2', { 'if-range': other })
    assert.deepEqual([answer.status, await answer.text()], [200, '0123456789'], other)
  }
  for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const answer = await fetch(file!.downloadURL, { headers: { 'if-none-match': known } })
    assert.deepEqual([answer.status, await answer.text()], [304, ''], known)
  }
  const head = await fetch(file!.downloadURL, { method: 'HEAD', headers: { range: 'bytes=1-2' } })
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.headers.get('accept-ranges'), await head.text()],
    [200, '10', 'bytes', ''],
  )
})

test('the bytes decide the type of a file if its name has another type or none', async () => {
  const files = await insertFiles([
    ['photo.jpg', PNG],
    ['logo', PNG],
    ['notes', 'words'],
    ['page.html', '<script>1</script>'],
    ['data.xml', '<a/>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>'],
    ['paper.pdf', '%PDF-1.7\n'],
  ])
  const expected = [
    ['image/png', 'inline'],
    ['image/png', 'inline'],
    ['application/octet-stream', 'attachment'],
    ['text/plain; charset=utf-8', 'inline'],
    ['text/plain; charset=utf-8', 'inline'],
    ['image/svg+xml', 'inline'],
    ['application/pdf', 'inline'],
  ]
  assert.deepEqual(files[1]?.dimensions, { width: 1, height: 1 })
  assert.deepEqual(files[5]?.dimensions, { width: 4, height: 2 })
  for (const [place, file] of files.entries()) {
    const answer = await fetch(file.downloadURL)
    await answer.arrayBuffer()
    const [disposition] = (answer.headers.get('content-disposition') ?? '').split(';')
    assert.deepEqual([answer.headers.get('content-type'), disposition], expected[place], file.name)
    assert.equal(file.contentType, expected[place]![0])
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const policy = answer.headers.get('content-security-policy')
    if (file.name !== 'paper.pdf') assert.match(policy ?? '', /default-src 'none'.*sandbox/)
  }
})

test('a file can have any name, and downloads under it', async () => {
  const names = [
    'a "quoted" \\ name.txt',
    'two\r\nlines: x.txt',
    '说明 é 🚀.txt',
    'a/b/c.txt',
    "it's (1)*.txt",
    '100% ?#&.txt',
    '.',
    '..',
  ]
  for (const file of await insertFiles(names.map((name) => [name, name]))) {
    const answer = await fetch(file.downloadURL)
    assert.equal(answer.status, 200, JSON.stringify(file.name))
    await answer.arrayBuffer()
    const disposition = answer.headers.get('content-disposition') ?? ''
    const [, ascii, extended] = /^\w+; filename="([^"\\]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(
      disposition,
    ) ?? [undefined, undefined, undefined]
    assert.ok(ascii, disposition)
    const name = /^\.+$/.test(file.name) ? '_' : file.name
    assert.equal(decodeURIComponent(extended ?? ''), name)
  }
})

test('an upload can be used once, by its uploader, in its organization', async () => {
  const keyOf = (url: string) => new URL(url).pathname.split('/').at(-1)
  const bytes = Buffer.from('of ada')
  const key = keyOf(await upload(ada, organizationId, bytes, 'a.txt'))
  const insert = (name: string) => ({ operation: 'insert_files', files: [{ name, upload: key }] })

  const others = await draftOn(world, undefined, bob).catch(() => undefined)
  assert.equal(others === undefined ? 400 : (await others.send(insert('b.txt'))).status, 400)
  const theirs = await stranger(`POST /v1/orgs/${stranger.organizationId}/spaces`, { title: 'Theirs' })
  const opened = await stranger(`POST /v1/spaces/${theirs.body.id}/change-requests`, { subject: 'Take' })
  const taken = await stranger(
    `POST /v1/spaces/${theirs.body.id}/change-requests/${opened.body.id}/content`,
    { changes: [insert('c.txt')] },
  )
  assert.equal(taken.status, 400)

  const draft = await draftOn(world)
  const twice = await draft.send({
    operation: 'insert_files',
    files: [
      { name: 'one.txt', upload: key },
      { name: 'two.txt', upload: key },
    ],
  })
  assert.equal(twice.status, 200, twice.text)
  assert.equal((await draft.send(insert('three.txt'))).status, 400, 'used up')
  for (const { downloadURL } of twice.body.insertedFiles as File[])
    assert.equal(await (await fetch(downloadURL)).text(), 'of ada')

  const late = keyOf(await upload(ada, organizationId, bytes, 'late.txt'))
  world.clock.now = new Date(Date.now() + 25 * 3_600_000)
  const expired = await draft.send({ operation: 'insert_files', files: [{ name: 'a', upload: late }] })
  world.clock.now = undefined
  assert.equal(expired.status, 400)
})

test('an interrupted upload, or one of the wrong size, can be sent again', async () => {
  const announced = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.txt', type: 'text/plain', size: 10 },
    kind: 'import_file',
  })
  const url = new URL(announced.body.url)
  const put = async (body: string) => (await fetch(url, { method: 'PUT', body })).status

  const socket = connect(Number(url.port), url.hostname)
  const head = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/octet-stream\r\ncontent-length: 10\r\n\r\n`
  await new Promise<void>((resolve) => socket.write(`${head}01234`, () => resolve()))
  socket.destroy()

  assert.equal(await put('0123456789 and more'), 413)
  assert.equal(await put('01234'), 400)
  assert.equal((await fetch(url)).status, 404, 'nothing of it is there')

  const silent = connect(Number(url.port), url.hostname)
  const answer = once(silent, 'data')
  await new Promise<void>((resolve) => silent.write(`${head}01234`, () => resolve()))
  await setTimeout(50)
  assert.equal(await put('0123456789'), 204, 'a sender that fell silent holds nobody up')
  assert.match(String((await answer)[0]), /^HTTP\/1\.1 409/)
  silent.destroy()
  assert.equal(await put('9876543210'), 409)
  assert.equal(await (await fetch(url)).text(), '0123456789')
})
