import { zipSync } from 'fflate'
import { setTimeout as wait } from 'node:timers/promises'
import { githubSpecification, WITHOUT_GITHUB } from './github-specification.ts'
import { importArchive, importCorpus, publish } from './import.ts'
import { visitorOf } from './large-site.ts'
import { median, onApiHost, quantile, type Running, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const RUNS = 5
/** Pages that are rendered for the first time, of each kind. */
const PAGES = 100
const ROUNDS = 9

/** The specification of GitHub: processing it, the first rendering of its pages, and a page tree with all of them. */
export async function openapi(): Promise<Result[]> {
  if (WITHOUT_GITHUB !== undefined) {
    console.error(`The benchmark "openapi" is skipped: ${WITHOUT_GITHUB}`)
    return []
  }
  await using lectern = await startLectern()
  const processing = await processingOf(lectern, githubSpecification())

  const { space } = await importArchive(lectern, 'github', archiveWith(COMPUTED, {}))
  const site = await publish(lectern, 'GitHub', [space])
  const { site: plain } = await importCorpus(lectern, 'elsa-docs')
  const paths = await pathsOf(lectern, site)
  const computed = await firstRenderings(
    lectern,
    site,
    paths.filter((path) => path.includes('/')).slice(0, PAGES),
  )
  const others = await firstRenderings(lectern, plain, (await pathsOf(lectern, plain)).slice(0, PAGES))

  const many = Object.fromEntries(
    paths.map((_, i) => [`part-${i % 50}/page-${i}.md`, `# Page ${i}\n\nText.\n`]),
  )
  const { space: equal } = await importArchive(lectern, 'equal', archiveWith('', many))
  const sites = [site, await publish(lectern, 'Equal', [equal])]
  const trees = await treesOf(lectern, sites)
  return [
    processing,
    {
      scenario: `first rendering of ${computed.length} operations of GitHub: median and 95th percentile / of pages of the Elsa documentation`,
      ours: `${median(computed).toFixed(1)}, ${quantile(computed, 0.95).toFixed(1)} ms`,
      reference: `${median(others).toFixed(1)}, ${quantile(others, 0.95).toFixed(1)} ms`,
      ratio: median(computed) / median(others),
      spread: spread(computed, 1),
      goal: '≤ 3',
    },
    {
      scenario: `first page after a change of the site, with ${paths.length} computed pages / with as many written ones`,
      ours: `${median(trees[0]!).toFixed(1)} ms`,
      reference: `${median(trees[1]!).toFixed(1)} ms`,
      ratio: median(trees[0]!) / median(trees[1]!),
      spread: spread(trees[0]!, 1),
      goal: '≤ 2',
    },
  ]
}

async function processingOf(lectern: Running, text: string): Promise<Result> {
  const ours: number[] = []
  const reference: number[] = []
  const document = JSON.parse(text) as { info: { version: string } }
  const base = await organizationOf(lectern)
  for (let run = 0; run <= RUNS; run++) {
    document.info.version = `run ${run}`
    const source = JSON.stringify(document)
    const parsing = performance.now()
    JSON.parse(source)
    const parsed = performance.now() - parsing
    const started = performance.now()
    await lectern.call('PUT', `${base}/openapi/github`, { source: { text: source } })
    while ((await lectern.call('GET', `${base}/openapi/github`)).processingState !== 'complete')
      await wait(10)
    const took = performance.now() - started
    if (run === 0) continue
    ours.push(took)
    reference.push(parsed)
  }
  return {
    scenario: `the specification of GitHub, ${(text.length / 1e6).toFixed(0)} MB, until it is processed / JSON.parse`,
    ours: `${median(ours).toFixed(0)} ms`,
    reference: `${median(reference).toFixed(0)} ms`,
    ratio: median(ours) / median(reference),
    spread: spread(ours),
    goal: '≤ 40',
  }
}

/** How long each page takes that nobody has requested before, in milliseconds. */
async function firstRenderings(lectern: Running, site: string, paths: string[]): Promise<number[]> {
  const base = onApiHost(lectern, site)
  // The first pages load and compile what pages need.
  const [warm, measured] = [paths.slice(0, 10), paths.slice(10)]
  for (const path of warm) await read(base + path)
  const times: number[] = []
  for (const path of measured) {
    const started = performance.now()
    await read(base + path)
    times.push(performance.now() - started)
  }
  return times
}

async function read(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** The paths of the pages of a site, in its order. */
async function pathsOf(lectern: Running, site: string): Promise<string[]> {
  const text = await read(`${onApiHost(lectern, site)}llms.txt`)
  const { origin, pathname } = new URL(site)
  return [...text.matchAll(/\]\(([^)\s]+)\.md\)/g)].flatMap(([, url = '']) =>
    url.startsWith(origin + pathname) ? [url.slice((origin + pathname).length)] : [],
  )
}

/** How long the first page takes after each change of a site, which makes its page tree again. */
async function treesOf(lectern: Running, sites: string[]): Promise<number[][]> {
  const base = await organizationOf(lectern)
  const { items } = await lectern.call('GET', `${base}/sites`)
  const all = items as { id: string; urls: { published: string } }[]
  const times: number[][] = sites.map(() => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, site] of sites.entries()) {
      const { id } = all.find(({ urls }) => urls.published === site)!
      const title = `Round ${round}`
      await lectern.call('PATCH', `${base}/sites/${id}`, { title })
      const started = performance.now()
      if (!(await visitorOf(lectern, site).read()).includes(title)) throw new Error('The page is an old one')
      if (round > 0) times[i]!.push(performance.now() - started)
    }
  return times
}

async function organizationOf(lectern: Running): Promise<string> {
  const { items } = await lectern.call('GET', '/v1/orgs')
  return `/v1/orgs/${(items as { id: string }[])[0]?.id}`
}

const COMPUTED = `* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: github
  \`\`\`
`

function archiveWith(summary: string, pages: Record<string, string>): Buffer {
  const listed = Object.keys(pages).map((path) => `* [${path}](${path})\n`)
  const files = {
    'SUMMARY.md': `# Table of contents\n\n* [Start](README.md)\n${summary}${listed.join('')}`,
    'README.md': '# Start\n\nText.\n',
    ...pages,
  }
  const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])
  return Buffer.from(zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>))
}
