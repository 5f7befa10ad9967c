/**
 * Random histories of two spaces and of the repository whose folders they are connected with. Syncs lose connections in the
 * middle, and run twice at once. At the end, both sides are equal, and nothing that anybody wrote is lost.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { runDueJobs } from '../due-jobs.ts'
import { contentAt } from '../imports/syncing.ts'
import { holds } from '../property.ts'
import { createWorld } from '../world.ts'
import { startGitHost } from './git-host.ts'
import { syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const world = await createWorld()
const { ada } = world
const { liveSpace, edit } = syncedSpacesIn(world)

const FOLDERS = ['one', 'two']
const TITLES = ['A', 'B', 'C']
const textOf = (title: string) => `# ${title}\n\nFirst of ${title}.\n\nSecond.\n\nThird.\n`
const fileOf = (title: string) => `${title.toLowerCase()}.md`

const STEPS = [
  'write in branch',
  'write in space',
  'write in both',
  'rename',
  'add in branch',
  'add in space',
  'amend',
  'sync',
] as const
const FAULTS = ['none', 'cut', 'lost', 'twice'] as const
const Step = fc.record({
  step: fc.constantFrom(...STEPS),
  where: fc.nat(FOLDERS.length - 1),
  page: fc.nat(5),
  fault: fc.constantFrom(...FAULTS),
  nth: fc.nat(4),
})
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

/** Breaks the nth connection of a sync, before the host sees the request or before the server gets the response. */
function breakConnection(fault: Step['fault'], nth: number): void {
  let count = 0
  host.intercept = (request: IncomingMessage, response: ServerResponse) => {
    if (fault === 'cut' && count++ === nth) {
      request.socket.destroy()
      return true
    }
    if (fault === 'lost' && request.method === 'POST' && request.url?.endsWith('git-receive-pack')) {
      const lose = () => (request.socket.destroy(), response)
      Object.assign(response, { writeHead: () => response, write: () => true, end: lose })
    }
    return false
  }
}

let counter = 0

/** The two spaces and their repository, and all that was written to them. */
async function begin() {
  const { repository, address } = host.create(`two-way-${(counter += 1)}`)
  /** The titles of the pages of each folder, by their files. */
  const pages = FOLDERS.map(() => new Map(TITLES.map((title) => [fileOf(title), title])))
  const summaryOf = (where: number) =>
    `# Contents\n\n${[...pages[where]!].map(([file, title]) => `- [${title}](${file})\n`).join('')}`
  repository.commit(
    Object.fromEntries(
      FOLDERS.flatMap((folder, where) => [
        [`${folder}/SUMMARY.md`, summaryOf(where)],
        ...TITLES.map((title) => [`${folder}/${fileOf(title)}`, textOf(title)]),
      ]),
    ),
  )
  const spaces: string[] = []
  for (const folder of FOLDERS) {
    const space = await liveSpace()
    const body = { url: address, ref: 'refs/heads/main', repoProjectDirectory: folder, intervalMinutes: 1440 }
    assert.equal((await ada(`PUT ${space}/git/connection`, body)).status, 200)
    spaces.push(space)
  }
  await runDueJobs(world)
  return { repository, spaces, pages, summaryOf }
}

type History = Awaited<ReturnType<typeof begin>>

async function sync(space: string, more: object = {}): Promise<string> {
  assert.equal((await ada(`POST ${space}/git/connection/sync`, more)).status, 204)
  await runDueJobs(world)
  return (await ada(`GET ${space}/git/connection`)).body.outcome
}

/** Decides all that waits for a decision, until a space and its folder have the same content. */
async function settle(space: string, nth: number): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    const outcome = await sync(space)
    if (outcome === 'synced') return
    if (outcome === 'stopped') await sync(space, nth % 2 === 0 ? { follow: true } : { pushBack: true })
    const { changeRequest } = (await ada(`GET ${space}/git/info`)).body
    if (outcome !== 'waiting' || changeRequest === undefined) continue
    const proposal = `${space}/change-requests/${changeRequest}`
    const { items } = (await ada(`GET ${proposal}/conflicts`)).body
    for (const { id } of items) await ada(`POST ${proposal}/conflicts/${id}/resolve`, { side: 'primary' })
    await ada(`POST ${proposal}/merge`)
  }
  const { body } = await ada(`GET ${space}/git/connection`)
  assert.fail(`The sync does not come to an end: ${JSON.stringify(body)}`)
}

async function take(
  history: History,
  { step, where, page, fault, nth }: Step,
  mark: string,
  written: Set<string>,
) {
  const { repository, spaces, pages, summaryOf } = history
  const [folder = '', space = '', own = new Map<string, string>()] = [
    FOLDERS[where],
    spaces[where],
    pages[where],
  ]
  const summary = `${folder}/SUMMARY.md`
  const files = repository.files()
  // What the spaces have pushed is in the repository under the names that they gave.
  const known = [...own].filter(([name]) => files[`${folder}/${name}`] !== undefined)
  const [file = '', title = ''] = known[page % Math.max(1, known.length)] ?? []
  const before = files[`${folder}/${file}`]
  const inSpace = async (after: string) => {
    const { pages: shown, texts } = await contentAt(world, space)
    const found = shown.filter(({ git }) => git)[page % Math.max(1, shown.length)]
    const text = found?.git && texts[found.git.path]
    if (!found || text === undefined) return
    await edit(
      space,
      found.title,
      text.includes('Third.') ? text.replace('Third.', `Third.\n\n${after}`) : `${text}\n${after}\n`,
    )
    written.add(after)
  }
  const inBranch = (after: string) => {
    if (before === undefined) return
    repository.commit({ [`${folder}/${file}`]: before.replace(/^(# .*\n)/, `$1\n${after}\n`) })
  }
  if (step === 'write in branch') inBranch(`Branch ${mark}.`)
  else if (step === 'write in space') await inSpace(`Space ${mark}.`)
  else if (step === 'write in both') {
    if (before !== undefined)
      repository.commit({ [`${folder}/${file}`]: before.replace('Third.', `Third.\n\nBranch ${mark}.`) })
    await inSpace(`Space ${mark}.`)
  } else if (step === 'rename' && before !== undefined) {
    const renamed = `renamed-${mark}.md`
    own.delete(file)
    own.set(renamed, title)
    const lines = files[summary]?.replace(`(${file})`, `(${renamed})`) ?? summaryOf(where)
    repository.commit({ [`${folder}/${file}`]: null, [`${folder}/${renamed}`]: before, [summary]: lines })
  } else if (step === 'add in branch') {
    own.set(`new-${mark}.md`, `New ${mark}`)
    const lines = `${(files[summary] ?? '').trimEnd()}\n- [New ${mark}](new-${mark}.md)\n`
    repository.commit({ [summary]: lines, [`${folder}/new-${mark}.md`]: textOf(`New ${mark}`) })
  } else if (step === 'add in space') {
    await edit(space, `Space ${mark}`, textOf(`Space ${mark}`))
    written.add(`First of Space ${mark}.`)
  } else if (step === 'amend')
    repository.git('commit', '--quiet', '--amend', '--allow-empty', '--message', `Amended ${mark}`)
  else if (step === 'sync') {
    breakConnection(fault, nth)
    try {
      if (fault === 'twice') await Promise.all([sync(space), sync(space)])
      else await sync(space)
    } finally {
      host.intercept = undefined
    }
  }
}

test('random histories of two spaces and their repository end with equal sides, and nothing is lost', async () => {
  await holds(
    fc.asyncProperty(fc.array(Step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const history = await begin()
      const { repository, spaces } = history
      const written = new Set<string>()
      for (const [nth, step] of steps.entries()) await take(history, step, `${nth}`, written)
      for (const [nth, space] of spaces.entries()) await settle(space, nth)
      // The push of one space is nothing new to the other.
      for (const [nth, space] of spaces.entries()) await settle(space, nth)

      const files = repository.files()
      const past = repository.git('log', '--patch', '--format=%H', 'main')
      const all: string[] = []
      for (const [where, space] of spaces.entries()) {
        const folder = `${FOLDERS[where]}/`
        const { texts } = await contentAt(world, space)
        const there = Object.entries(files).filter(
          ([name]) => name.startsWith(folder) && !name.endsWith('SUMMARY.md'),
        )
        assert.deepEqual(
          texts,
          Object.fromEntries(there.map(([name, text]) => [name.slice(folder.length), text])),
        )
        all.push(...Object.values(texts))
      }
      // Conflicts are decided for the spaces, so that all that was written there is in the content.
      for (const line of written)
        assert(
          all.some((text) => text.includes(line)),
          `lost: ${line}`,
        )
      for (const [nth, { step }] of steps.entries()) {
        const line = `Branch ${nth}.`
        if (step === 'write in branch' && past.includes(line))
          assert(
            all.some((text) => text.includes(line)),
            `lost: ${line}`,
          )
      }
      repository.git('fsck', '--strict')
    }),
    { cases: 12, byDefault: 2 },
  )
})
