/** Conditions and unknown paths on published sites. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime, leastCost } from '../cpu.ts'
import { casesOf, isLongRun } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()

/** An expression that takes the most steps that one evaluation may take, and is false. It differs for each number. */
const costly = (number: number) =>
  `[${'1,'.repeat(60)}${number}].some((a) => [${'1,'.repeat(60)}0].some((b) => [${'1,'.repeat(60)}0].some((c) => a + b + c < 0)))`

async function siteOf(
  files: Record<string, string>,
  title: string,
): Promise<(path: string) => Promise<Response>> {
  const { spaceId } = await spaceWith(world, archiveOf(files), title)
  const { address } = await publish(world, spaceId, title)
  const { host, pathname } = new URL(address)
  const [organization] = host.split('.')
  const base = `${world.url}/sites/${organization}${pathname}`
  return (path) => fetch(base + path, { redirect: 'manual' })
}

test('pages with costly conditions before the visible ones', async () => {
  const pages = casesOf(1000)
  const hidden = Array.from({ length: pages }, (_, index) => [
    `a${index}.md`,
    `---\nif: '${costly(index)}'\n---\n\n# Hidden ${index}\n`,
  ])
  const links = Array.from({ length: 100 }, (_, index) => `[link](a${index}.md)`).join('\n')
  const get = await siteOf(
    { ...Object.fromEntries(hidden), 'z.md': `# Visible\n\n${links}\n`, 'zz.md': `# Also\n\n${links}\n` },
    'Conditions',
  )
  const { ms, value } = await longestHold(async () => (await get('z')).text())
  assert(!value.includes('Hidden'))
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)

  const cost = await leastCost(100, async () => (await get('zz')).text())
  assert(cost < 100, `${cost} ms: the conditions are evaluated once for all pages`)
})

test('a page with many costly conditions', async () => {
  const blocks = Array.from(
    { length: casesOf(300) },
    (_, index) => `{% if ${costly(index)} %}\nHidden\n{% endif %}`,
  )
  const get = await siteOf({ 'README.md': `# Page\n\n${blocks.join('\n\n')}\n\nShown\n` }, 'Blocks')
  const { ms, value } = await longestHold(async () => (await get('')).text())
  assert(value.includes('Shown') && !value.includes('Hidden'))
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

test('spaces of a site with costly conditions', async () => {
  const { ada, organizationId, nobody } = world
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Visible\n' }), 'Open')
  const { siteId, address } = await publish(world, spaceId, 'Gated')
  const at = `/v1/orgs/${organizationId}/sites/${siteId}`
  const count = casesOf(99)
  for (let index = 0; index < count; index++) {
    const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: `Gated ${index}` })).body
    const { body } = await ada(`POST ${at}/site-spaces`, { spaceId: space.id })
    const gated = await ada(`PATCH ${at}/site-spaces/${body.id}`, { condition: costly(1000 + index) })
    assert.equal(gated.status, 200, gated.text)
  }
  const published = `GET /v1/urls/published?url=${encodeURIComponent(address)}`
  const { ms, value } = await longestHold(() => nobody(published))
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)

  const reader = (path: string) =>
    fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${value.body.apiToken}` } })
  const structure = await (await reader(`${at}/structure`)).text()
  assert(structure.includes('Open') && !structure.includes('Gated 0'), structure)
  const cost = await leastCost(150, async () => {
    for (let round = 0; round < 5; round++) await (await reader(`${at}/structure`)).text()
  })
  assert(cost < 150, `${cost} ms: the conditions are evaluated once`)
})

/** How often paths are asked for, and how many each time. */
const [ROUNDS, PATHS] = isLongRun() ? [4, 50] : [3, 20]

test('unknown paths cost no more than a page and a search', async () => {
  const pages = casesOf(10_000)
  const files = Array.from({ length: pages }, (_, index) => [
    `part-${index % 100}/page-${index}.md`,
    `# Page ${index}\n`,
  ])
  const get = await siteOf(Object.fromEntries(files), 'Unknown')
  const cost = async (path: (index: number) => string) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuTime()
      for (let index = 0; index < PATHS; index++) await (await get(path(index + PATHS * round))).arrayBuffer()
      times.push(cpuTime() - before)
    }
    return Math.min(...times)
  }
  assert.equal((await get('part-1/page-1')).status, 200)
  const known = await cost(() => 'part-1/page-1')
  const unknown = await cost((index) => `part-1/no-${index}/${index * 7}`)
  // The page for an unknown path shows what a search for its words finds.
  const searched = await cost((index) => `~/search?q=no-${index}-${index * 7}&list`)
  assert(unknown < 2 * (known + searched) + 20, `${unknown} ms against ${known} ms and ${searched} ms`)
})
