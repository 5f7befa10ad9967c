import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRecord } from '../../src/core/content/revision.ts'
import { idSource } from '../../src/core/data/id.ts'
import { pagesOf } from '../../src/model/content/content.ts'
import { type Changes, commitRevision, needRevision, type Reason } from '../../src/model/content/commit.ts'
import { archiveOf, importArchive, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' })
const { ada, db, organizationId } = world
const guest = await world.person('gil', null)
const newId = idSource(() => Date.now())

const DOCS = {
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## Guides

* [Install](guides/install.md)
  * [On Linux](guides/linux.md)
* [Home page](https://example.com)
`,
  'README.md': '# Welcome\n\nHello\n',
  'guides/install.md': '# Install\n\nText\n',
  'guides/linux.md': '# On Linux\n\nMore text\n',
  '.gitbook/assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\nAsk us.\n',
  '.gitbook/vars.yaml': 'product: Lectern\nconstructor: 1\n',
}

/** A live space with these documents. */
async function liveSpace() {
  const made = await spaceWith(world, archiveOf(DOCS))
  await ada(`PATCH /v1/spaces/${made.spaceId}`, { editMode: 'live' })
  return { ...made, path: `/v1/spaces/${made.spaceId}/revisions` }
}

/** Writes a revision with changes that no single operation of the API makes. */
async function write(
  spaceId: string,
  make: (pages: Map<string, PageRecord>) => Changes,
  reason: Partial<Reason> & { on?: string } = {},
): Promise<string> {
  return db.write(async (tx) => {
    const space = await tx.selectFrom('space').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const parent = await needRevision(tx, spaceId, reason.on ?? space.revisionId)
    const pages = (await pagesOf(tx, parent)).pages()
    const byTitle = new Map(pages.map((page) => [page.title, page]))
    const whole: Reason = {
      id: newId(),
      type: 'edits',
      message: '',
      userId: ada.id,
      now: new Date(),
      ...reason,
    }
    return (await commitRevision(tx, parent, make(byTitle), whole)).id
  })
}

const set = (...pages: PageRecord[]) => new Map(pages.map((page) => [page.id, page]))

test('the history lists every revision of the primary content, newest first, with its author and reason', async () => {
  const { spaceId, revision, path } = await liveSpace()
  const again = await importArchive(world, spaceId, archiveOf({ 'README.md': '# Welcome\n\nHello again\n' }))
  const { status, body } = await ada(`GET ${path}`)
  assert.equal(status, 200)
  assert.equal(body.count, 3)
  assert.equal(body.next, undefined)
  const [newest, imported, first] = body.items
  assert.deepEqual(
    [newest.id, newest.type, newest.message, newest.parents],
    [again.body.revision, 'edits', 'Import', [revision]],
  )
  assert.deepEqual([imported.id, imported.parents], [revision, [first.id]])
  assert.deepEqual([first.parents, first.message], [[], ''])
  assert.equal(newest.createdBy.id, ada.id)
  assert.equal(newest.createdBy.email, 'ada@example.com')
  assert.equal(newest.urls.location, `${world.url}${path}/${newest.id}`)
  assert.deepEqual((await ada(`GET ${path}/${newest.id}/summary`)).body, newest)
})

test('the history pages without missing or repeating revisions, also while it grows', async () => {
  const { spaceId, path } = await liveSpace()
  for (let i = 0; i < 4; i += 1) await write(spaceId, () => ({ variables: { i } }))
  const { items: all } = (await ada(`GET ${path}`)).body
  const seen: string[] = []
  let next = ''
  do {
    const { body } = await ada(`GET ${path}?limit=2${next}`)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    next = body.next ? `&page=${body.next.page}` : ''
    await write(spaceId, () => ({ variables: { grown: seen.length } }))
  } while (next)
  assert.deepEqual(
    seen,
    all.map(({ id }: { id: string }) => id),
  )
})

test('refuses a cursor of another list', async () => {
  const { path } = await liveSpace()
  for (const value of ['x', '-1', '1.5', '1e9', '99999999999999999999', '']) {
    const cursor = Buffer.from(JSON.stringify([value])).toString('base64url')
    const { status, body } = await ada(`GET ${path}?page=${cursor}`)
    assert.deepEqual([status, body.error?.details?.[0].path], [400, 'query.page'], value)
  }
})

test('guests see no addresses in the history', async () => {
  const { spaceId, path } = await liveSpace()
  await ada(`POST /v1/spaces/${spaceId}/permissions`, { users: [guest.id], role: 'read' })
  const { items } = (await guest(`GET ${path}`)).body
  assert.equal(items.length, 2)
  assert(!JSON.stringify(items).includes('@'))
})

test('the history omits edits of a change request, and lists its merge with the change request', async () => {
  const { spaceId, path } = await liveSpace()
  const { body: changeRequest } = await ada(`POST /v1/spaces/${spaceId}/change-requests`, {
    subject: 'Better',
  })
  const proposed = await write(
    spaceId,
    (pages) => ({ pages: set({ ...pages.get('Welcome')!, description: 'The start' }) }),
    { changeRequest },
  )
  assert.equal((await ada(`GET ${path}`)).body.count, 2)
  const shown = (await ada(`GET ${path}/${proposed}/changes`)).body
  assert.deepEqual(shown.changes[0].attributes, { description: { after: 'The start' } })

  const merge = await write(
    spaceId,
    (pages) => ({ pages: set({ ...pages.get('Welcome')!, description: 'The start' }) }),
    { type: 'merge', merged: proposed, mergedFrom: changeRequest },
  )
  const { items, count } = (await ada(`GET ${path}`)).body
  assert.equal(count, 3)
  assert.deepEqual([items[0].id, items[0].type, items[0].parents[1]], [merge, 'merge', proposed])
  assert.deepEqual(items[0].mergedFrom, changeRequest)
  assert.equal(items[1].mergedFrom, undefined)
  const { mergedFrom, changes } = (await ada(`GET ${path}/${merge}/changes`)).body
  assert.deepEqual(mergedFrom, changeRequest)
  assert.deepEqual(changes, shown.changes)

  const refused = await ada(`POST ${path}/${proposed}/restore`)
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /change request/)
})

type Json = { [key: string]: any } // oxlint-disable-line typescript/no-explicit-any

const changedNames = (changes: Json[]) =>
  changes.map(({ type, page, file, reusableContent, variables }) => [
    type,
    page?.path ?? page?.title ?? file?.name ?? reusableContent?.title ?? variables,
  ])

test('an import into an empty space creates all its content', async () => {
  const { revision, path } = await liveSpace()
  const { status, body, headers } = await ada(`GET ${path}/${revision}/changes`)
  assert.equal(status, 200)
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  assert.deepEqual(changedNames(body.changes), [
    ['page_created', 'readme'],
    ['page_created', 'guides'],
    ['page_created', 'guides/install'],
    ['page_created', 'guides/install/linux'],
    ['page_created', 'Home page'],
    ['file_created', 'logo.svg'],
    ['reusable_content_created', 'Help'],
    ['variables_edited', { constructor: { after: 1 }, product: { after: 'Lectern' } }],
  ])
  assert.equal(body.more, undefined)
  const { items } = (await ada(`GET ${path}`)).body
  assert.deepEqual((await ada(`GET ${path}/${items[1].id}/changes`)).body, { changes: [] })
})

test('limit truncates the changes, and more counts the omitted ones', async () => {
  const { spaceId, revision, path } = await liveSpace()
  const { body } = await ada(`GET ${path}/${revision}/changes?limit=3`)
  assert.deepEqual([body.changes.length, body.more], [3, 5])
  assert.deepEqual((await ada(`GET ${path}/${revision}/changes?limit=0`)).body, { changes: [], more: 8 })
  assert.equal((await ada(`GET ${path}/${revision}/changes?limit=8`)).body.more, undefined)
  assert.equal((await ada(`GET ${path}/${revision}/changes?limit=1001`)).status, 400)

  const many = await write(spaceId, (pages) => {
    const { id: _, ...like } = pages.get('Welcome')!
    const page = (i: number) => ({ ...like, id: newId(), slug: `p${i}`, file: `p${i}.md` })
    return { pages: set(...Array.from({ length: 12 }, (__, i) => page(i))) }
  })
  const ten = (await ada(`GET ${path}/${many}/changes`)).body
  assert.deepEqual([ten.changes.length, ten.more], [10, 2])
})

test('changes are listed page by page, with the old and new value of each attribute', async () => {
  const { spaceId, path } = await liveSpace()
  const { files, reusableContents } = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  let ids: Record<string, string> = {}
  const revision = await write(spaceId, (pages) => {
    const [welcome, guides] = [pages.get('Welcome')!, pages.get('Guides')!]
    const [install, linux] = [pages.get('Install')!, pages.get('On Linux')!]
    ids = { welcome: welcome.id, guides: guides.id, linux: linux.id, install: install.id }
    const bookkeeping = { ...guides, updatedAt: '2030-01-01T00:00:00.000Z' }
    return {
      pages: new Map<string, PageRecord | null>([
        [welcome.id, { ...welcome, title: 'Start', layout: { outline: false }, hidden: true }],
        [guides.id, bookkeeping],
        [linux.id, { ...linux, parent: null, order: 'zz' }],
        [install.id, null],
      ]),
      variables: { product: 'Lectern 2' },
    }
  })
  const { changes } = (await ada(`GET ${path}/${revision}/changes?metadata=false&computed=false`)).body
  const layout = { width: 'default', cover: true, coverSize: 'hero', title: true, description: true }
  const rest = {
    coverMask: 'none',
    tableOfContents: true,
    pagination: true,
    metadata: true,
    tags: true,
    actions: true,
    anchors: true,
  }
  assert.deepEqual(changes, [
    {
      type: 'page_edited',
      page: { id: ids.welcome, type: 'document', title: 'Start', path: 'readme' },
      attributes: {
        title: { before: 'Welcome', after: 'Start' },
        layout: {
          before: { ...layout, outline: true, ...rest },
          after: { ...layout, outline: false, ...rest },
        },
        hidden: { after: true },
      },
    },
    {
      type: 'page_moved',
      page: { id: ids.linux, type: 'document', title: 'On Linux', path: 'linux' },
      parent: {
        before: { id: ids.install, type: 'document', title: 'Install', path: 'guides/install' },
      },
    },
    {
      type: 'page_deleted',
      page: { id: ids.install, type: 'document', title: 'Install', path: 'guides/install' },
    },
    {
      type: 'variables_edited',
      variables: { constructor: { before: 1 }, product: { before: 'Lectern', after: 'Lectern 2' } },
    },
  ])

  // Other bytes at the same path: the import keeps the ids.
  const { body } = await importArchive(
    world,
    spaceId,
    archiveOf({
      'README.md': DOCS['README.md'],
      '.gitbook/assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>',
      '.gitbook/includes/help.md': '---\ntitle: Help!\n---\n\nAsk us.\n',
    }),
  )
  const again: Json[] = (await ada(`GET ${path}/${body.revision}/changes`)).body.changes
  const [file = {}, reusable = {}] = again.filter(({ page }) => !page)
  assert.deepEqual(
    [file.type, file.file.id, Object.keys(file.attributes)],
    ['file_edited', files[0].id, ['downloadURL', 'size']],
  )
  assert.equal(file.attributes.downloadURL.before, files[0].downloadURL)
  assert.equal(file.attributes.downloadURL.after, file.file.downloadURL)
  assert.deepEqual(
    [reusable.type, reusable.reusableContent.id, reusable.attributes.title],
    ['reusable_content_edited', reusableContents[0].id, { before: 'Help', after: 'Help!' }],
  )
  assert(reusable.attributes.document.after)
})

test('restoring a revision restores its content and keeps the history', async () => {
  const { spaceId, revision, path } = await liveSpace()
  const before = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  const [, guides] = before.pages
  const gone = guides.pages[0].id as string
  const current = await write(spaceId, (pages) => ({
    pages: new Map([
      [gone, null],
      [pages.get('On Linux')!.id, null],
      [pages.get('Welcome')!.id, { ...pages.get('Welcome')!, title: 'Changed' }],
    ]),
    files: new Map([[before.files[0].id, null]]),
    reusables: new Map([[before.reusableContents[0].id, null]]),
    variables: {},
    redirects: { old: 'README.md' },
  }))
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/page/${gone}`)).status, 404)

  const { status, body, headers } = await ada(`POST ${path}/${revision}/restore`, { reason: 'Too early' })
  assert.equal(status, 201)
  assert.equal(headers.get('location'), body.urls.location)
  assert.deepEqual([body.type, body.parents], ['rollback', [current]])
  assert.equal(body.message, `Restore revision ${revision}: Too early`)
  const after = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  assert.equal(after.id, body.id)
  for (const part of ['files', 'reusableContents', 'variables']) assert.deepEqual(after[part], before[part])
  assert.deepEqual(after.pages, before.pages)
  const page = await ada(`GET /v1/spaces/${spaceId}/content/page/${gone}?format=markdown`)
  assert.equal(page.body.markdown, DOCS['guides/install.md'])
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/path/old`)).status, 404)
  assert.equal((await ada(`GET ${path}`)).body.items[0].id, body.id)

  const undone = (await ada(`POST ${path}/${current}/restore`, {})).body
  assert.equal(undone.message, `Restore revision ${current}`)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/path/old`)).body.title, 'Changed')
  assert.equal((await ada(`GET ${path}`)).body.count, 5)

  const log = await ada(`GET /v1/orgs/${organizationId}/audit-events?target=${body.id}`)
  const [event] = log.body.items
  assert.equal(event.action, 'space.revision.restore')
  const detail = (await ada(`GET /v1/orgs/${organizationId}/audit-events/${event.id}`)).body
  assert.deepEqual(detail.payload, {
    before: { revision: current, from: null },
    after: { revision: body.id, from: revision },
    fields: ['reason'],
  })
})

test('restoring requires the same permission as editing in a live space, and as merging in a locked one', async () => {
  const { spaceId, path } = await liveSpace()
  const first = (await ada(`GET ${path}`)).body.items[1].id
  const [edit, review] = [await world.person('ed', 'edit'), await world.person('rev', 'review')]
  assert.equal((await edit(`POST ${path}/${first}/restore`)).status, 201)
  await importArchive(world, spaceId, archiveOf(DOCS))
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'locked' })

  const refused = await edit(`POST ${path}/${first}/restore`)
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"review"/)
  const restored = await review(`POST ${path}/${first}/restore`)
  assert.equal(restored.status, 201)
  assert.equal(restored.body.createdBy.id, review.id)
})

test('if a locked space has merge rules, only its administrators can restore', async () => {
  const { spaceId, path } = await liveSpace()
  const revisions = (await ada(`GET ${path}`)).body.items.map(({ id }: Json) => id)
  const review = await world.person('rachel', 'create')
  const rules = { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] }
  const organization = `/v1/orgs/${organizationId}`
  const [space, restore] = [`/v1/spaces/${spaceId}`, () => review(`POST ${path}/${revisions[1]}/restore`)]
  await ada(`PATCH ${space}`, { editMode: 'locked', mergeRules: rules })

  const refused = await restore()
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"admin"/)
  await ada(`PATCH ${organization}`, { mergeRules: rules })
  await ada(`PATCH ${space}`, { mergeRules: { type: 'inherit' } })
  assert.equal((await restore()).status, 403, 'those of the organization')
  assert.equal((await ada(`POST ${path}/${revisions[1]}/restore`)).status, 201)
  assert.equal((await ada(`POST ${path}/${revisions[0]}/restore`)).status, 201)

  await ada(`PATCH ${space}`, { mergeRules: { type: 'none' } })
  assert.equal((await restore()).status, 201, 'the space has none')
  await ada(`PATCH ${organization}`, { mergeRules: { type: 'none' } })
})

test('refuses to restore the current content, and returns 404 for an unknown revision', async () => {
  const { revision, path } = await liveSpace()
  const other = await liveSpace()
  assert.equal((await ada(`POST ${path}/${revision}/restore`)).status, 409)
  assert.equal((await ada(`POST ${path}/${other.revision}/restore`)).status, 404)
  assert.equal((await ada(`GET ${path}/${other.revision}/changes`)).status, 404)
  const tooLong = await ada(`POST ${path}/${revision}/restore`, { reason: 'x'.repeat(501) })
  assert.equal(tooLong.body.error.details[0].path, 'body.reason')
  assert.equal((await ada(`GET ${path}`)).body.count, 2)
})

test('of concurrent restores each gets a response, and the history stays linear', async () => {
  const { spaceId, revision, path } = await liveSpace()
  const first = (await ada(`GET ${path}`)).body.items[1].id
  await write(spaceId, () => ({ variables: { now: 1 } }))
  const targets = [revision, first, revision, first, revision, first]
  const answers = await Promise.all(targets.map((id) => ada(`POST ${path}/${id}/restore`)))
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
  assert(made.length > 0)
  for (const { status, text } of answers) assert(status === 201 || status === 409, text)

  const { items, count } = (await ada(`GET ${path}`)).body
  assert.equal(count, 3 + made.length)
  items.forEach(({ parents }: Json, i: number) => assert.equal(parents[0], items[i + 1]?.id))
  assert.deepEqual(
    items
      .slice(0, made.length)
      .map(({ id }: Json) => id)
      .toSorted(),
    made.toSorted(),
  )
})

test('no revision gives the repository path of a page or file to a second one, whoever writes it', async () => {
  const { spaceId, path } = await liveSpace()
  const rejects = (make: (pages: Map<string, PageRecord>) => Changes) =>
    assert.rejects(write(spaceId, make), {
      status: 409,
      reason: 'page-path-taken',
      message: /cannot have the repository path/,
    })
  const moved = (pages: Map<string, PageRecord>, file: string) => ({ ...pages.get('Install')!, file })
  await rejects((pages) => ({ pages: set(moved(pages, 'README.md')) }))
  await rejects((pages) => ({ pages: set(moved(pages, '.gitbook/assets/logo.svg')) }))
  // Two at once that are both new to their path.
  await rejects((pages) => ({
    pages: set(moved(pages, 'new.md'), { ...pages.get('On Linux')!, file: 'new.md' }),
  }))
  assert.equal((await ada(`GET ${path}`)).body.count, 2, 'nothing of them is written')
  // A path that another page leaves at the same time is free.
  await write(spaceId, (pages) => ({
    pages: set(moved(pages, 'README.md'), { ...pages.get('Welcome')!, file: 'guides/install.md' }),
  }))
  assert.equal((await ada(`GET ${path}`)).body.count, 3)
})
