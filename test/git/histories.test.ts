/** Random histories of a space: every commit has the files that an export had when its revision was the newest. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { contentAt } from '../imports/syncing.ts'
import { unzip } from '../imports/zip.ts'
import { holds } from '../property.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { cloneFolder, remoteOf } from './cloning.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { liveSpace } = proposalsIn(world)
const { git, filesIn } = await cloneFolder()

const FILES = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [A](a/README.md)\n  * [B](a/b.md)\n',
  'README.md': '# Home\n\n[B](a/b.md) {% include "includes/x.md" %}\n',
  'a/README.md': '# A\n',
  'a/b.md': '# B\n\n[Home](../README.md)\n',
  'includes/x.md': 'Included\n',
}

const TITLES = ['Alpha', 'Beta', 'Gamma delta', 'README', 'summary']
/** Each step changes one of the pages that there are, by its place. */
const step = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'text',
    'text',
    'title',
    'move',
    'delete',
    'variables',
    'redirects',
  ),
  page: fc.nat(30),
  other: fc.nat(30),
  title: fc.constantFrom(...TITLES),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function changeOf({ kind, page, other, title }: Step, pages: readonly { id: string }[]): object | undefined {
  const of = (nth: number) => pages[nth % Math.max(1, pages.length)]?.id
  const [id, target] = [of(page), of(other)]
  const link = target === undefined ? '' : `[x](/pages/${target})`
  if (kind === 'variables')
    return { operation: 'update_variables', variables: { [title.replace(' ', '')]: page % 2 ? title : null } }
  if (kind === 'redirects')
    return {
      operation: 'update_redirects',
      redirects: { [`old-${page % 3}`]: page % 2 ? 'https://example.com/' : null },
    }
  if (kind === 'insert')
    return {
      operation: 'insert_page',
      title,
      document: { markdown: `${link}\n` },
      ...(target !== undefined && page % 2 ? { into: target } : {}),
    }
  if (id === undefined) return undefined
  if (kind === 'text')
    return { operation: 'update_page', page: id, document: { markdown: `# ${title}\n\n${page} ${link}\n` } }
  if (kind === 'title') return { operation: 'update_page', page: id, title }
  if (kind === 'delete') return { operation: 'delete_page', page: id }
  return { operation: 'update_page', page: id, into: page % 2 ? target : null, at: 0 }
}

test('every commit of a random history has the files of its export', async () => {
  let nth = 0
  await holds(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), fc.nat(12), async (steps, middle) => {
      const space = await liveSpace(FILES)
      const remote = remoteOf(world, organizationId, space.split('/').at(-1)!, ada.token)
      const expected: Record<string, string>[] = [await exported(space)]
      for (const [at, one] of steps.entries()) {
        // The repository is brought up to date in one part or in two.
        if (at === middle) await git('ls-remote', remote)
        const { pages } = await contentAt(world, space)
        const change = changeOf(one, pages)
        const answer = change && (await ada(`POST ${space}/content`, { changes: [change] }))
        if (answer?.status === 200 && (await contentAt(world, space)).pages.length > 0)
          expected.push(await exported(space))
      }
      const name = `history-${nth++}`
      await git('clone', '--quiet', remote, name)
      await git('-C', name, 'fsck', '--strict', '--full')
      const commits = (await git('-C', name, 'rev-list', 'HEAD')).trim().split('\n')
      const last = await filesIn(name)
      assert.deepEqual(last, expected.at(-1))
      const trees = new Set<string>()
      for (const commit of commits) {
        await git('-C', name, 'checkout', '--quiet', commit)
        trees.add(JSON.stringify(Object.entries(await filesIn(name)).toSorted()))
      }
      for (const files of expected) assert(trees.has(JSON.stringify(Object.entries(files).toSorted())))
    }),
    { cases: 60, byDefault: 6 },
  )
})

async function exported(space: string): Promise<Record<string, string>> {
  const { body } = await ada(`GET ${space}/content/export`)
  const bytes = Buffer.from(await (await fetch(body.url as string)).arrayBuffer())
  const files = [...unzip(bytes)].filter(([path]) => !path.startsWith('.lectern/'))
  return Object.fromEntries(files.map(([path, content]) => [path, content.toString('latin1')]))
}
