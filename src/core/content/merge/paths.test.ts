import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'

import fc from 'fast-check'

import {
  addPage,
  branch,
  emptyContent,
  snapshotOf,
  sourceOf,
  type Content,
} from '../../../../test/core/histories.ts'
import { assertValid, merge } from '../../../../test/core/merge-laws.ts'
import { holds } from '../../../../test/property.ts'
import { linksIn } from '../../document/links/links-in.ts'
import { resolveReference } from '../links.ts'
import { pathTargets } from '../repository-paths.ts'

function add(content: Content, id: string, file: string): void {
  addPage(content, id, null, 'i', `# ${id}\n`)
  content.pages.set(id, { ...content.pages.get(id)!, file })
}

function filesIn({ pages }: Content): Record<string, string | undefined> {
  return Object.fromEntries([...pages.values()].map(({ id, file }) => [id, file]))
}

/** Merges what two sides do to a content, keeping the own side. */
function merged(base: Content, primary: (content: Content) => void, own: (content: Content) => void) {
  const [x, y] = [branch(base, 'x'), branch(base, 'y')]
  primary(x)
  own(y)
  const { merged: outcome, result } = merge(base, x, y)
  assertValid(result)
  return { result, conflicts: outcome.conflicts }
}

test('of two new pages of one file the one with the smaller id keeps it, and the other gets the next that is free, in the same folder', () => {
  const base = emptyContent()
  add(base, 'there', 'a/setup-1.md')
  const { result, conflicts } = merged(
    base,
    (content) => add(content, 'z', 'a/setup.md'),
    (content) => {
      add(content, 'new', 'a/setup.md')
      add(content, 'other', 'a/setup-2.md')
    },
  )
  assert.deepEqual(conflicts, [])
  assert.deepEqual(filesIn(result), {
    there: 'a/setup-1.md',
    new: 'a/setup.md',
    z: 'a/setup-3.md',
    other: 'a/setup-2.md',
  })
})

test('a page that the other side keeps alive keeps its file', () => {
  const base = emptyContent()
  add(base, 'z', 'setup.md')
  const { result, conflicts } = merged(
    base,
    (content) => {
      content.pages.delete('z')
      add(content, 'a', 'setup.md')
    },
    (content) => content.pages.set('z', { ...content.pages.get('z')!, emoji: '1f600' }),
  )
  assert.deepEqual(
    conflicts.map(({ kind, id }) => [kind, id]),
    [['existence', 'z']],
  )
  assert.deepEqual(filesIn(result), { z: 'setup.md', a: 'setup-1.md' })
})

test('files and reusable contents that both add at one path stand at two', () => {
  const at = (id: string) => (content: Content) => {
    const bytes = { size: 1, hash: id, contentType: 'image/png', createdAt: '2026-01-01T00:00:00.000Z' }
    content.files.set(id, { id, name: 'a.png', path: 'assets/.a.png', ...bytes })
    content.reusables.set(id, { id, title: 'A', path: 'includes/a' })
  }
  const { result, conflicts } = merged(emptyContent(), at('b'), at('a'))
  assert.deepEqual(conflicts, [])
  const paths = ({ files, reusables }: Content) =>
    [...files.values(), ...reusables.values()].map(({ id, path }) => `${id} ${path}`).toSorted()
  assert.deepEqual(paths(result), ['a assets/.a.png', 'a includes/a', 'b assets/.a-1.png', 'b includes/a-1'])
})

/** Adds pages whose bodies link to all of them, each in every spelling. */
function addLinked(content: Content, pages: Record<string, string>): void {
  for (const [id, file] of Object.entries(pages)) {
    const links = Object.values(pages).flatMap((to) => spellings(file, to).map((url) => `[${to}](${url})\n`))
    addPage(content, id, null, 'i', `# ${id}\n\n${links.join('\n')}`)
    content.pages.set(id, { ...content.pages.get(id)!, file })
  }
}

function spellings(from: string, to: string): string[] {
  const relative = posix.relative(posix.dirname(from), to)
  const bare = relative.replace(/\.md$/, '')
  return [relative, `./${relative}`, bare, `/${to}`, `${relative}#part`, `<${relative}>`].filter(
    (url) => !url.endsWith('README'),
  )
}

/** The target of each link of a page. */
function targetsOf(content: Content, id: string): (string | undefined)[] {
  const page = content.pages.get(id)!
  const { references } = linksIn(sourceOf(content, page))
  const targets = pathTargets(snapshotOf(content))
  return references.map(({ ref }) => {
    const found = resolveReference(ref, page.file, targets)
    return 'page' in found ? found.page : undefined
  })
}

const FILES = ['setup.md', 'a/setup.md', 'a/README.md', 'a/b c.md', 'é.md']

test('a link keeps its target when a merge gives the target another path', () => {
  const side = fc.uniqueArray(fc.tuple(fc.constantFrom(...FILES), fc.nat(99)), { selector: ([file]) => file })
  holds(
    fc.property(side, side, (primary, own) => {
      const named = (name: string, pages: [string, number][]) =>
        Object.fromEntries(pages.map(([file, n], i) => [`${n}-${name}${i}`, file]))
      const [theirs, mine] = [named('x', primary), named('y', own)]
      const base = emptyContent()
      const [x, y] = [branch(base, 'x'), branch(base, 'y')]
      addLinked(x, theirs)
      addLinked(y, mine)
      const { result } = merge(base, x, y)
      for (const [content, pages] of [
        [x, theirs],
        [y, mine],
      ] as const)
        for (const id of Object.keys(pages))
          assert.deepEqual(
            targetsOf(result, id),
            targetsOf(content, id),
            sourceOf(result, result.pages.get(id)!),
          )
    }),
    { cases: 100 },
  )
})

test('a page that both edit follows the page that its author linked to; code stays as it is', () => {
  const base = emptyContent()
  addPage(base, 'home', null, 'a', '# home\n\none\n\ntwo\n\nthree\n')
  const link = '[the page](setup.md) and `[the page](setup.md)`'
  const write = (id: string, word: string) => (content: Content) => {
    add(content, id, 'setup.md')
    const source = sourceOf(content, content.pages.get('home')!).replace(word, `${word} ${link}`)
    addPage(content, 'home', null, 'a', source)
  }
  const { result, conflicts } = merged(base, write('p', 'one'), write('q', 'three'))
  assert.deepEqual(conflicts, [])
  assert.equal(
    sourceOf(result, result.pages.get('home')!),
    `# home\n\none ${link}\n\ntwo\n\nthree [the page](setup-1.md) and \`[the page](setup.md)\`\n`,
  )
})

test('files and included content whose path changes are followed too', () => {
  const write = (id: string) => (content: Content) => {
    const bytes = { size: 1, hash: id, contentType: 'image/png', createdAt: '2026-01-01T00:00:00.000Z' }
    content.files.set(id, { id, name: 'a.png', path: 'assets/a.png', ...bytes })
    content.reusables.set(`${id}r`, { id: `${id}r`, title: 'A', path: 'includes/a.md' })
    const source = `---\ncover: ../assets/a.png\n---\n\n# ${id}\n\n![](../assets/a.png)\n\n{% include "../includes/a.md" %}\n`
    addPage(content, `page-${id}`, null, 'i', source)
    content.pages.set(`page-${id}`, { ...content.pages.get(`page-${id}`)!, file: `docs/${id}.md` })
  }
  const { result } = merged(emptyContent(), write('a'), write('b'))
  const source = (id: string) => sourceOf(result, result.pages.get(id)!)
  assert.equal(source('page-a').match(/a\.(?:png|md)/g)?.length, 3)
  assert.equal(
    source('page-b'),
    '---\ncover: ../assets/a-1.png\n---\n\n# b\n\n![](../assets/a-1.png)\n\n{% include "../includes/a-1.md" %}\n',
  )
})
