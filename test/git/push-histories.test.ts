/** Random edits of a clone: once they are pushed, a fresh clone has the same files, and other pages are as they were. */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentAt } from '../imports/syncing.ts'
import { holds } from '../property.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { cloneFolder, remoteOf } from './cloning.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { liveSpace } = proposalsIn(world)
const { folder, git, filesIn } = await cloneFolder()

const FILES = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [A](a/README.md)\n  * [B](a/b.md)\n* [C](c.md)\n',
  'README.md': '# Home\n\n[B](a/b.md) {% include "includes/x.md" %}\n',
  'a/README.md': '# A\n',
  'a/b.md': '# B\n\n[Home](../README.md)\n',
  'c.md': '# C\n\nOne.\n\nTwo.\n',
  'includes/x.md': 'Included\n',
}

/** Each step changes one of the pages of the clone, by its place, or is an edit in the console. */
const step = fc.record({
  kind: fc.constantFrom('text', 'text', 'title', 'insert', 'insert', 'rename', 'delete', 'swap', 'console'),
  page: fc.nat(30),
  name: fc.constantFrom('alpha', 'Beta', 'gamma delta', 'a/z', 'README'),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Changes the files as somebody would do who works on the clone. */
function edit(files: Map<string, string>, { kind, page, name }: Step, nth: number): void {
  const summary = (files.get('SUMMARY.md') ?? '').split('\n')
  const lines = summary.flatMap((line, at) => {
    const [, path] = /^ *\* \[.*\]\(<?([^<>]*\.md)>?\)$/.exec(line) ?? []
    return path === undefined ? [] : [{ at, path: decodeURI(path), isLeaf: !isDeeper(summary[at + 1], line) }]
  })
  const chosen = lines[page % Math.max(1, lines.length)]
  if (kind === 'insert') {
    const path = `${name}-${nth}.md`
    files.set(path, `# Page ${nth}\n\n[Home](${name.includes('/') ? '../' : ''}README.md)\n`)
    const line = `* [Page ${nth}](${path.replaceAll(' ', '%20')})`
    summary.splice(
      chosen && page % 2 ? chosen.at + 1 : summary.length - 1,
      0,
      chosen && page % 2 ? indented(line, summary[chosen.at]!) : line,
    )
  } else if (!chosen) return
  else if (kind === 'text') files.set(chosen.path, `${files.get(chosen.path)}\nMore ${nth}.\n`)
  else if (kind === 'title') {
    files.set(chosen.path, (files.get(chosen.path) ?? '').replace(/^# .*$/m, `# Title ${nth}`))
    summary[chosen.at] = summary[chosen.at]!.replace(/\[.*?\]/, `[Title ${nth}]`)
  } else if (kind === 'rename') {
    const path = join(dirname(chosen.path), `moved-${nth}.md`)
    files.set(path, files.get(chosen.path) ?? '')
    files.delete(chosen.path)
    summary[chosen.at] = summary[chosen.at]!.replace(/\(<?[^<>]*>?\)$/, `(${path})`)
  } else if (kind === 'delete' && chosen.isLeaf && lines.length > 1) {
    files.delete(chosen.path)
    summary.splice(chosen.at, 1)
  } else if (kind === 'swap' && chosen.isLeaf) {
    const [line = ''] = summary.splice(chosen.at, 1)
    summary.splice(summary.length - 1, 0, line.trimStart())
  }
  files.set('SUMMARY.md', summary.join('\n'))
}

const indentOf = (line: string) => /^ */.exec(line)![0].length
const isDeeper = (next: string | undefined, line: string) =>
  next !== undefined && next.includes('*') && indentOf(next) > indentOf(line)
const indented = (line: string, above: string) => `${' '.repeat(indentOf(above) + 2)}${line}`

test('what is pushed after random edits is what a fresh clone has', async () => {
  let nth = 0
  await holds(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
      async (pushes) => {
        const space = await liveSpace(FILES)
        const remote = remoteOf(world, organizationId, space.split('/').at(-1)!, ada.token)
        const made = {
          operation: 'insert_page',
          title: 'Console',
          emoji: '1f600',
          document: { markdown: '# Console\n\nText\n' },
        }
        assert.equal((await ada(`POST ${space}/content`, { changes: [made] })).status, 200)
        const name = `clone-${nth++}`
        await git('clone', '--quiet', remote, name)
        for (const steps of pushes) {
          if (steps.some(({ kind }) => kind === 'console')) {
            const changes = [
              { operation: 'insert_page', title: `Also ${nth}`, document: { markdown: 'Text\n' } },
            ]
            assert.equal((await ada(`POST ${space}/content`, { changes })).status, 200)
            await git('-C', name, 'pull', '--quiet', '--ff-only')
          }
          const before = await filesIn(name)
          const files = new Map(Object.entries(before))
          for (const one of steps) edit(files, one, nth++)
          for (const path of Object.keys(before)) if (!files.has(path)) await rm(join(folder, name, path))
          for (const [path, text] of files) {
            await mkdir(dirname(join(folder, name, path)), { recursive: true })
            await writeFile(join(folder, name, path), text, 'latin1')
          }
          await git('-C', name, 'add', '--all')
          await git('-C', name, 'commit', '--quiet', '--allow-empty', '--message', 'Edit')
          const shown = await contentAt(world, space)
          await git('-C', name, 'push', '--quiet', 'origin', 'main')
          const fresh = `fresh-${nth++}`
          await git('clone', '--quiet', remote, fresh)
          assert.deepEqual(await filesIn(fresh), Object.fromEntries(files))
          await git('-C', name, 'pull', '--quiet', '--no-edit')
          assert.deepEqual(await filesIn(name), Object.fromEntries(files))
          const after = new Map((await contentAt(world, space)).pages.map((page) => [page.id, page]))
          for (const page of shown.pages) {
            const path = page.git?.path
            const isTouched = path !== undefined && before[path] !== files.get(path)
            const own = after.get(page.id)
            if (isTouched || !own) continue
            assert.deepEqual(fieldsOf(own), fieldsOf(page))
          }
          const kept = [...after.values()].find(({ title }) => title === 'Console')
          if (kept) assert.equal((kept as { emoji?: string }).emoji, '1f600')
        }
      },
    ),
    { cases: 40, byDefault: 4 },
  )
})

/** What a page is, apart from its place and the time when it was changed or moved. */
function fieldsOf({ id, title, emoji, hidden, description, documentId, git: source }: Shown): object {
  return { id, title, emoji, hidden, description, documentId, source }
}

interface Shown {
  id: string
  title: string
  emoji?: string
  hidden?: boolean
  description?: string
  documentId?: string
  git?: object
}
