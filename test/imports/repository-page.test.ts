/** The address of a public repository is imported as the archive that its host offers. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { ARCHIVE_LIMITS } from '../../src/core/repository/archive-limits.ts'
import { fetchImport } from '../../src/imports/fetch.ts'
import { runImport } from '../../src/imports/read-archive.ts'
import { archiveOfRepository } from '../../src/imports/repository-page.ts'
import { archiveOf } from '../importing.ts'
import { createWorld } from '../world.ts'

const { app } = await createWorld()

const ARCHIVES: Record<string, string | undefined> = {
  'https://github.com/acme/docs': 'https://github.com/acme/docs/archive/HEAD.zip',
  'https://www.github.com/acme/docs.git': 'https://github.com/acme/docs/archive/HEAD.zip',
  'https://github.com/acme/docs/': 'https://github.com/acme/docs/archive/HEAD.zip',
  'https://github.com/acme/my.docs/tree/v1.x': 'https://github.com/acme/my.docs/archive/v1.x.zip',
  'https://gitlab.com/acme/team/docs': 'https://gitlab.com/acme/team/docs/-/archive/HEAD/docs.zip',
  'https://gitlab.com/acme/docs/-/tree/main': 'https://gitlab.com/acme/docs/-/archive/main/docs.zip',
  'https://bitbucket.org/acme/docs/src/main/': 'https://bitbucket.org/acme/docs/get/main.zip',
  'https://codeberg.org/acme/docs/src/branch/main': 'https://codeberg.org/acme/docs/archive/main.zip',
  'https://github.com/acme': undefined,
  'https://github.com/acme/docs/archive/main.zip': undefined,
  'https://github.com/acme/docs/releases/download/1/docs.zip': undefined,
  'https://gitlab.com/acme/docs/-/archive/main/docs.zip': undefined,
  'http://github.com/acme/docs': undefined,
  'https://github.com.example.com/acme/docs': undefined,
  'https://example.com/acme/docs': undefined,
  'not an address': undefined,
}

for (const [address, archive] of Object.entries(ARCHIVES))
  test(`${address} has ${archive === undefined ? 'no archive' : 'an archive'}`, () => {
    assert.equal(archiveOfRepository(address), archive)
  })

test('the pages of a repository have the paths that they have in it', async () => {
  const bytes = archiveOf({ 'docs-HEAD/README.md': '# Acme\n', 'docs-HEAD/guide/a.md': '# A\n' })
  const requests: string[] = []
  const services = {
    ...app.services,
    signal: new AbortController().signal,
    fetch: (url: string) => {
      requests.push(url)
      return Promise.resolve({
        status: 200,
        url,
        headers: {},
        body: Readable.from([bytes]),
        bytes: () => Promise.resolve(Buffer.from(bytes)),
      })
    },
  }
  await using archive = await fetchImport(services, 'https://github.com/acme/docs', new Date())
  assert.deepEqual(requests, ['https://github.com/acme/docs/archive/HEAD.zip'])
  const { path, name, isRepository = false } = archive
  const task = { source: 'zip' as const, path, name, isRepository, limits: ARCHIVE_LIMITS }
  const outcome = await runImport(task, () => Promise.resolve())
  assert('outline' in outcome)
  assert.equal(outcome.outline.title, 'Acme')
  assert.deepEqual(
    outcome.outline.pages.map(({ fields }) => fields.file),
    ['README.md', undefined],
  )
})
