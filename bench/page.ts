import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { importCorpus } from './import.ts'
import { startNginx } from './nginx.ts'
import { compare, cpuOf, median, type Running, spread, startLectern, startReference } from './measure.ts'
import { rateLine, type Result } from './result.ts'

const PAGE = 'getting-started/concepts'
const CONNECTIONS = 64

/** A published page, warm, with 64 connections; and the first rendering of every page of a site. */
export async function page(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { site } = await importCorpus(lectern, 'elsa-docs')
  const { host, pathname } = new URL(site)
  const headers = { Host: host, 'accept-encoding': 'br' }
  const at = (path: string) => `${lectern.url}${pathname}${path}`

  const first = await firstRenderings(lectern, at('sitemap.xml'), headers)
  const answer = await fetch(`${lectern.url}/sites/docs${pathname}${PAGE}`)
  if (answer.status !== 200) throw new Error(`${PAGE} answered ${answer.status}`)
  const { bytes, sent } = await compressed(at(PAGE), headers)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-page-'))
  const file = join(folder, 'page.br')
  writeFileSync(file, bytes)
  await using bare = await startReference('reference-bytes.ts', [file, JSON.stringify(sent)])

  await using nginx = await startNginx(folder, 'add_header content-encoding br;')

  const [ours = [], reference = [], files = []] = await compare(
    [
      { server: lectern, url: at(PAGE), headers },
      { server: bare, headers },
      { server: nginx, url: `${nginx.url}/page.br`, headers },
    ],
    CONNECTIONS,
  )
  rmSync(folder, { recursive: true })
  return [
    rateLine('published page, warm / node:http, same compressed bytes', ours, reference, '≥ 0.6'),
    rateLine('the same / nginx, same bytes as a file', ours, files, '≥ 0.5'),
    first,
  ]
}

/** The bytes as sent; `fetch` would unpack them. */
async function compressed(url: string, headers: Record<string, string>) {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<{
    bytes: Buffer
    sent: Record<string, string>
  }>()
  request(url, { headers }, (response) => {
    const { date: _date, connection: _connection, ...sent } = response.headers as Record<string, string>
    buffer(response).then((bytes) => resolve({ bytes, sent }), reject)
  })
    .on('error', reject)
    .end()
  return promise
}

async function firstRenderings(
  lectern: Running,
  sitemap: string,
  headers: Record<string, string>,
): Promise<Result> {
  // The server does not listen at the origin of the addresses in the sitemap.
  const here = (address: string) => lectern.url + new URL(address).pathname
  const times: number[] = []
  const before = cpuOf(lectern)
  for (const ofSpace of locations(await getText(sitemap, headers))) {
    for (const address of locations(await getText(here(ofSpace), headers))) {
      const started = performance.now()
      await getText(here(address), headers)
      times.push(performance.now() - started)
    }
  }
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  return {
    scenario: `first rendering of ${times.length} pages, ms: median and 95th percentile`,
    ours: `${median(times).toFixed(1)} and ${p95.toFixed(1)}`,
    reference: '15 and 60',
    ratio: median(times) / 15,
    spread: spread(times, 1),
    goal: '≤ 15 and ≤ 60',
    cpu: (cpuOf(lectern) - before) / times.length,
  }
}

const locations = (map: string) =>
  [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)

async function getText(url: string, headers: Record<string, string>): Promise<string> {
  const { bytes, sent } = await compressed(url, { ...headers, 'accept-encoding': 'identity' })
  if (sent.location) throw new Error(`${url} moved to ${sent.location}`)
  return bytes.toString()
}
