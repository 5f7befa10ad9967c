import { zipSync } from 'fflate'
import { importArchive, publish } from './import.ts'
import { compare, median, type Running, spread, startLectern } from './measure.ts'
import { rateLine, type Result } from './result.ts'

const SPACES = 50
const PAGES = 200
const ROUNDS = 15
const TEXT = `Connect the **broker** before you start it, and read [the next page](page-1.md).\n\n`

/** A site of 50 spaces with 10,000 pages beside a site of one space with 200: warm pages, and merge to visible. */
export async function largeSite(): Promise<Result[]> {
  await using lectern = await startLectern()
  const spaces: string[] = []
  for (let number = 0; number < SPACES; number++)
    spaces.push((await importArchive(lectern, `space-${number}`, archiveOf(number))).space)
  const { space } = await importArchive(lectern, 'small', archiveOf(SPACES))
  const large = visitorOf(lectern, await publish(lectern, 'Large', spaces))
  const small = visitorOf(lectern, await publish(lectern, 'Small', [space]))

  const [ours = [], reference = []] = await compare([large.target, small.target])
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const both = [
      await mergeToVisible(lectern, spaces[0]!, large, round),
      await mergeToVisible(lectern, space, small, round),
    ]
    if (round > 0) both.forEach((time, i) => times[i]!.push(time))
  }
  const names = `a site of ${SPACES} spaces and ${SPACES * PAGES} pages / of 1 space and ${PAGES} pages`
  return [
    rateLine(`warm page, ${names}`, ours, reference, '≥ 0.8'),
    {
      scenario: `from the request to merge until a reader has the changed page, ${names}`,
      ours: `${median(times[0]).toFixed(1)} ms`,
      reference: `${median(times[1]).toFixed(1)} ms`,
      ratio: median(times[0]) / median(times[1]),
      spread: spread(times[0], 1),
      goal: '≤ 2',
    },
  ]
}

function archiveOf(space: number): Buffer {
  const pages = Array.from({ length: PAGES }, (_, page) => [
    page === 0 ? 'README.md' : `part-${page % 20}/page-${page}.md`,
    Buffer.from(`# Page ${page} of ${space}\n\n${TEXT.repeat(20)}`),
  ])
  return Buffer.from(zipSync(Object.fromEntries(pages) as Record<string, Uint8Array>))
}

/** Reads the first page of a site. */
export function visitorOf(server: Running, site: string) {
  const { url } = server
  const { host, pathname } = new URL(site)
  const headers = { Host: host, 'accept-encoding': 'br' }
  return {
    target: { server, url: url + pathname, headers },
    async read(): Promise<string> {
      const { request } = await import('node:http')
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      request(url + pathname, { headers: { Host: host } }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve(text)).on('error', reject)
      })
        .on('error', reject)
        .end()
      return promise
    },
  }
}

/** Changes the first page in a change request. @returns how long its merge takes until a reader sees it, in ms */
export async function mergeToVisible(
  lectern: Running,
  space: string,
  visitor: ReturnType<typeof visitorOf>,
  round: number,
): Promise<number> {
  const word = `visible${round}of${space}`
  const request = await lectern.call('POST', `/v1/spaces/${space}/change-requests`, { subject: word })
  const path = `/v1/spaces/${space}/change-requests/${String(request.id)}`
  const { pages } = await lectern.call('GET', `${path}/content`)
  const page = (pages as { id: string }[])[0]!.id
  await lectern.call('POST', `${path}/content`, {
    changes: [
      { operation: 'update_page', page, document: { markdown: `# First\n\n${word}\n\n${TEXT.repeat(20)}` } },
    ],
  })
  const started = performance.now()
  await lectern.call('POST', `${path}/merge`)
  while (!(await visitor.read()).includes(word));
  return performance.now() - started
}
