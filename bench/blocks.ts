import { brotliCompressSync } from 'node:zlib'
import { CORPORA, corpusPages } from '../test/corpus.ts'
import { isOneLine, wordEdits } from '../test/core/word-edits.ts'
import { diffBlocks } from '../src/core/content/edit/block-diff.ts'
import { type BlockEntry, editBlocks } from '../src/core/content/edit/edit-blocks.ts'
import { type PageVersion, writePage } from '../src/core/content/edit/write-page.ts'
import { parsePage } from '../src/core/document/parse.ts'
import { median, type Running, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const RUNS = 15
const WARM_UP = 5
const BLOCKS = 500
const CHANGES = 20
const LARGE_BYTES = 504_000

/** Saves of one word, and the differences of two versions; parsing the same page beside each. */
export async function blocks(): Promise<Result[]> {
  const real = largestPage()
  const made = pageOf((at) => `Paragraph ${at} with some *words* that stay.`, BLOCKS)
  await using lectern = await startLectern()
  return [
    savesInCore(`the largest real page, ${kilobytes(real)}`, real),
    savesInCore(`a page of ${BLOCKS} blocks`, made),
    ...(await savesOverHttp(lectern, `the largest real page, ${kilobytes(real)}`, real)),
    ...(await savesOverHttp(lectern, `a page of ${BLOCKS} blocks`, made)),
    comparison(made),
    oneLine(),
    await compressed(lectern, real),
  ]
}

function largestPage(): string {
  const pages = CORPORA.flatMap((corpus) => [...corpusPages(corpus).values()])
  return pages.reduce((most, page) => (page.length > most.length ? page : most))
}

function pageOf(block: (at: number) => string, count: number): string {
  return `# Page\n\n${Array.from({ length: count }, (_, at) => `${block(at)}\n`).join('\n')}`
}

const kilobytes = (text: string) => `${Math.round(Buffer.byteLength(text) / 1000)} kB`

/** The blocks of a page, of which a client changes a word of one. */
function entriesOf(source: string): BlockEntry[] {
  const [edit] = wordEdits([['page', source]], false)
  if (!edit) throw new Error('The page has no words')
  return edit.entries
}

function savesInCore(page: string, source: string): Result {
  const version: PageVersion = {
    record: { id: 'p', type: 'document', title: 'Page', parent: null, order: 'a', slug: 'p', ...at() },
    source,
    references: new Map(),
  }
  const entries = entriesOf(source)
  const [ours, reference] = inTurn(
    () => writePage('Page', version, version, { entries }),
    () => parsePage(source),
  )
  return line(`a save of one word in ${page}, without HTTP, ms / parsing the page`, ours, reference, '–')
}

const at = () => ({ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' })

/** The times of two pieces of work, done in turn so that what the machine does meanwhile hits both. */
function inTurn(...works: [() => unknown, () => unknown]): [ours: number[], reference: number[]] {
  const times: [number[], number[]] = [[], []]
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const [i, work] of works.entries()) {
      const started = performance.now()
      work()
      if (run >= 0) times[i]!.push(performance.now() - started)
    }
  }
  return times
}

function line(scenario: string, ours: number[], reference: number[], goal: string): Result {
  return {
    scenario,
    ours: median(ours).toFixed(1),
    reference: median(reference).toFixed(1),
    ratio: median(ours) / median(reference),
    spread: spread(ours, 1),
    goal,
  }
}

interface Answer {
  revision: string
  changes: { page: { id: string } }[]
}

interface Shown {
  document: { nodes: { key: string; type: string; nodes?: Inner[] }[] }
}
interface Inner {
  leaves?: { text: string }[]
}

async function savesOverHttp(lectern: Running, page: string, source: string): Promise<Result[]> {
  const content = await newContent(lectern)
  const insert = { operation: 'insert_page', document: { markdown: source } }
  const first = await send(lectern, content, { changes: [insert] })
  const { id } = first.answer.changes[0]!.page
  let { revision } = first.answer
  const times: number[] = []
  const parsing: number[] = []
  let bytes = 0
  for (let run = -WARM_UP; run < RUNS; run++) {
    const shown = await lectern.call('GET', `${content}/page/${id}?format=document`)
    const { nodes } = (shown as unknown as Shown).document
    const changed = nodes.findIndex((node) => node.type === 'paragraph' && node.nodes?.[0]?.leaves?.[0]?.text)
    nodes[changed]!.nodes![0]!.leaves![0]!.text += ` word${run + WARM_UP}`
    const sent = nodes.map((node, i) => (i === changed ? node : { keep: node.key }))
    const changes = [{ operation: 'update_page', page: id, document: { blocks: sent } }]
    const started = performance.now()
    const saved = await send(lectern, content, { revision, changes })
    const took = performance.now() - started
    const before = performance.now()
    parsePage(source)
    if (run >= 0) {
      times.push(took)
      parsing.push(performance.now() - before)
    }
    revision = saved.answer.revision
    bytes = saved.bytes
  }
  const whole = JSON.stringify(await lectern.call('GET', `${content}/page/${id}?format=document`)).length
  return [
    line(`a save of one word in ${page}, over HTTP, ms / parsing the page`, times, parsing, '–'),
    {
      scenario: `the response to it, kB / the page as a document`,
      ours: (bytes / 1000).toFixed(1),
      reference: (whole / 1000).toFixed(1),
      ratio: bytes / whole,
      spread: '',
      goal: '–',
    },
  ]
}

async function newContent(lectern: Running): Promise<string> {
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = (items as { id: string }[])[0]!.id
  const space = await lectern.call('POST', `/v1/orgs/${organization}/spaces`, { title: 'Edited' })
  const requests = `/v1/spaces/${String(space.id)}/change-requests`
  const request = await lectern.call('POST', requests, { subject: 'Edits' })
  return `${requests}/${String(request.id)}/content`
}

async function send({ url, token }: Running, content: string, body: object) {
  const response = await fetch(`${url}${content}?compat=false`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${content} was answered with ${response.status}: ${text}`)
  return { answer: JSON.parse(text) as Answer, bytes: text.length }
}

function comparison(source: string): Result {
  let count = 0
  const changed = source.replace(/words/g, (word) =>
    count++ % (BLOCKS / CHANGES) === 0 ? 'other sentences' : word,
  )
  const [before, after] = [source, changed].map((text) => parsePage(text).document.nodes) as [
    ReturnType<typeof parsePage>['document']['nodes'],
    ReturnType<typeof parsePage>['document']['nodes'],
  ]
  const differing = diffBlocks(before, after).filter(({ change }) => change === 'changed').length
  if (differing !== CHANGES) throw new Error(`${differing} blocks differ`)
  const [ours, reference] = inTurn(
    () => diffBlocks(before, after),
    () => parsePage(source),
  )
  const scenario = `differences of ${BLOCKS} blocks, of which ${CHANGES} changed, ms / parsing the page`
  return line(scenario, ours, reference, '≤ 50 ms')
}

function oneLine(): Result {
  const pages = CORPORA.flatMap((corpus) => [...corpusPages(corpus)])
  let [all, exact] = [0, 0]
  for (const { source, references, entries } of wordEdits(pages, false)) {
    const result = editBlocks({ source, references, entries })
    all += 1
    if ('source' in result && isOneLine(source, result.source)) exact += 1
  }
  return {
    scenario: 'edits of one word in real pages that change exactly one line, % / all',
    ours: ((100 * exact) / all).toFixed(1),
    reference: String(all),
    ratio: exact / all,
    spread: '',
    goal: '≥ 0.98',
  }
}

/** A large page as a client gets it, beside the same bytes in the best compression. */
async function compressed(lectern: Running, text: string): Promise<Result> {
  const markdown = `# Large\n\n${text.repeat(Math.ceil(LARGE_BYTES / text.length)).slice(0, LARGE_BYTES)}`
  const content = await newContent(lectern)
  const { answer } = await send(lectern, content, {
    changes: [{ operation: 'insert_page', document: { markdown } }],
  })
  const address = `${content}/page/${answer.changes[0]!.page.id}?format=markdown`
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(
    lectern.url + address,
    { headers: { authorization: `Bearer ${lectern.token}`, 'accept-encoding': 'br, gzip' } },
    (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length)).on('end', () => resolve(bytes))
    },
  )
    .on('error', reject)
    .end()
  const ours = await promise
  const best = brotliCompressSync(JSON.stringify(await lectern.call('GET', address))).length
  return {
    scenario: `a page of ${LARGE_BYTES / 1000} kB as it is sent, kB / in the best compression`,
    ours: (ours / 1000).toFixed(1),
    reference: (best / 1000).toFixed(1),
    ratio: ours / best,
    spread: '',
    goal: '–',
  }
}
