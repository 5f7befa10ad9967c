import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, conforms } from '../client.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { SAMPLE } from './sample.ts'
import { readPdf, withoutPdfTools } from './tools.ts'

const world = await createWorld()
const { ada, nobody } = world
const stranger = await world.stranger('Stranger')
const reader = await world.person('Reader', 'read')
const { spaceId } = await spaceWith(world, archiveOf(SAMPLE), 'Sample')
// The sample has many languages.
await world.ada(`PATCH /v1/spaces/${spaceId}`, { language: 'en' })
const at = `/v1/spaces/${spaceId}`
type Item = { id: string; title: string; pages?: Item[] }
const { pages } = (await ada(`GET ${at}/content/pages`)).body as { pages: Item[] }
const all = (list: Item[]): Item[] => list.flatMap((page) => [page, ...all(page.pages ?? [])])
const idOf = (title: string) => all(pages).find((page) => page.title === title)!.id

/** A page and a part of a page that only some readers see. */
const FOR_SOME = {
  'README.md': '# Welcome\n\n{% if visitor.claims.unsigned.pro %}Hidden sentence.{% endif %}\n\nFor all.\n',
  'secret.md': '---\nif: visitor.claims.unsigned.pro\n---\n\n# Secret\n\nA secret text.\n',
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  return new Uint8Array(await answer.arrayBuffer())
}

async function pdfOf(query = '', person = ada) {
  const answer = await person(`GET ${at}/pdf${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.problems, [])
  return readPdf(await bytesOf(answer.body.url))
}

test('a space becomes a book with everything that a visitor sees', { skip: withoutPdfTools }, async () => {
  const { info, text, bookmarks, places, links, urls } = await pdfOf()
  assert.match(info, /Title: +Sample/)
  assert.match(info, /Tagged: +yes/)
  assert.match(info, /A4/)
  assert.deepEqual(
    bookmarks.map(({ title, level }) => `${level} ${title}`),
    [
      '1 Welcome',
      '1 Guide',
      '2 Install',
      '2 Blocks',
      '1 Languages',
      '1 Reference',
      '2 Table',
      '2 Code',
      '2 Formulas',
    ],
  )
  for (const words of [
    'Contents',
    'How everything begins',
    'A remote picture',
    'The caption',
    'Mind the gap.',
    'Warning',
    'Text of the second tab.',
    'yarn',
    '2. Close the lid',
    'Folded text.',
    'A quotation.',
    'graph TD; A-->B',
    'A card',
    'report.pdf',
    'Row 70',
    'const value90 = compute(89, "text")',
    '中文的文字和标点',
    '日本語のテキスト',
    '한국어 문장입니다',
    'Кириллица',
    'Ελληνικά',
  ])
    assert(text.includes(words), words)
  assert(text.match(/^ *Name +Value +Link/gm)!.length > 1, 'the head of a table is repeated')
  assert.doesNotMatch(text, /Secret|secret text|Hidden sentence/)
  assert(links.length > 75)
  for (const link of links) assert(places.has(link), link)
  assert(urls.includes('https://example.com/path?a=1'))
  assert(urls.includes('https://images.example.com/remote.png'))
  assert(
    urls.every((url) => /^https:\/\/(?:example\.com|images\.example\.com|www\.youtube\.com)\//.test(url)),
  )
})

test('the table of contents is one for assistive software', { skip: withoutPdfTools }, async () => {
  const lines = (await pdfOf()).structure().map((line) => line.trimEnd())
  const from = lines.indexOf('  TOC')
  assert.match(lines[from - 1] ?? '', /^ {2}(?:H1 "Contents"|P)/)
  const end = lines.findIndex((line, index) => index > from && /^ {2}H1/.test(line))
  const outer = ['    TOCI', '      P (block)', '        Link (inline)']
  const inner = outer.map((line) => `    ${line}`)
  assert.deepEqual(lines.slice(from, end), [
    '  TOC',
    ...outer,
    ...outer,
    '      TOC',
    ...inner,
    ...inner,
    ...outer,
    ...outer,
    '      TOC',
    ...inner,
    ...inner,
    ...inner,
  ])
})

test('a book can have one page, or a page with everything below it', { skip: withoutPdfTools }, async () => {
  const only = await pdfOf(`?page=${idOf('Guide')}&only=true`)
  assert.deepEqual(only.bookmarks, [{ title: 'Guide', level: 1 }])
  assert.doesNotMatch(only.text, /Contents|Second step/)
  const below = await pdfOf(`?page=${idOf('Guide')}`)
  assert.deepEqual(
    below.bookmarks.map(({ title }) => title),
    ['Guide', 'Install', 'Blocks'],
  )
  assert.match(below.info, /Title: +Guide/)
})

test('a book of a change request has its changes', { skip: withoutPdfTools }, async () => {
  const { id } = (await ada(`POST ${at}/change-requests`, { subject: 'More' })).body
  const changes = [{ operation: 'insert_page', document: { markdown: '# Added\n\nA new text.' } }]
  const made = await ada(`POST ${at}/change-requests/${id}/content?compat=false`, { changes })
  assert.equal(made.status, 200, made.text)
  const page = made.body.changes[0].page.id
  const answer = await ada(`GET ${at}/change-requests/${id}/pdf?page=${page}`)
  assert.equal(answer.status, 200, answer.text)
  const { text } = readPdf(await bytesOf(answer.body.url))
  assert.match(text, /A new text\./)
})

test('the client asks for books of a space and of a change request', async () => {
  const client = clientOf(world)
  const page = idOf('Install')
  const { data: book } = await client.spaces.getSpacePdf(spaceId, { page, only: true })
  conforms('GET', '/spaces/{spaceId}/pdf', 200, book)
  const { id } = (await ada(`POST ${at}/change-requests`, { subject: 'For the client' })).body
  const { data: proposed } = await client.spaces.getChangeRequestPdf(spaceId, id, { page, only: true })
  conforms('GET', '/spaces/{spaceId}/change-requests/{changeRequestId}/pdf', 200, proposed)
  assert.equal(Buffer.from(await bytesOf(proposed.url)).toString('latin1', 0, 4), '%PDF')
})

test('a book is made once for all who ask for it, and again after a change', async () => {
  const files = archiveOf({ 'README.md': '# Install\n\nOpen the box.\n' })
  const space = `/v1/spaces/${(await spaceWith(world, files, 'Short')).spaceId}`
  const [first, second] = await Promise.all([ada, reader].map((person) => person(`GET ${space}/pdf`)))
  assert.equal(first!.status, 200, first!.text)
  const fileOf = (url: string) => new URL(url).pathname
  assert.equal(fileOf(first!.body.url), fileOf(second!.body.url))
  const since = performance.now()
  await ada(`GET ${space}/pdf`)
  assert(performance.now() - since < 1_000, 'it is not made again')
  assert.equal((await ada(`PATCH ${space}`, { title: 'Renamed' })).status, 200)
  const again = await ada(`GET ${space}/pdf`)
  assert.match(decodeURIComponent(again.body.url), /\/Renamed\.pdf\?/)
})

test('the address is signed, works for an hour, and supports ranges', async () => {
  const { url } = (await ada(`GET ${at}/pdf?page=${idOf('Install')}&only=true`)).body as { url: string }
  const part = await fetch(url, { headers: { range: 'bytes=0-3' } })
  assert.deepEqual([part.status, await part.text()], [206, '%PDF'])
  assert.match(part.headers.get('cache-control') ?? '', /^private, no-cache$/)
  const bad = [
    url.replace(/signature=.{8}/, '$&AAAA'),
    url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    url.replace(/\/[^/?]+\.pdf/, '/other.pdf'),
    url.replace(spaceId, '0'.repeat(22)),
  ]
  for (const address of bad) assert.equal((await fetch(address)).status, 404, address)
  world.clock.now = new Date(Date.now() + 3_601_000)
  assert.equal((await fetch(url)).status, 404)
  world.clock.now = undefined
})

test('only who may read the space can ask for it, and only for pages in it', async () => {
  const path = `GET ${at}/pdf`
  assert.equal((await nobody(path)).status, 401)
  assert.equal((await stranger(path)).status, 404)
  assert.equal((await reader(`${path}?page=${idOf('Install')}&only=true`)).status, 200)
  assert.equal((await ada(`${path}?page=${idOf('Secret')}`)).status, 404)
  assert.equal((await ada(`${path}?page=${'z'.repeat(22)}`)).status, 404)
  assert.equal((await ada(`${path}?only=true`)).status, 400)
  assert.equal((await ada(`${path}?format=doc`)).status, 400)
  const other = await stranger(`POST /v1/orgs/${stranger.organizationId}/spaces`, { title: 'Other' })
  assert.equal((await ada(`GET /v1/spaces/${other.body.id}/pdf`)).status, 404)
  assert.equal((await ada(`GET /v1/spaces/${other.body.id}/change-requests/1/pdf`)).status, 404)
})

test('the reader of a site gets what they see there', { skip: withoutPdfTools }, async () => {
  const { spaceId: space } = await spaceWith(world, archiveOf(FOR_SOME))
  const { siteId, address } = await publish(world, space, 'For readers')
  const site = `/v1/orgs/${world.organizationId}/sites/${siteId}`
  const closed = { type: 'object', additionalProperties: false }
  const pro = { type: 'boolean', description: 'Pays' }
  const unsigned = { ...closed, description: 'Unsigned claims of the site visitor.', properties: { pro } }
  const jsonSchema = { ...closed, properties: { unsigned } }
  assert.equal((await ada(`PUT ${site}/adaptive-schema`, { jsonSchema })).status, 200)
  assert.equal((await ada(`PATCH ${site}`, { adaptiveContent: { enabled: true } })).status, 200)
  const ask = async (unsignedClaims: object) => {
    const visitor = { unsignedClaims }
    const { body } = await nobody('POST /v1/urls/published', { url: address, visitor })
    const authorization = `Bearer ${body.apiToken}`
    const answer = await nobody(`GET /v1/spaces/${space}/pdf`, undefined, { authorization })
    assert.equal(answer.status, 200, answer.text)
    return readPdf(await bytesOf(answer.body.url))
  }
  const free = await ask({})
  assert.match(free.text, /For all\./)
  assert.doesNotMatch(free.text, /secret text|Hidden sentence/)
  assert(!free.bookmarks.some(({ title }) => title === 'Secret'))
  const paying = await ask({ pro: true })
  assert.match(paying.text, /secret text/)
  assert.match(paying.text, /Hidden sentence/)
  assert(paying.bookmarks.some(({ title }) => title === 'Secret'))
})

test('a page that cannot be set is in the book as plain text', { skip: withoutPdfTools }, async () => {
  const broken = Buffer.concat([PNG.subarray(0, 40), Buffer.alloc(40, 7)])
  const { spaceId: id } = await spaceWith(
    world,
    archiveOf({
      'README.md': '# Fine\n\nThe [other page](bad.md) has a picture.\n',
      'bad.md': '# Bad\n\n**Words** before.\n\n![A picture](p.png)\n',
      'p.png': broken,
    }),
  )
  const answer = await ada(`GET /v1/spaces/${id}/pdf`)
  assert.equal(answer.status, 200, answer.text)
  const [{ title, message, reason, parameters }] = answer.body.problems
  assert.deepEqual([answer.body.problems.length, title, reason], [1, 'Bad', 'page-set-as-plain-text'])
  assert.equal(message, `The page was set as plain text: ${parameters.fault}`)
  const { text } = readPdf(await bytesOf(answer.body.url))
  assert.match(text, /Words before\./)
  assert.match(text, /A picture/)
})
