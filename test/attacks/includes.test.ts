/** Reusable contents that include themselves: an import leaves them out, and what is stored already is shown with a note. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn } from '../../src/core/document/html/code.ts'
import type { RenderContext } from '../../src/core/document/html/renderer.ts'
import { renderDocument } from '../../src/core/document/html.ts'
import type { ContentRef } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { cpuTime } from '../cpu.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const include = (path: string, times: number) => `{% include "${path}" %}\n\n`.repeat(times)

test('an include that includes itself 100 to 200 times is left out of an import, and nobody waits', async () => {
  const { ada, organizationId } = world
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, {
    title: 'Attacked',
    editMode: 'live',
  })
  for (const times of [1, 100, 200]) {
    const path = '.gitbook/includes/a.md'
    const archive = archiveOf({ 'README.md': `# A\n\n${include(path, 1)}`, [path]: include('a.md', times) })
    const { ms, value } = await longestHold(() => importArchive(world, body.id as string, archive))
    assert.equal(value.status, 201, value.text)
    assert.match(value.text, /is not included, because it includes itself: \.gitbook\/includes\/a\.md →/)
    assert.ok(ms < LONGEST_HOLD_MS, `${ms} ms`)
  }
})

test('includes of one another that are stored already are shown with a note, in bounded time', () => {
  const several = (name: string) => parsePage(`\`\`\`js\nx\n\`\`\`\n\n${include(name, 200)}`).document
  const included = new Map(
    ['a', 'b', 'c', 'd', 'e'].map((name, i) => [`${name}.md`, several(`${'bcdea'[i]}.md`)]),
  )
  const reusable = (ref: ContentRef) => (ref.kind === 'url' ? included.get(ref.url) : undefined)
  const context: RenderContext = {
    href: () => undefined,
    image: () => undefined,
    file: () => undefined,
    reusable,
    highlight: () => undefined,
    evaluate: () => true,
  }
  const page = several('a.md')
  const start = cpuTime()
  const html = String(renderDocument(page, context).body)
  assert.equal(codeIn(page, reusable).length, 6)
  assert.ok(cpuTime() - start < 3000)
  assert.ok(html.length < 100_000_000)
  assert.match(html, /role="note">This content is nested too deeply/)
  assert.match(html, /role="note">This page includes too much/)
})
