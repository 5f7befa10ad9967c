/** Conditions and unknown paths on published sites. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../cpu.ts'
import { casesOf } from '../effort.ts'
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

  const before = cpuTime()
  await (await get('zz')).text()
  assert(cpuTime() - before < 100, 'the conditions are evaluated once for all pages')
})

test('a page with many costly conditions', async () => {
  const blocks = Array.from({ length: 300 }, (_, index) => `{% if ${costly(index)} %}\nHidden\n{% endif %}`)
  const get = await siteOf({ 'README.md': `# Page\n\n${blocks.join('\n\n')}\n\nShown\n` }, 'Blocks')
  const { ms, value } = await longestHold(async () => (await get('')).text())
  assert(value.includes('Shown') && !value.includes('Hidden'))
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

test('unknown paths cost no more than a page', async () => {
  const pages = casesOf(10_000)
  const files = Array.from({ length: pages }, (_, index) => [
    `part-${index % 100}/page-${index}.md`,
    `# Page ${index}\n`,
  ])
  const get = await siteOf(Object.fromEntries(files), 'Unknown')
  const cost = async (path: (index: number) => string) => {
    const times: number[] = []
    for (let round = 0; round < 4; round++) {
      const before = cpuTime()
      for (let index = 0; index < 50; index++) await (await get(path(index + 50 * round))).arrayBuffer()
      times.push(cpuTime() - before)
    }
    return Math.min(...times)
  }
  assert.equal((await get('part-1/page-1')).status, 200)
  const known = await cost(() => 'part-1/page-1')
  const unknown = await cost((index) => `part-1/no-${index}/${index * 7}`)
  assert(unknown < 2 * known + 20, `${unknown} ms against ${known} ms`)
})
