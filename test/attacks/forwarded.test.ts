/** Clients who choose their address: only what a trusted proxy added counts. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/installation/config.ts'
import { clientOf, parseRanges } from '../../src/http/limits/networks.ts'
import { type ForwardingHeader, originReader } from '../../src/http/request/proxies.ts'
import { cpuTime } from '../cpu.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_RATE_LIMIT: '3' })
const direct = await createWorld({ LECTERN_RATE_LIMIT: '3', LECTERN_TRUSTED_PROXIES: '10.0.0.1' })

const TRUSTED = parseRanges('127.0.0.1, ::1, 10.0.0.0/8')
const from = (
  headers: Record<string, string>,
  { peer = '127.0.0.1', header }: { peer?: string; header?: ForwardingHeader } = {},
) =>
  originReader(
    TRUSTED,
    header,
  )({
    headers: { host: 'asked.example.com', ...headers },
    socket: { remoteAddress: peer },
  } as unknown as IncomingMessage)

const forwardedFor = (list: string, peer?: string) =>
  from({ 'x-forwarded-for': list }, { ...(peer && { peer }) }).ip

describe('X-Forwarded-For', () => {
  test('the client is the last address that is not a trusted proxy', () => {
    assert.equal(forwardedFor('192.0.2.1'), '192.0.2.1')
    assert.equal(forwardedFor('192.0.2.1, 10.1.2.3'), '192.0.2.1', 'a chain of proxies')
    assert.equal(forwardedFor('203.0.113.9, 192.0.2.1'), '192.0.2.1', 'the client wrote the first')
    assert.equal(forwardedFor('10.5.5.5, 192.0.2.1, 10.1.2.3'), '192.0.2.1')
    assert.equal(forwardedFor('10.5.5.5, 10.1.2.3'), '10.5.5.5', 'all are trusted')
  })

  test('what a client writes is ignored without a proxy', () => {
    assert.equal(forwardedFor('192.0.2.1', '198.51.100.1'), '198.51.100.1')
    const { ip, host } = from(
      { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'other', forwarded: 'for=192.0.2.1;host=other' },
      { peer: '198.51.100.1' },
    )
    assert.deepEqual([ip, host], ['198.51.100.1', 'asked.example.com'])
  })

  test('addresses are read in every form, and other text stops the search', () => {
    assert.equal(forwardedFor('192.0.2.1:4711'), '192.0.2.1')
    assert.equal(forwardedFor('[2001:db8::1]:4711'), '2001:db8::1')
    assert.equal(forwardedFor('2001:DB8:0:0::1'), '2001:db8::1')
    assert.equal(forwardedFor('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(forwardedFor('192.0.2.1', '::ffff:127.0.0.1'), '192.0.2.1')
    for (const text of ['unknown', '', ',', '1.2.3', '[', '127.0.0.1\u0000', '-'])
      assert.equal(forwardedFor(text), '127.0.0.1', text)
    assert.equal(forwardedFor('192.0.2.1, unknown, 10.1.2.3'), '10.1.2.3')
  })

  test('the host is what the proxy was asked for', () => {
    assert.equal(from({ 'x-forwarded-for': '192.0.2.1' }).host, 'asked.example.com')
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'forged, docs.example.com' }
    assert.equal(from(headers).host, 'docs.example.com')
  })
})

describe('Forwarded', () => {
  test('has the client and the host in the element of the first trusted proxy', () => {
    const chain =
      'for=203.0.113.9;host=forged, for=192.0.2.1;host=docs.example.com;proto=https, for=10.1.2.3;host=inner'
    assert.deepEqual(from({ forwarded: chain }), { ip: '192.0.2.1', host: 'docs.example.com' })
    assert.equal(from({ forwarded: 'For="[2001:db8:cafe::17]:4711"; By=x' }).ip, '2001:db8:cafe::17')
    assert.equal(from({ forwarded: 'for="192.0.2.1";x="a, for=203.0.113.9"' }).ip, '192.0.2.1')
    for (const forwarded of [
      'for=_hidden',
      'for=unknown',
      'for',
      'for=',
      '"',
      'for="',
      '="',
      ';',
      'by=192.0.2.1',
    ])
      assert.equal(from({ forwarded }).ip, '127.0.0.1', forwarded)
  })

  test('is not read beside X-Forwarded-For, unless the configuration says so', () => {
    const headers = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'one',
      forwarded: 'for=203.0.113.9;host=two',
    }
    assert.deepEqual(from(headers), { ip: '192.0.2.1', host: 'one' })
    assert.deepEqual(from(headers, { header: 'forwarded' }), { ip: '203.0.113.9', host: 'two' })
    assert.deepEqual(from({ forwarded: 'for=203.0.113.9;host=two' }, { header: 'x-forwarded-for' }), {
      ip: '127.0.0.1',
      host: 'asked.example.com',
    })
  })

  test('reading takes time in proportion to its length', () => {
    const families = ['"', '\\"', '"\\', ',', ';', 'a', '=', 'for=', '"a",', '[', '1.', ':', 'for="[']
    for (const family of families) {
      const cost = (length: number) => {
        const forwarded = family.repeat(length / family.length)
        const start = cpuTime()
        for (let i = 0; i < 20; i++) from({ forwarded })
        return cpuTime() - start
      }
      cost(4000)
      const [short, long] = [cost(8000), cost(64_000)]
      assert(long <= 20 * Math.max(short, 5), `${family}: ${short} and ${long} ms`)
    }
  })
})

test('the limit of requests counts clients, which cannot choose their address', async () => {
  const ask = (ip: string, one = world) => one.nobody('GET /v1', undefined, { 'x-forwarded-for': ip })
  world.clock.now = direct.clock.now = new Date('2026-11-20T12:00:00.000Z')
  for (let i = 0; i < 3; i++) assert.equal((await ask(`198.51.100.${i}, 192.0.2.1`)).status, 200)
  assert.equal((await ask('192.0.2.1')).status, 429)
  assert.equal((await ask('192.0.2.2')).status, 200)
  for (let i = 1; i <= 3; i++) assert.equal((await ask(`2001:db8::${i}`)).status, 200)
  assert.equal((await ask('2001:db8::4')).status, 429, 'one client has a whole /64')

  for (let i = 0; i < 3; i++) assert.equal((await ask(`192.0.2.${i}`, direct)).status, 200)
  assert.equal((await ask('192.0.2.9', direct)).status, 429, 'this machine is no trusted proxy there')
  world.clock.now = direct.clock.now = undefined
})

test('a client is counted as an IPv4 address or a /64, and in the networks around it', () => {
  const names = (ip: string) => clientOf(ip).map(({ name }) => name)
  assert.deepEqual(names('192.0.2.1'), ['192.0.2.1', '192.0.2.0/24'])
  assert.deepEqual(clientOf('::ffff:192.0.2.1'), clientOf('192.0.2.1'))
  assert.deepEqual(clientOf('2001:db8::1'), clientOf('2001:db8::ffff'))
  assert.equal(names('2001:db8::1').length, 3)
})

test('the configuration refuses what is not a range or a header', () => {
  const config = readConfig({ LECTERN_TRUSTED_PROXIES: '10.0.0.0/8', LECTERN_FORWARDING_HEADER: 'Forwarded' })
  assert.equal(config.forwardingHeader, 'forwarded')
  assert.throws(() => readConfig({ LECTERN_TRUSTED_PROXIES: 'proxy' }), /LECTERN_TRUSTED_PROXIES: "proxy"/)
  assert.throws(() => readConfig({ LECTERN_FORWARDING_HEADER: 'x-real-ip' }), /X-Forwarded-For or Forwarded/)
})
