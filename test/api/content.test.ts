import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { CORPORA, corpusArchive, pagesToTry, withoutCorpora } from '../corpus.ts'
import { archiveOf, importArchive, spaceWith, upload } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const DOCS = {
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## Guides

* [Install](guides/install.md)
  * [On Linux](guides/linux.md)
* [Home page](https://example.com)
`,
  'README.md':
    '---\ndescription: The start\nicon: house\nowner: ada\n---\n\n# Welcome\n\nSee [install](guides/install.md#needs) and ![logo](.gitbook/assets/logo.png).\n\n{% include ".gitbook/includes/help.md" %}\n',
  'guides/install.md': '# Install\n\n## Needs\n\n{% hint style="warning" %}\nA *computer*.\n{% endhint %}\n',
  'guides/linux.md': '---\nhidden: true\n---\n\n# On Linux\n\n[up](install.md), [nowhere](gone.md)\n',
  '.gitbook/assets/logo.png': PNG,
  '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\nAsk [us](../../README.md).\n',
  '.gitbook/vars.yaml': 'product: Lectern\n',
  '.gitbook.yaml': 'redirects:\n  old/install: guides/install.md\n',
}

type Json = { [key: string]: unknown }

test('an import creates the pages, files, reusable contents and variables of the repository', async () => {
  const { spaceId, revision, result } = await spaceWith(world, archiveOf(DOCS))
  assert.deepEqual(result.body.problems, [])
  assert.equal(result.body.importedResources, result.body.totalResources)
  assert.deepEqual([result.body.importedPages, result.body.importedFiles], [3, 1])
  assert.equal(result.headers.get('location'), `${world.url}/v1/spaces/${spaceId}/revisions/${revision}`)

  const { body } = await ada(`GET /v1/spaces/${spaceId}/content`)
  assert.equal(body.id, revision)
  assert.deepEqual(body.variables, { product: 'Lectern' })
  const outline = (pages: Json[]): unknown[] =>
    pages.map(({ type, title, path, pages: below }) => [
      type,
      title,
      path,
      ...(below ? outline(below as Json[]) : []),
    ])
  assert.deepEqual(outline(body.pages), [
    ['document', 'Welcome', 'readme'],
    [
      'group',
      'Guides',
      'guides',
      ['document', 'Install', 'guides/install', ['document', 'On Linux', 'guides/install/linux']],
      ['link', 'Home page', undefined],
    ],
  ])
  const [welcome] = body.pages
  assert.deepEqual([welcome.description, welcome.icon, welcome.kind], ['The start', 'house', 'sheet'])
  assert.deepEqual(Object.keys(welcome.layout).length, 13)
  assert.equal(welcome.git.path, 'README.md')
  assert.equal(body.files.length, 1)
  assert.deepEqual(body.files[0].dimensions, { width: 1, height: 1 })
  assert.equal(body.reusableContents[0].title, 'Help')
})

test('a page is returned as a document with links by id, or as Markdown byte for byte', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(DOCS))
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content`)
  const [welcome, guides] = body.pages
  const path = `/v1/spaces/${spaceId}/content/page/${welcome.id}`

  assert.equal((await ada(`GET ${path}?format=markdown`)).body.markdown, DOCS['README.md'])

  const page = (await ada(`GET ${path}`)).body
  const text = JSON.stringify(page.document)
  assert.match(text, new RegExp(`"kind":"anchor"[^}]*"anchor":"needs"[^}]*"page":"${guides.pages[0].id}"`))
  assert(text.includes(`"kind":"file","file":"${body.files[0].id}"`))
  assert(text.includes(`"reusableContent":"${body.reusableContents[0].id}"`))
  const direct = (await ada(`GET ${path}/document`)).body
  assert.deepEqual(direct, page.document)

  const linux = guides.pages[0].pages[0]
  assert.equal(linux.hidden, true)
  const broken = JSON.stringify(
    (await ada(`GET /v1/spaces/${spaceId}/content/page/${linux.id}`)).body.document,
  )
  assert(broken.includes('"url":"gone.md"'), 'a link to nothing stays as it was written')
  const help = body.reusableContents[0].id
  const included = await ada(`GET /v1/spaces/${spaceId}/content/reusable-contents/${help}/document`)
  assert(included.text.includes(`"page":"${welcome.id}"`), 'links of an include are seen from its own file')
})

test('a page can be read by its path, in any case, and by an old path', async () => {
  const { spaceId, revision } = await spaceWith(world, archiveOf(DOCS))
  for (const base of [`/v1/spaces/${spaceId}/content`, `/v1/spaces/${spaceId}/revisions/${revision}`]) {
    for (const path of [
      'guides%2Finstall',
      'guides/install',
      'guides/install/?format=markdown',
      'Guides%2FINSTALL',
      'old%2Finstall',
    ]) {
      assert.equal((await ada(`GET ${base}/path/${path}`)).body.title, 'Install', path)
    }
    assert.equal((await ada(`GET ${base}/path/guides`)).body.type, 'group')
    assert.equal((await ada(`GET ${base}/path/guides%2Fnothing`)).status, 404)
    assert.equal((await ada(`GET ${base}/path/__proto__`)).status, 404)
  }
})

test('a revision never changes and can be cached for ever', async () => {
  const { spaceId, revision } = await spaceWith(world, archiveOf(DOCS))
  const path = `/v1/spaces/${spaceId}/revisions/${revision}`
  const before = await ada(`GET ${path}`)
  assert.match(before.headers.get('cache-control') ?? '', /immutable/)
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live', title: 'Renamed' })
  await importArchive(world, spaceId, archiveOf({ 'README.md': '# Changed\n' }))

  const after = await ada(`GET ${path}`)
  assert.equal(after.text, before.text)
  const etag = before.headers.get('etag') ?? ''
  assert.equal((await ada(`GET ${path}`, undefined, { 'if-none-match': etag })).status, 304)
})

test('importing again updates pages from the same file and keeps their ids', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(DOCS))
  const before = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const second = { ...DOCS, 'README.md': '# Hello\n', 'new.md': '# New\n' }
  second['SUMMARY.md'] += '* [New](new.md)\n'
  assert.equal((await importArchive(world, spaceId, archiveOf(second))).status, 201)

  const after = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  assert.deepEqual(after.parents, [before.id])
  assert.equal(after.pages[0].id, before.pages[0].id)
  assert.equal(after.pages[0].title, 'Hello')
  assert.equal(after.pages.length, 2)
  assert.deepEqual(
    after.pages[1].pages.map(({ title }: Json) => title),
    ['Install', 'Home page', 'New'],
  )
  assert.equal(after.files[0].id, before.files[0].id)
})

test('a locked space accepts an import only while it is empty', async () => {
  const { spaceId, revision } = await spaceWith(world, archiveOf(DOCS))
  const again = await importArchive(world, spaceId, archiveOf(DOCS))
  assert.equal(again.status, 409)
  assert.match(again.body.error.message, /locked/)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.revision, revision)
})

test('of two concurrent first imports into a locked space, one succeeds and the other fails', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const answers = await Promise.all([1, 2].map(() => importArchive(world, space.id, archiveOf(DOCS))))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
  assert.equal((await ada(`GET /v1/spaces/${space.id}/content`)).body.pages.length, 2)
})

test('a refused import names the fault and writes nothing', async () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['not a zip', Buffer.from('hello, this is text'), /zip/i],
    ['cut off', archiveOf(DOCS).slice(0, 400), /zip|archive/i],
    ['points outside the archive', archiveOf({ 'README.md': '# A', '../evil.md': '# B' }), /evil\.md/],
    ['a bomb', archiveOf({ 'README.md': '# A', 'zeros.png': new Uint8Array(80_000_000) }), /zeros\.png/],
  ]
  for (const [name, bytes, message] of cases) {
    const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: name })).body
    const answer = await importArchive(world, space.id, bytes)
    assert.equal(answer.status, 400, `${name}: ${answer.text}`)
    assert.match(answer.body.error.message, message)
    assert.equal((await ada(`GET /v1/spaces/${space.id}`)).body.revision, space.revision, name)
  }
})

test('a Markdown file becomes one page', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const url = await upload(ada, organizationId, Buffer.from('# One\n\nText\n'), 'one.md')
  const answer = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'markdown' })
  assert.equal(answer.status, 201, answer.text)
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content/pages`)).body
  assert.deepEqual(
    pages.map(({ title }: Json) => title),
    ['One'],
  )
})

test('an import fetches nothing from private addresses unless configured', async () => {
  const closed = await createWorld({ LECTERN_FETCH_ALLOW: '' })
  const space = (await closed.ada(`POST /v1/orgs/${closed.organizationId}/spaces`)).body
  for (const url of [
    `${world.url}/openapi.json`,
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'file:///etc/passwd',
  ]) {
    const answer = await closed.ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'zip' })
    assert.equal(answer.status, 400, `${url}: ${answer.text}`)
  }
})

test('the bytes of a file require the signature, support ranges, and cannot run', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const { spaceId } = await spaceWith(
    world,
    archiveOf({
      'README.md': '# A\n\n![x](x.svg) ![y](y.png)\n\n[page](evil.html)',
      'x.svg': svg,
      'y.png': PNG,
      'evil.html': '<script>1</script>',
    }),
  )
  const { items, count } = (await ada(`GET /v1/spaces/${spaceId}/content/files`)).body
  assert.equal(count, items.length)
  const file = (name: string) => items.find((one: Json) => one.name === name)

  const image = await fetch(file('y.png').downloadURL)
  assert.equal(image.status, 200)
  assert.equal(image.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), PNG)
  const part = await fetch(file('y.png').downloadURL, { headers: { range: 'bytes=1-3' } })
  assert.deepEqual(
    [part.status, await part.text(), part.headers.get('content-range')],
    [206, 'PNG', `bytes 1-3/${PNG.length}`],
  )
  const outside = await fetch(file('y.png').downloadURL, { headers: { range: 'bytes=9999-' } })
  assert.equal(outside.status, 416)

  const drawing = await fetch(file('x.svg').downloadURL)
  assert.match(drawing.headers.get('content-security-policy') ?? '', /sandbox/)
  const page = file('evil.html') && (await fetch(file('evil.html').downloadURL))
  if (page) assert.match(page.headers.get('content-type') ?? '', /^text\/plain/)

  const forged = file('y.png').downloadURL.replace(
    /signature=.*/,
    'signature=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  )
  assert.equal((await fetch(forged)).status, 404)
  const one = await ada(`GET /v1/spaces/${spaceId}/content/files/${file('y.png').id}`)
  assert.deepEqual(one.body, file('y.png'))
})

test('an upload accepts the announced bytes once, and its URL is useless without the secret', async () => {
  const announce = (size: number) =>
    ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size },
      kind: 'import_file',
    })
  const { body } = await announce(4)
  const put = (url: string, text: string) => fetch(url, { method: 'PUT', body: text })
  assert.equal((await put(body.url.replace(/secret=.*/, 'secret=wrong'), 'abcd')).status, 404)
  assert.equal((await put(body.url, 'abc')).status, 400)
  assert.equal((await put(body.url, 'abcde')).status, 413)
  assert.equal((await put(body.url, 'abcd')).status, 204)
  assert.equal((await put(body.url, 'abcd')).status, 409)
  assert.equal(await (await fetch(body.url)).text(), 'abcd')
  assert.equal((await announce(10 ** 12)).status, 413)

  world.clock.now = new Date(Date.now() + 25 * 3_600_000)
  assert.equal((await fetch(body.url)).status, 404)
  world.clock.now = undefined
})

for (const corpus of CORPORA) {
  test(`every page of ${corpus} is returned byte for byte`, { skip: withoutCorpora }, async () => {
    const { spaceId, revision, result } = await spaceWith(world, corpusArchive(corpus), corpus)
    assert(result.body.importedResources > 50)
    const sources = new Map(pagesToTry(corpus, 1))
    const { body } = await ada(`GET /v1/spaces/${spaceId}/revisions/${revision}`)
    const documents = (pages: Json[]): Json[] =>
      pages.flatMap((page) => [page, ...documents((page.pages as Json[]) ?? [])])
    const found = documents(body.pages).filter(({ git }) => git)
    assert(found.length > 50)
    const compared = found.filter(({ git }) => sources.has((git as { path: string }).path))
    assert(compared.length > 10)

    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    for (const page of compared) {
      const file = (page.git as { path: string }).path
      const { markdown } = (
        await ada(`GET /v1/spaces/${spaceId}/content/page/${String(page.id)}?format=markdown`)
      ).body
      assert.equal(digest(markdown), digest(sources.get(file)!), file)
    }
  })
}
