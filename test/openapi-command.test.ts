/** `lectern openapi publish`: a client of the running server. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runHere, startServer, temporaryFolder } from './process.ts'

const folder = temporaryFolder()
const data = join(folder.path, 'data')
const server = await startServer({
  LECTERN_DATA: data,
  PORT: '0',
  LECTERN_LOG: 'silent',
  LECTERN_FETCH_ALLOW: '127.0.0.0/8',
})
after(async () => {
  await server.stop()
  folder.remove()
})
const publish = (...args: string[]) => runHere(['openapi', 'publish', ...args], { LECTERN_DATA: data })
const source = (version: string) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: "${version}"}\npaths:\n  /pets: {get: {responses: {200: {$ref: "#/none"}}}}\n`

test('publishes a file, lists its mistakes, and says whether the version is new', async () => {
  const file = join(folder.path, 'Our pets.v1.yaml')
  writeFileSync(file, source('1'))
  const { code, out, err } = await publish(file)
  assert.equal(code, 0, err)
  assert.match(out, /^\/paths\/~1pets\/get\/responses\/200 refers to "#\/none", which is not there\n/)
  assert.match(out, /^Specification {2}http\S+\/openapi\/our-pets-v1$/m)
  assert.match(out, /^Version {8}\w+$/m)
  assert.match((await publish(file)).out, /^Version {8}\w+ \(unchanged\)$/m)
})

test('publishes a URL under a slug', async () => {
  const outside = createServer((_, response) => response.end(source('2')))
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
  const { port } = outside.address() as AddressInfo
  const { code, out, err } = await publish(`http://127.0.0.1:${port}/x.yaml`, '--slug', 'pets')
  outside.close()
  assert.equal(code, 0, err)
  assert.match(out, /\/openapi\/pets$/m)
})

test('a specification that the server refuses ends with 1 and the reason, and so does a wrong call', async () => {
  const file = join(folder.path, 'bad.json')
  writeFileSync(file, '{"openapi":"9"}')
  const refused = await publish(file)
  assert.deepEqual([refused.code, /PARSE_ERROR/.test(refused.out)], [1, true], refused.out)
  assert.match(refused.out, /"openapi" with a version of/)
  for (const args of [[], ['a', 'b'], [join(folder.path, 'none.json')], [file, '--slug', 'Not a slug']]) {
    const { code, err } = await publish(...args)
    assert.equal(code, 1)
    assert.doesNotMatch(err, /\n {4}at /)
  }
})

test('compares two files, and ends with 1 if a change breaks clients', async () => {
  const write = (name: string, paths: object) => {
    const file = join(folder.path, name)
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths }))
    return file
  }
  const [old, more] = [
    write('old.json', { '/a': { get: {} } }),
    write('more.json', { '/a': { get: {}, put: {} } }),
  ]
  const added = await runHere(['openapi', 'diff', old, more])
  assert.deepEqual(
    [added.code, added.out],
    [0, 'safe       PUT /a: was added\n0 breaking, 0 perhaps breaking, 1 safe\n'],
    added.err,
  )
  const removed = await runHere(['openapi', 'diff', more, old])
  assert.equal(removed.code, 1)
  assert.match(removed.out, /^breaks {5}PUT \/a: was removed$/m)
  for (const args of [[old], [old, join(folder.path, 'none.json')], [old, join(folder.path, 'bad.json')]]) {
    const { code, err } = await runHere(['openapi', 'diff', ...args])
    assert.equal(code, 1)
    assert.ok(err.length > 0 && !/\n {4}at /.test(err), err)
  }
})
