import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { importCorpus } from './import.ts'
import { type Running, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const P99_MS = 50
const MOST_MS = 250

const PAGE = 'getting-started/concepts'
const TABLE = `${'| a '.repeat(10)}|\n${'|---'.repeat(10)}|\n${`${'| *b* '.repeat(10)}|\n`.repeat(20)}\n`
const LARGEST = TABLE.repeat(45)

/** The place of an attack: a space and a published site of an organization that nobody else is in. */
interface Attacked {
  organization: string
  space: string
  /** The address of the site on the host of the API. */
  site: string
}

/** Runs once; an attack repeats it until its time is over. */
type Attack = (lectern: Running, attacked: Attacked, round: number) => Promise<unknown>

const ATTACKS: Record<string, Attack> = {
  nothing: () => wait(100),
  'batches of the largest tables': (lectern, { space }, round) =>
    Promise.all(
      [0, 1, 2, 3].map((index) => insert(lectern, space, `# Tables ${round} ${index}\n\n${LARGEST}`)),
    ),
  'first renderings of the largest pages': async (lectern, { space, site }, round) => {
    await insert(lectern, space, `---\ntitle: Rendered ${round}\n---\n\n${LARGEST}`)
    const paths = [0, 1, 2, 3].map((index) => `rendered-${round}${index % 2 === 0 ? '' : '.md'}`)
    await Promise.all(paths.map(async (path) => (await fetch(site + path)).arrayBuffer()))
  },
  'slow code': async (lectern, { space, site }, round) => {
    const line = 'var x = from a in b where a.c == "d" select new { a, e = $"{a}" }; // f\n'
    const blocks = Array.from(
      { length: 80 },
      (_, index) => `\`\`\`csharp\n// ${round} ${index}\n${line.repeat(150)}\`\`\``,
    )
    await insert(lectern, space, `---\ntitle: Code ${round}\n---\n\n${blocks.join('\n\n')}`)
    await (await fetch(`${site}code-${round}`)).arrayBuffer()
  },
  'imports of 50 MB': async (lectern, { organization, space }, round) => {
    const bytes = zipSync(
      Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [
          `f${round}-${index}.bin`,
          new Uint8Array(1_000_000).fill(index),
        ]),
      ),
      { level: 0 },
    )
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const upload = await lectern.call('POST', `/v1/orgs/${organization}/storage/upload`, {
          file: { name: 'a.zip', type: 'application/zip', size: bytes.length },
          kind: 'import_file',
        })
        const { pathname, search } = new URL(upload.url as string)
        await fetch(lectern.url + pathname + search, { method: 'PUT', body: Buffer.from(bytes) })
        await send(lectern, `/v1/spaces/${space}/content/import`, { url: upload.url, source: 'zip' })
      }),
    )
  },
  'merges of rewritten pages': async (lectern, { space }, round) => {
    const words = (side: string) =>
      Array.from({ length: 8000 }, (_, index) => `Paragraph ${index} of ${side} ${index * 7}`).join('\n\n')
    await insert(lectern, space, `# Merged ${round}\n\n${words('base')}`)
    const { pages } = await lectern.call('GET', `/v1/spaces/${space}/content/pages`)
    const page = (pages as { id: string }[]).at(-1)!.id
    const update = (side: string) => ({
      changes: [{ operation: 'update_page', page, document: { markdown: words(side) } }],
    })
    const change = await lectern.call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Own' })
    const base = `/v1/spaces/${space}/change-requests/${String(change.id)}`
    await send(lectern, `${base}/content`, update('own'))
    await send(lectern, `/v1/spaces/${space}/content`, update('primary'))
    await send(lectern, `${base}/merge`, undefined)
  },
  'unknown paths': (_, { site }, round) =>
    Promise.all(
      Array.from({ length: 20 }, async (__, index) =>
        (await fetch(`${site}no-${round}-${index}/x`)).arrayBuffer(),
      ),
    ),
  '7 MB of keys to sign in with': async (lectern) => {
    const body = `{${Array.from({ length: 560_000 }, (_, index) => `"key${index}":1`).join(',')}}`
    await Promise.all(
      [1, 2, 3].map(() =>
        fetch(`${lectern.url}/v1/account/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }).then(
          async (answer) => answer.arrayBuffer(),
          () => undefined,
        ),
      ),
    )
  },
}

/** What other organizations notice of attacks, and whether the memory of the server returns to its level. */
export async function attacks(): Promise<Result[]> {
  await using lectern = await startLectern({ LECTERN_LOG: 'silent' }, '0,1')
  const { site } = await importCorpus(lectern, 'elsa-docs')
  const { host, pathname } = new URL(site)
  const { items } = await lectern.call('GET', '/v1/orgs')
  const [first] = items as { id: string }[]
  const spaces = await lectern.call('GET', `/v1/orgs/${first!.id}/spaces`)
  const [space] = spaces.items as { id: string }[]
  const attacked = await attackedOf(lectern)
  const headers = { authorization: `Bearer ${lectern.token}` }
  const addresses = {
    '/livez': [`${lectern.url}/livez`, {}],
    'a warm page': [`${lectern.url}/sites/${host.split('.')[0]}${pathname}${PAGE}`, {}],
    'GET of a space': [`${lectern.url}/v1/spaces/${space!.id}`, headers],
  } as const

  const results: Result[] = []
  const levels: number[] = []
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const times = await bystanding(Object.values(addresses), () => repeat(lectern, attacked, attack))
    levels.push(memoryOf(lectern))
    for (const [index, what] of Object.keys(addresses).entries()) {
      const sorted = times[index]!.toSorted((a, b) => a - b)
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
      const most = sorted.at(-1) ?? Number.NaN
      results.push({
        scenario: `${what} during ${name}, ms: 99th percentile and longest of ${sorted.length}`,
        ours: `${p99.toFixed(1)} and ${most.toFixed(1)}`,
        reference: `${P99_MS} and ${MOST_MS}`,
        ratio: Math.max(p99 / P99_MS, most / MOST_MS),
        spread: `${sorted[0]?.toFixed(1)}–${most.toFixed(1)}`,
        goal: '≤ 1',
      })
    }
  }
  await wait(60_000)
  const [before = Number.NaN] = levels
  const after = memoryOf(lectern)
  results.push({
    scenario: 'memory a minute after the attacks / before them, MB',
    ours: after.toFixed(0),
    reference: before.toFixed(0),
    ratio: after / before,
    spread: `${Math.min(...levels).toFixed(0)}–${Math.max(...levels).toFixed(0)}`,
    goal: '≤ 1.1',
  })
  return results
}

async function attackedOf(lectern: Running): Promise<Attacked> {
  const { id } = await lectern.call('POST', '/v1/orgs', { title: 'Attacker' })
  const organization = String(id)
  const space = await lectern.call('POST', `/v1/orgs/${organization}/spaces`, {
    title: 'Attacked',
    editMode: 'live',
  })
  const made = await lectern.call('POST', `/v1/orgs/${organization}/sites`, {
    title: 'Attacked',
    spaces: [space.id],
  })
  const published = await lectern.call('POST', `/v1/orgs/${organization}/sites/${String(made.id)}/publish`)
  const { host, pathname } = new URL((published.urls as { published: string }).published)
  return {
    organization,
    space: String(space.id),
    site: `${lectern.url}/sites/${host.split('.')[0]}${pathname}`,
  }
}

async function repeat(lectern: Running, attacked: Attacked, attack: Attack): Promise<void> {
  const until = performance.now() + SECONDS * 1000
  for (let round = 0; performance.now() < until; round++) await attack(lectern, attacked, round)
}

function insert(lectern: Running, space: string, markdown: string): Promise<void> {
  return send(lectern, `/v1/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', document: { markdown } }],
  })
}

/** Sends a request of an attack. It may be refused, for example because too many wait. */
async function send({ url, token }: Running, path: string, body: unknown): Promise<void> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  if (answer.status >= 500 && answer.status !== 503) throw new Error(`${path} answered ${answer.status}`)
}

/** Runs `work` while another process requests the addresses. @returns the times of each address, in milliseconds */
async function bystanding(
  addresses: readonly (readonly [url: string, headers: object])[],
  work: () => Promise<void>,
): Promise<number[][]> {
  const args = addresses.flatMap(([url, headers]) => [url, JSON.stringify(headers)])
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bystander.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const printed = text(child.stdout)
  await wait(1000)
  await work()
  child.stdin.end()
  return JSON.parse(await printed) as number[][]
}

/** The memory of the server that is not shared with others, in megabytes (Linux). */
function memoryOf({ process: { pid } }: Running): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
