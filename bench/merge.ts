import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zipSync } from 'fflate'
import { cpuOf, median, type Running, spread, startLectern, startReference } from './measure.ts'
import type { Result } from './result.ts'

const SIZES = [100, 1_000, 10_000]
const FOLDER = 100
const ROUNDS = 15
const MANY = 200
const BATCH = 50
const WRITERS = 8
const RUNS = 5
const SECONDS = 4

/** Edits and merges at three sizes beside git doing the same to the same files, and eight writers at once. */
export async function merging(): Promise<Result[]> {
  const results: Result[] = []
  const written: { size: number; edit: number; merge: number; bytes: number }[] = []
  for (const size of SIZES) {
    const { lines, ...figures } = await changesIn(size, size === SIZES.at(-1))
    results.push(...lines)
    written.push(figures)
  }
  const [least, most] = [written[0]!, written.at(-1)!]
  for (const what of ['edit', 'merge', 'bytes'] as const) {
    const unit = what === 'bytes' ? '' : ' ms'
    results.push({
      scenario: `${what} at ${most.size} / at ${least.size}`,
      ours: `${most[what].toFixed(1)}${unit}`,
      reference: `${least[what].toFixed(1)}${unit}`,
      ratio: most[what] / least[what],
      spread: '–',
      goal: '≤ 2',
    })
  }
  return [...results, await writers()]
}

/** Edits and merges in a space of so many pages. @param withMany whether a merge of many pages is measured too */
export async function changesIn(size: number, withMany = false) {
  await using lectern = await startLectern()
  const [ours, git] = [await ourSpace(lectern, size), await repository(size)]
  const alternate = alternating(lectern)
  const edits = await alternate(
    () => ours.edit(),
    () => git.edit(),
  )
  const merges = await alternate(
    () => ours.merge(1),
    () => git.merge(1),
  )
  const lines = [
    line(`edit of one page of ${size} / git commit`, edits),
    line(`merge of one page into ${size} / git merge`, merges),
    bytesLine(`bytes written by an edit in ${size} / git`, ours.bytes, git.bytes),
  ]
  const bytes = median(ours.bytes)
  if (withMany) {
    const many = await alternate(
      () => ours.merge(MANY),
      () => git.merge(MANY),
      RUNS,
    )
    lines.push(line(`merge of ${MANY} pages into ${size} / git merge`, many))
  }
  git.remove()
  return { lines, size, edit: median(edits.ours), merge: median(merges.ours), bytes }
}

interface Times {
  ours: number[]
  reference: number[]
  /** The CPU time of the server for one of ours, in milliseconds. */
  cpu: number
}

/** Measures ours and the reference in turn; the first round warms up. */
function alternating(lectern: Running) {
  return async (
    ours: () => Promise<number>,
    reference: () => Promise<number>,
    rounds = ROUNDS,
  ): Promise<Times> => {
    const times: Times = { ours: [], reference: [], cpu: 0 }
    for (let round = 0; round <= rounds; round++) {
      const before = cpuOf(lectern)
      const one = await ours()
      const cpu = cpuOf(lectern) - before
      const other = await reference()
      if (round === 0) continue
      times.ours.push(one)
      times.reference.push(other)
      times.cpu += cpu / rounds
    }
    return times
  }
}

function line(scenario: string, { ours, reference, cpu }: Times): Result {
  return {
    scenario,
    ours: `${median(ours).toFixed(1)} ms`,
    reference: `${median(reference).toFixed(1)} ms`,
    ratio: median(ours) / median(reference),
    spread: spread(ours, 1),
    goal: '< 1',
    cpu,
  }
}

function bytesLine(scenario: string, ours: number[], reference: number[]): Result {
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} kB`
  return {
    scenario,
    ours: kilobytes(median(ours)),
    reference: kilobytes(median(reference)),
    ratio: median(ours) / median(reference),
    spread: spread(ours.map((bytes) => bytes / 1024)),
    goal: '–',
  }
}

const pathOf = (i: number) => `part-${Math.floor(i / FOLDER)}/page-${i}.md`
const paragraphs = (i: number) =>
  Array.from({ length: 12 }, (_, at) => `Paragraph ${at} of page ${i}: ${'some words of it '.repeat(8)}`)
const sourceOf = (i: number, word = '') => `# Page ${i}\n\n${paragraphs(i).join('\n\n')}\n\n${word}\n`

let counter = 0
const word = () => `Changed ${(counter += 1)}`

/** A live space with so many pages. */
async function ourSpace(lectern: Running, size: number) {
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = `/v1/orgs/${(items as { id: string }[])[0]?.id}`
  const { id } = await lectern.call('POST', `${organization}/spaces`, { title: 'Bench', editMode: 'live' })
  const space = `/v1/spaces/${String(id)}`
  await importPages(lectern, organization, space, size)
  const pages = pagesByTitle((await lectern.call('GET', `${space}/content/pages`)).pages as Page[])
  const bytes: number[] = []
  let next = 0

  const change = (i: number) => ({
    operation: 'update_page',
    page: pages.get(`Page ${i % size}`),
    document: { markdown: sourceOf(i % size, word()) },
  })
  const send = (base: string, places: number[]) =>
    lectern.call('POST', `${base}/content`, { changes: places.map(change) })

  return {
    bytes,
    async edit() {
      const before = bytesWrittenBy(lectern)
      const milliseconds = await timed(() => send(space, [(next += 1)]))
      bytes.push(bytesWrittenBy(lectern) - before)
      return milliseconds
    },
    /** A change request of so many pages; as many others have changed in the space meanwhile. */
    async merge(count: number) {
      const made = await lectern.call('POST', `${space}/change-requests`)
      const base = `${space}/change-requests/${String(made.id)}`
      for (const places of batches(next, count)) await send(base, places)
      for (const places of batches(next + count, count)) await send(space, places)
      next += 2 * count
      return timed(async () => {
        const { result } = await lectern.call('POST', `${base}/merge`)
        if (result !== 'merge') throw new Error(`A clean merge was answered with ${String(result)}`)
      })
    },
  }
}

function batches(start: number, count: number): number[][] {
  const places = Array.from({ length: count }, (_, i) => start + i + 1)
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => places.slice(i * BATCH, (i + 1) * BATCH))
}

async function importPages(lectern: Running, organization: string, space: string, size: number) {
  const files = Array.from({ length: size }, (_, i) => [pathOf(i), Buffer.from(sourceOf(i))] as const)
  const archive = zipSync(Object.fromEntries(files), { level: 1 })
  const upload = await lectern.call('POST', `${organization}/storage/upload`, {
    file: { name: 'pages.zip', type: 'application/zip', size: archive.length },
    kind: 'import_file',
  })
  const { pathname, search } = new URL(upload.url as string)
  await fetch(lectern.url + pathname + search, { method: 'PUT', body: Buffer.from(archive) })
  await lectern.call('POST', `${space}/content/import`, { url: upload.url, source: 'zip' })
}

interface Page {
  id: string
  title: string
  pages?: Page[]
}

function pagesByTitle(pages: Page[], found = new Map<string, string>()): Map<string, string> {
  for (const { id, title, pages: children = [] } of pages) {
    found.set(title, id)
    pagesByTitle(children, found)
  }
  return found
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** What the server has passed to the file system so far; its answers are little beside. */
function bytesWrittenBy({ process: child }: Running): number {
  const io = readFileSync(`/proc/${child.pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1])
}

const run = promisify(execFile)

/** The same pages in a git repository. */
async function repository(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-git-'))
  const bytes: number[] = []
  let next = 0

  /** Runs it while this process stays free to keep its connections to the server. */
  const git = (...args: string[]) => {
    const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0']
    return timed(() => run('git', [...author, ...args], { cwd: folder }))
  }
  const write = (i: number) => {
    const path = join(folder, pathOf(i % size))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, sourceOf(i % size, word()))
  }
  const commit = async (places: number[]) => {
    for (const i of places) write(i)
    const added = await git('add', ...places.map((i) => pathOf(i % size)))
    return added + (await git('commit', '-qm', 'Change'))
  }

  await git('init', '-q', '-b', 'main')
  for (let i = 0; i < size; i++) write(i)
  await git('add', '.')
  await git('commit', '-qm', 'All')

  return {
    bytes,
    async edit() {
      const started = Date.now()
      const milliseconds = await commit([(next += 1)])
      bytes.push(bytesSince(join(folder, '.git'), started))
      return milliseconds
    },
    async merge(count: number) {
      const own = batches(next, count).flat()
      const others = batches(next + count, count).flat()
      next += 2 * count
      await git('checkout', '-qb', 'change')
      await commit(own)
      await git('checkout', '-q', 'main')
      await commit(others)
      const milliseconds = await git('merge', '-q', '--no-edit', 'change')
      await git('branch', '-qD', 'change')
      return milliseconds
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The size of the files that were written since. */
function bytesSince(folder: string, since: number): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)))
    .filter(({ mtimeMs }) => mtimeMs >= since)
    .reduce((sum, { size }) => sum + size, 0)
}

/** Durable one-page edits a second, eight writers over eight spaces, beside one-row updates by as many. */
async function writers(): Promise<Result> {
  await using lectern = await startLectern()
  const file = join(lectern.data, 'reference.sqlite')
  await using reference = await startReference('reference-update.ts', [file])
  const spaces = await Promise.all(Array.from({ length: WRITERS }, () => ourSpace(lectern, FOLDER)))
  const body = JSON.stringify({ text: sourceOf(0) })
  const update = () => fetch(reference.url, { method: 'POST', body }).then((answer) => answer.text())

  const rates: Omit<Times, 'cpu'> = { ours: [], reference: [] }
  for (let round = 0; round <= RUNS; round++) {
    const ours = await rateOf((i) => spaces[i]!.edit())
    const bare = await rateOf(update)
    if (round === 0) continue
    rates.ours.push(ours)
    rates.reference.push(bare)
  }
  return {
    scenario: `edits of one page, ${WRITERS} writers over ${WRITERS} spaces / one-row durable updates`,
    ours: `${median(rates.ours).toFixed(0)}/s`,
    reference: `${median(rates.reference).toFixed(0)}/s`,
    ratio: median(rates.ours) / median(rates.reference),
    spread: spread(rates.ours),
    goal: '≥ 0.3',
  }
}

async function rateOf(work: (writer: number) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let done = 0
  const write = async (writer: number) => {
    for (; performance.now() - started < SECONDS * 1000; done++) await work(writer)
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i)))
  return (done / (performance.now() - started)) * 1000
}
