/** Pages that take long to render, and what others notice of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun, firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
/** As much as the limits of a page allow. */
const size = (most: number) => (isLongRun() ? most : most / 20)

async function openPage(markdown: string, title: string): Promise<(path?: string) => Promise<Response>> {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n\n${markdown}\n` }), title)
  const { address } = await publish(world, spaceId, title)
  const { host, pathname } = new URL(address)
  const base = `${world.url}/sites/${host.split('.')[0]}${pathname}`
  return (path = '') => fetch(base + path, { redirect: 'manual' })
}

const fill = (text: string, most = size(900_000)) => text.repeat(Math.floor(most / text.length))

const PAGES: Record<string, string> = {
  tables: fill(`${fill('| a b *c* ', 60)}|\n${fill('|---', 24)}|\n${fill('| 1 ', 24)}|\n\n`, size(120_000)),
  formulas: fill('$$a_1^2$$ x\n\n', size(10_000)),
  code: fill('```js\nconst a = 1\n```\n\n', size(200_000)),
  headings: fill('## Heading\n\n', size(200_000)),
  links: fill('[a](b.md) '),
  emphasis: fill('*a* **b** `c` '),
  text: fill('word '),
}

for (const [name, markdown] of firstOf(Object.entries(PAGES), 3))
  test(`a page of ${name} holds nobody up`, async () => {
    const get = await openPage(markdown, name)
    const { ms, value } = await longestHold(async () => (await get()).status)
    assert.equal(value, 200)
    assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
    const printed = await longestHold(async () => (await get(`${name}.md`)).status)
    assert(printed.ms < LONGEST_HOLD_MS, `the Markdown held for ${printed.ms} ms`)
  })
