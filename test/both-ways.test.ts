/** A space and a branch are edited by turns, and synced and exported in any order: nothing that nobody deleted is lost. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRepository, type TestRepository } from './git-repository.ts'
import { contentAt } from './imports/syncing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { holds } from './property.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada, organizationId } = world

type Side = 'space' | 'repository'
type Step =
  | { kind: 'edit' | 'delete'; side: Side; page: number; paragraph: number }
  | { kind: 'add'; side: Side }
  | { kind: 'sync'; resolve: 'own' | 'primary' }
  | { kind: 'export' }

const side = fc.constantFrom<Side>('space', 'repository')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), side, page: fc.nat(5), paragraph: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      side,
      page: fc.nat(5),
      paragraph: fc.constant(0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), side }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      resolve: fc.constantFrom('own' as const, 'primary' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('export' as const) }) },
)

const WORD = /\bw\d+x\b/g

/** A space and a branch that were equal, and what was written in them. */
class Pair {
  readonly spaceId: string
  readonly repository: TestRepository
  readonly url: string
  readonly deleted = new Set<string>()
  /** The texts of all conflicts so far. */
  conflicts = ''
  #words = 0

  constructor(spaceId: string, repository: TestRepository, url: string) {
    this.spaceId = spaceId
    this.repository = repository
    this.url = url
  }

  get at() {
    return `/v1/spaces/${this.spaceId}`
  }

  word(): string {
    return `w${this.#words++}x`
  }

  words(): string[] {
    return Array.from({ length: this.#words }, (_, nth) => `w${nth}x`)
  }

  fresh(): string {
    return `${[0, 1, 2].map(() => this.word()).join('\n\n')}\n`
  }

  /** Replaces a paragraph. */
  edited(text: string, paragraph: number): string {
    const old = [...text.matchAll(WORD)].map(([word]) => word)[paragraph]
    if (old === undefined) return `${text.trimEnd()}\n\n${this.word()}\n`
    this.deleted.add(old)
    return text.replace(old, this.word())
  }

  forget(text: string): void {
    for (const [word] of text.matchAll(WORD)) this.deleted.add(word)
  }

  async run(...args: string[]) {
    const { code, out, err } = await runHere([...args, '--url', world.url, '--token', ada.token], {
      LECTERN_DATA: folder.path,
    })
    return { code, out, err }
  }

  async sync(resolve: 'own' | 'primary'): Promise<string> {
    const { code, out, err } = await this.run(
      'import',
      this.url,
      '--space',
      this.spaceId,
      '--sync',
      '--no-site',
    )
    assert.equal(code, 0, err)
    const [, number] = /Change request (\d+) has the changes/.exec(out) ?? []
    if (number !== undefined) await this.decide(resolve)
    return out
  }

  /** Resolves the conflicts of the change request of a sync, and merges it. */
  async decide(resolve: 'own' | 'primary'): Promise<void> {
    const { changeRequest } = (await ada(`GET ${this.at}/git/info`)).body
    const proposal = `${this.at}/change-requests/${changeRequest}`
    const { items } = (await ada(`GET ${proposal}/conflicts?limit=100`)).body
    this.conflicts += JSON.stringify(items)
    // The conflict of a page that one side deleted names the page, and whoever decides reads it there.
    for (const base of [this.at, proposal]) {
      const { pages, texts } = await contentAt(world, base)
      for (const { id, title, git } of pages)
        if (JSON.stringify(items).includes(id)) this.conflicts += `${title} ${texts[git?.path ?? ''] ?? ''}`
    }
    assert(items.length > 0, 'a live space has a change request only for conflicts')
    for (const { id } of items) {
      const answer = await ada(`POST ${proposal}/conflicts/${id}/resolve`, { side: resolve })
      assert.equal(answer.status, 200, answer.text)
    }
    const merged = await ada(`POST ${proposal}/merge`)
    assert([200, 409].includes(merged.status), merged.text)
  }

  async export(): Promise<string> {
    const { code, out, err } = await this.run('export', this.spaceId, '--git', this.url)
    if (code !== 0) assert.match(err, /has not seen/)
    return code === 0 ? out : err
  }

  pull(): void {
    this.repository.git('fetch', '--quiet', 'origin')
    this.repository.git('reset', '--quiet', '--hard', 'origin/main')
  }

  push(files: Record<string, string | null>): void {
    this.repository.commit(files)
    this.repository.git('push', '--quiet', 'origin', 'HEAD:main')
  }

  async change(changes: object[]): Promise<void> {
    const answer = await ada(`POST ${this.at}/content`, { changes })
    assert.equal(answer.status, 200, answer.text)
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'sync') await this.sync(one.resolve)
    else if (one.kind === 'export') await this.export()
    else if (one.side === 'space') await this.takeInSpace(one)
    else this.takeInRepository(one)
  }

  async takeInSpace(one: Exclude<Step, { kind: 'sync' | 'export' }>): Promise<void> {
    if (one.kind === 'add') {
      const markdown = this.fresh()
      return this.change([{ operation: 'insert_page', title: `Page ${this.word()}`, document: { markdown } }])
    }
    const { pages, texts } = await contentAt(world, this.at)
    const files = pages.filter(({ git }) => git && (one.kind === 'edit' || git.path !== 'README.md'))
    const page = files[one.page % (files.length || 1)]
    if (!page) return
    const text = texts[page.git!.path]!
    if (one.kind === 'edit') {
      const markdown = this.edited(text, one.paragraph)
      return this.change([{ operation: 'update_page', page: page.id, document: { markdown } }])
    }
    this.forget(`${page.title} ${text}`)
    return this.change([{ operation: 'delete_page', page: page.id }])
  }

  takeInRepository(one: Exclude<Step, { kind: 'sync' | 'export' }>): void {
    this.pull()
    const files = this.repository.files()
    const summary = files['SUMMARY.md']!
    if (one.kind === 'add') {
      const name = this.word()
      return this.push({
        [`${name}.md`]: `# Page ${name}\n\n${this.fresh()}`,
        'SUMMARY.md': `${summary.trimEnd()}\n* [Page ${name}](${name}.md)\n`,
      })
    }
    const names = Object.keys(files)
      .filter((name) => summary.includes(`(${name})`) && (one.kind === 'edit' || name !== 'README.md'))
      .toSorted()
    const name = names[one.page % (names.length || 1)]
    if (name === undefined) return
    if (one.kind === 'edit') return this.push({ [name]: this.edited(files[name]!, one.paragraph) })
    const lines = summary.split('\n')
    const line = lines.find((text) => text.includes(`(${name})`))!
    this.forget(`${line} ${files[name]}`)
    this.push({ [name]: null, 'SUMMARY.md': lines.filter((text) => text !== line).join('\n') })
  }

  async everything(): Promise<{ space: string; repository: string }> {
    this.pull()
    const { pages, texts } = await contentAt(world, this.at)
    return {
      space: JSON.stringify([pages.map(({ title }) => title), texts]),
      repository: JSON.stringify(this.repository.files()),
    }
  }
}

async function begin(): Promise<Pair> {
  const place = mkdtempSync(join(folder.path, 'pair-'))
  const bare = join(place, 'docs.git')
  execFileSync('git', ['init', '--bare', '--quiet', '--initial-branch=main', bare])
  const repository = createRepository(join(place, 'clone'))
  repository.git('remote', 'add', 'origin', bare)
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Both', editMode: 'live' })
  const pair = new Pair(body.id, repository, pathToFileURL(bare).href)
  pair.push({
    'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n* [B](b.md)\n',
    'README.md': `# Home\n\n${pair.fresh()}`,
    'a.md': `# A\n\n${pair.fresh()}`,
    'b.md': pair.fresh(),
  })
  await pair.sync('own')
  return pair
}

/** Each kind of step, with both sides in one paragraph and a page that one side deleted and the other changed. */
const HISTORY: Step[] = [
  { kind: 'edit', side: 'space', page: 1, paragraph: 0 },
  { kind: 'edit', side: 'repository', page: 1, paragraph: 0 },
  { kind: 'add', side: 'space' },
  { kind: 'add', side: 'repository' },
  { kind: 'sync', resolve: 'own' },
  { kind: 'export' },
  { kind: 'delete', side: 'space', page: 0, paragraph: 0 },
  { kind: 'edit', side: 'repository', page: 1, paragraph: 1 },
]

test('edits of both sides meet, and at the end both are equal and stay so', async () => {
  await holds(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const pair = await begin()
      for (const one of steps) await pair.take(one)

      await pair.sync('own')
      await pair.sync('own')
      assert.doesNotMatch(await pair.export(), /has not seen/)
      const end = await pair.everything()
      const found = end.space + end.repository + pair.conflicts
      assert.deepEqual(
        pair.words().filter((word) => !pair.deleted.has(word) && !found.includes(word)),
        [],
        'words are lost',
      )
      assert.deepEqual(wordsIn(end.space), wordsIn(end.repository))

      const { revision } = await contentAt(world, pair.at)
      assert.match(await pair.sync('own'), /0 created, 0 changed, 0 deleted/)
      assert.match(await pair.export(), /Nothing to push/)
      assert.equal((await contentAt(world, pair.at)).revision, revision)
      assert.deepEqual(await pair.everything(), end)
    }),
    { cases: 150, byDefault: 1, examples: [[HISTORY]] },
  )
})

const wordsIn = (text: string) => [...new Set([...text.matchAll(WORD)].map(([word]) => word))].toSorted()
