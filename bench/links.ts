import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { bystanding } from './bystanding.ts'
import { LOAD_CORE, median, type Running, SERVER_CORE, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const PAGES = 10_000
const LINKS = 20
const EDITS = 15
const IDLE_MS = 3000

/**
 * The broken links of a space of 10,000 pages with 20 links each: the first list, and the list after an edit. The
 * reference finds the same links in the files with a regular expression, and looks up their paths. Meanwhile, somebody else
 * requests short answers.
 */
export async function links(): Promise<Result[]> {
  await using lectern = await startLectern({}, `${SERVER_CORE},${LOAD_CORE}`)
  const livez = [[`${lectern.url}/livez`, {}]] as const
  const longest = async (work: () => Promise<void>) => Math.max(...(await bystanding(livez, work)).flat())
  const idle = await longest(() => wait(IDLE_MS))
  const files = linkedPages()
  const spaceId = await importPages(lectern, files)
  const list = `/v1/spaces/${spaceId}/links?status=broken&limit=50`
  let first = 0
  const held = [
    await longest(async () => {
      first = await timed(() => lectern.call('GET', list))
    }),
  ]

  const { pages } = (await lectern.call('GET', `/v1/spaces/${spaceId}/content/pages`)) as {
    pages: { id: string }[]
  }
  const edits: number[] = []
  const scans: number[] = []
  const editOnce = async (edit: number) => {
    const page = pages[(edit * 997) % pages.length]!.id
    const markdown = `# Edited\n\n## Part\n\n[gone](gone-${edit}.md) [other](p${edit}.md#part)\n`
    const changes = [{ operation: 'update_page', page, document: { markdown } }]
    await lectern.call('POST', `/v1/spaces/${spaceId}/content?compat=false`, { changes })
    edits.push(await timed(() => lectern.call('GET', list)))
  }
  held.push(
    await longest(async () => {
      for (let edit = 0; edit < EDITS; edit++) await editOnce(edit)
    }),
  )
  for (let scan = 0; scan < EDITS; scan++) scans.push(await timed(async () => countBroken(files)))
  const scan = median(scans)
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return [
    {
      scenario: `first list of the broken links of ${PAGES} pages / scan of the files`,
      ours: ms(first),
      reference: ms(scan),
      ratio: first / scan,
      spread: '–',
      goal: '–',
    },
    {
      scenario: `list of the broken links of ${PAGES} pages after an edit / scan of the files`,
      ours: ms(median(edits)),
      reference: ms(scan),
      ratio: median(edits) / scan,
      spread: spread(edits, 1),
      goal: '≤ 1',
    },
    {
      scenario: 'longest response to others during these lists / before them',
      ours: ms(Math.max(...held)),
      reference: ms(idle),
      ratio: Math.max(...held) / idle,
      spread: held.map(ms).join(', '),
      goal: '≤ 50 ms',
    },
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function linkedPages(): Map<string, string> {
  return new Map(
    Array.from({ length: PAGES }, (_, page) => {
      const lines = Array.from({ length: LINKS }, (__, link) => {
        const target = `p${(page * 7 + link * 131) % (PAGES + 20)}.md`
        return `See [page ${link}](${target}${link % 3 === 0 ? '#part' : ''}) first.\n`
      })
      return [`p${page}.md`, `# Page ${page}\n\n## Part\n\n${lines.join('')}`] as const
    }),
  )
}

/** Counts the broken links in the files. */
function countBroken(files: ReadonlyMap<string, string>): number {
  let count = 0
  for (const source of files.values())
    for (const [, path = ''] of source.matchAll(/\]\(([^)#]*)[^)]*\)/g)) if (!files.has(path)) count++
  return count
}

async function importPages(lectern: Running, files: ReadonlyMap<string, string>): Promise<string> {
  const encoder = new TextEncoder()
  const archive = zipSync(
    Object.fromEntries([...files].map(([path, text]) => [path, encoder.encode(text)])),
    { level: 1 },
  )
  const { items } = (await lectern.call('GET', '/v1/orgs')) as { items: { id: string }[] }
  const organization = items[0]!.id
  const upload = (await lectern.call('POST', `/v1/orgs/${organization}/storage/upload`, {
    file: { name: 'docs.zip', type: 'application/zip', size: archive.length },
    kind: 'import_file',
  })) as { url: string }
  await fetch(upload.url, { method: 'PUT', body: archive })
  const space = (await lectern.call('POST', `/v1/orgs/${organization}/spaces`, {
    title: 'Links',
    editMode: 'live',
  })) as { id: string }
  await lectern.call('POST', `/v1/spaces/${space.id}/content/import`, { url: upload.url, source: 'zip' })
  return space.id
}
