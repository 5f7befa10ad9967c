import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { importCorpus } from './import.ts'
import { compare, median, spread, startLectern, startReference } from './measure.ts'
import type { Result } from './result.ts'

const PAGE = 'getting-started/concepts'

/** A published page, warm; and the first rendering of every page of a site. */
export async function page(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { site } = await importCorpus(lectern, 'elsa-docs')
  const { host, pathname } = new URL(site)
  const headers = { Host: host, 'accept-encoding': 'br' }
  const at = (path: string) => `${lectern.url}${pathname}${path}`

  const first = await firstRenderings(at, headers)
  const answer = await fetch(`${lectern.url}/sites/docs${pathname}${PAGE}`)
  if (answer.status !== 200) throw new Error(`${PAGE} answered ${answer.status}`)
  const { bytes, sent } = await compressed(at(PAGE), headers)
  const file = join(lectern.data, 'page.br')
  writeFileSync(file, bytes)
  await using bare = await startReference('reference-bytes.ts', [file, JSON.stringify(sent)])

  const [ours = [], reference = []] = await compare([
    { url: at(PAGE), headers },
    { url: bare.url, headers },
  ])
  return [
    {
      scenario: 'published page, warm / node:http, same compressed bytes',
      ours: `${median(ours).toFixed(0)}/s`,
      reference: `${median(reference).toFixed(0)}/s`,
      ratio: median(ours) / median(reference),
      spread: spread(ours),
      goal: '≥ 0.6',
    },
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
  at: (path: string) => string,
  headers: Record<string, string>,
): Promise<Result> {
  const map = await getText(at('sitemap.xml'), headers)
  const paths = [...map.matchAll(/<loc>[^<]*?\/elsa-docs\/([^<]*)<\/loc>/g)].map(([, path = '']) => path)
  const times: number[] = []
  for (const path of paths) {
    const started = performance.now()
    await getText(at(path), headers)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  return {
    scenario: `first rendering of ${paths.length} pages, ms: median and 95th percentile`,
    ours: `${median(times).toFixed(1)} and ${p95.toFixed(1)}`,
    reference: '15 and 60',
    ratio: median(times) / 15,
    spread: spread(times, 1),
    goal: '≤ 15 and ≤ 60',
  }
}

async function getText(url: string, headers: Record<string, string>): Promise<string> {
  const { bytes, sent } = await compressed(url, { ...headers, 'accept-encoding': 'identity' })
  if (sent.location) throw new Error(`${url} moved to ${sent.location}`)
  return bytes.toString()
}
