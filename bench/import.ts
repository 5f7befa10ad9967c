import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { markdownToMdast } from 'satteri'
import {
  type Connection,
  cpuOf,
  LOAD_CORE,
  median,
  type Running,
  SERVER_CORE,
  spread,
  startLectern,
} from './measure.ts'
import type { Result } from './result.ts'

/** The names of the corpora. */
export const CORPORA = ['elsa-docs', 'fluentd-docs', 'tidb-docs-zh'] as const
const RUNS = 5
/** The zip archive of a corpus. */
export const archive = (name: string) =>
  readFileSync(resolve(import.meta.dirname, `../../shared/corpus/${name}.zip`))

/** Imports a corpus into a new space, and publishes it. @returns how long the import itself took, in milliseconds */
export async function importCorpus(lectern: Running, name: string) {
  const { space, milliseconds } = await importArchive(lectern, name, archive(name))
  return { milliseconds, space, site: await publish(lectern, name, [space]) }
}

/** Imports a zip archive into a new space. @returns how long the import itself took, in milliseconds */
export async function importArchive(lectern: Connection, title: string, bytes: Buffer) {
  const organization = await organizationOf(lectern)
  const upload = await lectern.call('POST', `${organization}/storage/upload`, {
    file: { name: `${title}.zip`, type: 'application/zip', size: bytes.length },
    kind: 'import_file',
  })
  const { pathname, search } = new URL(upload.url as string)
  await fetch(lectern.url + pathname + search, { method: 'PUT', body: bytes })
  const space = await lectern.call('POST', `${organization}/spaces`, { title })

  const started = performance.now()
  await lectern.call('POST', `/v1/spaces/${String(space.id)}/content/import`, {
    url: upload.url,
    source: 'zip',
  })
  return { space: String(space.id), milliseconds: performance.now() - started }
}

/** Publishes spaces as one site. @returns its URL */
export async function publish(lectern: Running, title: string, spaces: readonly string[]): Promise<string> {
  const organization = await organizationOf(lectern)
  const site = await lectern.call('POST', `${organization}/sites`, { title, spaces })
  const published = await lectern.call('POST', `${organization}/sites/${String(site.id)}/publish`)
  return (published.urls as { published: string }).published
}

async function organizationOf(lectern: Connection): Promise<string> {
  const { items } = await lectern.call('GET', '/v1/orgs')
  return `/v1/orgs/${(items as { id: string }[])[0]?.id}`
}

/** Import of corpora through the API, beside parsing the same pages and nothing else. */
export async function imports(names: readonly string[] = CORPORA, runs = RUNS): Promise<Result[]> {
  const results: Result[] = []
  for (const name of names) {
    const pages = Object.entries(unzipSync(archive(name)))
      .filter(([path]) => path.endsWith('.md') && !path.endsWith('SUMMARY.md'))
      .map(([, bytes]) => new TextDecoder().decode(bytes))
    const parsing: number[] = []
    const importing: number[] = []
    // On two cores, because the server reads pages in threads and the client waits meanwhile.
    await using lectern = await startLectern({}, `${SERVER_CORE},${LOAD_CORE}`)
    let cpu = 0
    for (let run = 0; run <= runs; run++) {
      const started = performance.now()
      for (const page of pages) markdownToMdast(page)
      const parsed = performance.now() - started
      const before = cpuOf(lectern)
      const { milliseconds } = await importCorpus(lectern, name)
      if (run === 0) continue
      cpu += (cpuOf(lectern) - before) / pages.length / runs
      parsing.push((pages.length / parsed) * 1000)
      importing.push((pages.length / milliseconds) * 1000)
    }
    results.push({
      scenario: `import of ${name}, ${pages.length} pages, pages a second / parsing them`,
      ours: `${median(importing).toFixed(0)}/s`,
      reference: `${median(parsing).toFixed(0)}/s`,
      ratio: median(importing) / median(parsing),
      spread: spread(importing),
      goal: '≥ 500/s',
      cpu,
    })
  }
  return results
}
