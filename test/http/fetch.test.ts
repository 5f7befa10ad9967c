import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../src/http/errors.ts'
import { guardedFetch, mayReach } from '../../src/http/outgoing/guarded-fetch.ts'
import type { FetchLimits } from '../../src/http/outgoing/guarded-fetch.ts'
import { parseRanges } from '../../src/http/limits/networks.ts'

const loopback = parseRanges('127.0.0.0/8, ::1')
const limits: FetchLimits = { allow: loopback, maxBytes: 100_000, timeoutMs: 5000 }
const refused: FetchLimits = { ...limits, allow: [] }

interface Seen {
  method: string
  url: string
  headers: NodeJS.Dict<string | string[]>
  body: string
}

const seen: Seen[] = []
let server: Server
let other: Server
let base = ''
let otherBase = ''

async function answer(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = request.url ?? ''
  seen.push({
    method: request.method ?? '',
    url,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  })

  const target = new URL(url, 'http://x').searchParams.get('to')
  if (target !== null) {
    response.writeHead(url.startsWith('/keep') ? 307 : 302, { location: target }).end('moved')
    return
  }
  if (url === '/loop') {
    response.writeHead(301, { location: '/loop' }).end()
    return
  }
  if (url === '/large') {
    response.writeHead(200, { 'content-length': '100001' }).end(Buffer.alloc(100_001))
    return
  }
  if (url === '/endless') {
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.writeHead(200).on('drain', send)
    send()
    return
  }
  if (url === '/silent') return
  if (url === '/slow') {
    response.writeHead(200)
    for (let beat = 0; beat < 100 && !response.destroyed; beat++) {
      response.write('x')
      await pause(20)
    }
    response.end()
    return
  }
  if (url === '/gzip') {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('not asked for')
    return
  }
  response.writeHead(200, { 'content-type': 'text/plain', 'x-twice': ['a', 'b'] }).end('hello')
}

function port(of: Server): number {
  return (of.address() as AddressInfo).port
}

before(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  other = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await Promise.all([server, other].map((each) => new Promise((ready) => each.once('listening', ready))))
  base = `http://127.0.0.1:${port(server)}`
  otherBase = `http://127.0.0.1:${port(other)}`
})

after(() => {
  for (const each of [server, other]) {
    each.closeAllConnections()
    each.close()
  }
})

async function failure(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  return assert.fail('it was not refused')
}

describe('what is fetched', () => {
  test('an allowed address answers with status, headers, body and where it came from', async () => {
    const fetched = await guardedFetch(`${base}/a?b=c`, limits)

    assert.equal(fetched.status, 200)
    assert.equal(fetched.headers['content-type'], 'text/plain')
    assert.equal(fetched.headers['x-twice'], 'a, b')
    assert.equal(fetched.url, `${base}/a?b=c`)
    assert.equal((await fetched.bytes()).toString(), 'hello')
  })

  test('method, headers and body are sent', async () => {
    const fetched = await guardedFetch(`${base}/post`, limits, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
    await fetched.bytes()

    const last = seen.at(-1)
    assert.deepEqual(
      [last?.method, last?.body, last?.headers['content-type']],
      ['POST', '{}', 'application/json'],
    )
  })

  test('redirects are followed, and the name of a redirect that is relative is resolved', async () => {
    const fetched = await guardedFetch(`${base}/a?to=/b?to=${otherBase}/c`, limits)

    assert.equal((await fetched.bytes()).toString(), 'hello')
    assert.equal(fetched.url, `${otherBase}/c`)
  })

  test('a host is looked up once, and the connection goes to the address that was checked', async () => {
    const lookups: string[] = []
    const lookup = async (hostname: string) => {
      lookups.push(hostname)
      return lookups.length === 1 ? ['127.0.0.1'] : ['192.0.2.1']
    }
    const fetched = await guardedFetch(`http://docs.example:${port(server)}/`, { ...limits, lookup })

    assert.equal((await fetched.bytes()).toString(), 'hello')
    assert.deepEqual(lookups, ['docs.example'])
    assert.equal(seen.at(-1)?.headers['host'], `docs.example:${port(server)}`)
  })
})

describe('what is refused', () => {
  test('a secret by http, except to a network of the operator', async () => {
    const lookup = async () => ['93.184.215.14']
    const error = await failure(guardedFetch('http://git.example/a', { ...limits, lookup, isSecret: true }))
    assert.equal(error.reason, 'address-plain')
    assert.equal((await guardedFetch(`${base}/a`, { ...limits, isSecret: true })).status, 200)
  })

  const forms = [
    'http://127.0.0.1',
    'http://localhost',
    'http://LOCALHOST',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://127.1',
    'http://0',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::127.0.0.1]',
    'http://[2002:7f00:1::]',
    'http://①②⑦.⓪.⓪.①',
  ]
  for (const form of forms) {
    test(`${form} without a range that allows it`, async () => {
      const earlier = seen.length
      const error = await failure(guardedFetch(`${form}:${port(server)}/`, refused))

      assert.equal(error.status, 400)
      assert.match(error.message, /is not public/)
      assert.equal(seen.length, earlier, 'nothing reached the server')
    })
  }

  test('a name that resolves to a private address', async () => {
    for (const found of [
      ['127.0.0.1'],
      ['93.184.216.34', '10.0.0.1'],
      ['fd00::1'],
      ['::ffff:169.254.169.254'],
    ]) {
      const lookup = () => Promise.resolve(found)
      const error = await failure(
        guardedFetch(`http://rebind.example:${port(server)}/`, { ...refused, lookup }),
      )
      assert.match(error.message, /is not public and not in LECTERN_FETCH_ALLOW/)
      for (const address of found) assert(!error.message.includes(address), error.message)
    }
  })

  test('a redirect to an address that is not allowed', async () => {
    const earlier = seen.length
    const lookup = () => Promise.resolve(['127.0.0.2'])
    const onlyFirst = { ...limits, allow: parseRanges('127.0.0.1'), lookup }
    const error = await failure(
      guardedFetch(`${base}/?to=http://inside.example:${port(other)}/secret`, onlyFirst),
    )

    assert.match(error.message, /is not public/)
    assert.doesNotMatch(error.message, /127\.0\.0\.2/)
    assert.equal(seen.length, earlier + 1)
  })

  test('a redirect to another scheme, and schemes in general', async () => {
    const redirect = await failure(guardedFetch(`${base}/?to=file:///etc/passwd`, limits))
    assert.match(redirect.message, /must begin with http: or https:/)
    for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:,x', 'javascript:1']) {
      assert.equal((await failure(guardedFetch(address, limits))).status, 400)
    }
    assert.match((await failure(guardedFetch('not a url', limits))).message, /not a valid URL/)
  })

  test('user names and passwords in the address', async () => {
    const error = await failure(guardedFetch(`http://user:secret@127.0.0.1:${port(server)}/`, limits))

    assert.match(error.message, /user name or password/)
    assert.doesNotMatch(error.message, /secret/)
  })

  test('more than five redirects', async () => {
    const earlier = seen.length
    const error = await failure(guardedFetch(`${base}/loop`, limits))

    assert.match(error.message, /redirects more than 5 times/)
    assert.equal(seen.length - earlier, 6)
  })

  test('an encoding that was not asked for', async () => {
    assert.match((await failure(guardedFetch(`${base}/gzip`, limits))).message, /encoding/)
    assert.equal(seen.at(-1)?.headers['accept-encoding'], 'identity')
  })
})

describe('credentials', () => {
  const secrets = { Authorization: 'Bearer t', Cookie: 'a=b', 'X-Signature': 's', 'User-Agent': 'test' }

  test('headers are not sent on to another origin', async () => {
    await (await guardedFetch(`${base}/?to=${otherBase}/c`, limits, { headers: secrets })).bytes()

    const [first, second] = seen.slice(-2)
    assert.equal(first?.headers['authorization'], 'Bearer t')
    assert.deepEqual(
      [second?.headers['authorization'], second?.headers['cookie'], second?.headers['x-signature']],
      [undefined, undefined, undefined],
    )
    assert.equal(second?.headers['user-agent'], 'test')
  })

  test('headers are sent on within one origin', async () => {
    await (await guardedFetch(`${base}/?to=/c`, limits, { headers: secrets })).bytes()

    assert.equal(seen.at(-1)?.headers['authorization'], 'Bearer t')
  })

  test('a body is sent again only where the status says so', async () => {
    await (await guardedFetch(`${base}/keep?to=/c`, limits, { method: 'POST', body: 'b' })).bytes()
    assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['POST', 'b'])

    await (await guardedFetch(`${base}/?to=/c`, limits, { method: 'POST', body: 'b' })).bytes()
    assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['GET', ''])
  })

  test('a query does not appear in messages', async () => {
    const error = await failure(guardedFetch(`${base}/?token=secret`, refused))

    assert.doesNotMatch(error.message, /secret/)
  })
})

describe('bounds', () => {
  test('an answer that says it is too large is not read', async () => {
    const error = await failure(guardedFetch(`${base}/large`, limits))

    assert.equal(error.status, 413)
    assert.match(error.message, /larger than 100 kB/)
  })

  test('an answer that is too large without saying so ends with an error', async () => {
    const fetched = await guardedFetch(`${base}/endless`, limits)

    assert.equal((await failure(fetched.bytes())).status, 413)
  })

  test('an answer without a body may tell of a large one', async () => {
    const fetched = await guardedFetch(`${base}/large`, limits, { method: 'HEAD' })

    assert.equal(fetched.headers['content-length'], '100001')
    assert.equal((await fetched.bytes()).length, 0)
  })

  test('an answer of exactly the limit passes', async () => {
    const fetched = await guardedFetch(`${base}/large`, { ...limits, maxBytes: 100_001 })

    assert.equal((await fetched.bytes()).length, 100_001)
  })

  test('the time covers headers that never come', async () => {
    const error = await failure(guardedFetch(`${base}/silent`, { ...limits, timeoutMs: 100 }))

    assert.equal(error.status, 503)
    assert.match(error.message, /did not send a whole response within 0\.1 s/)
  })

  test('the time covers a body that trickles', async () => {
    const fetched = await guardedFetch(`${base}/slow`, { ...limits, timeoutMs: 800 })

    assert.match((await failure(fetched.bytes())).message, /did not send a whole response/)
  })

  test('the time covers a look-up that hangs', async () => {
    const lookup = () => pause(3000, [], { ref: false })
    const error = await failure(guardedFetch('http://slow.example/', { ...limits, timeoutMs: 100, lookup }))

    assert.match(error.message, /did not send a whole response/)
  })

  test('a body that nobody reads does no harm when the time is up', async () => {
    await guardedFetch(`${base}/slow`, { ...limits, timeoutMs: 60 })
    await pause(150)
  })

  test('a host that does not answer, or is not there, is said so', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const unknown = await failure(guardedFetch('http://nowhere.example/', { ...limits, lookup }))
    assert.deepEqual([unknown.status, unknown.message], [400, 'The host "nowhere.example" does not exist'])

    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((ready) => closed.once('listening', ready))
    const gone = port(closed)
    await new Promise((done) => closed.close(done))
    const error = await failure(guardedFetch(`http://127.0.0.1:${gone}/`, limits))
    assert.equal(error.status, 503)
    assert.match(error.message, /ECONNREFUSED/)
  })
})

describe('ranges', () => {
  test('public addresses are allowed, all others are not', () => {
    const open = ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8']
    const closed = [
      '0.0.0.0',
      '0.1.2.3',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.0.0.8',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::8.8.8.8',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:808:808::1',
      '3fff::1',
      '4000::1',
      'fc00::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      'localhost',
      '',
    ]
    for (const address of open) assert.equal(mayReach(address, []), true, address)
    for (const address of closed) assert.equal(mayReach(address, []), false, address)
  })

  test('a list opens what it names and nothing beside it', () => {
    const ranges = parseRanges(' 10.0.0.0/8,192.168.1.5 , fd00::/8,')

    assert.equal(ranges.length, 3)
    for (const address of ['10.9.9.9', '192.168.1.5', 'fd00::1', '::ffff:10.0.0.1']) {
      assert.equal(mayReach(address, ranges), true, address)
    }
    for (const address of ['11.0.0.1.', '192.168.1.6', 'fc00::1', '172.16.0.1']) {
      assert.equal(mayReach(address, ranges), false, address)
    }
  })

  test('an empty list is no ranges, and a wrong entry is named', () => {
    assert.deepEqual(parseRanges(''), [])
    for (const entry of ['localhost', '10.0.0.0/33', '10.0.0', '1', 'example.com/8']) {
      assert.throws(() => parseRanges(`10.0.0.0/8, ${entry}`), { message: new RegExp(`"${entry}"`) })
    }
  })
})
