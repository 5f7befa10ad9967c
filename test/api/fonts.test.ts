/** The fonts of an organization: their files, and the sites whose look has them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`

/** Bytes that begin as those of a font do. */
const woff2 = (name: string) => new TextEncoder().encode(`wOF2${name}`)

/** Announces and sends a file. @returns the key of the upload */
async function keyOf(
  bytes: Uint8Array<ArrayBuffer>,
  { kind = 'customization_font', by = ada, at = organizationId } = {},
): Promise<string> {
  const file = { name: 'a.woff2', type: 'font/woff2', size: bytes.length }
  const { body } = await by(`POST /v1/orgs/${at}/storage/upload`, { file, kind })
  const { status } = await fetch(body.url, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(status, 204)
  return body.key
}

const fontWith = async (fontFamily: string, weights: number[]) => {
  const fontFaces = []
  for (const weight of weights)
    fontFaces.push({ weight, storageKey: await keyOf(woff2(`${fontFamily} ${weight}`)) })
  const created = await ada(`PUT ${org}/fonts`, { fontFamily, fontFaces })
  assert.equal(created.status, 201, created.text)
  return created
}

test('a font is made of uploads, and everyone loads its files', async () => {
  const { body: font, headers } = await fontWith('Brand Sans', [700, 400])
  assert.equal(headers.get('location'), `${world.url}${org}/fonts/${font.id}`)
  assert.deepEqual(
    [
      font.custom,
      font.fontFamily,
      font.permissions,
      font.fontFaces.map((face: { weight: number }) => face.weight),
    ],
    [true, 'Brand Sans', { edit: true }, [400, 700]],
  )
  const [{ url, format }] = font.fontFaces[0].sources
  assert.equal(format, 'woff2')
  const sent = await fetch(url)
  assert.deepEqual(
    [sent.status, sent.headers.get('content-type'), await sent.text()],
    [200, 'font/woff2', 'wOF2Brand Sans 400'],
  )
  assert.deepEqual((await ada(`GET ${org}/fonts/${font.id}`)).body, font)
  assert.deepEqual((await ada(`GET ${org}/fonts`)).body.items, [font])
  for (const wrong of [url.replace('/files/', '/files/0'), url.replace(/[0-9a-f]{64}/, '0'.repeat(64))])
    assert.notEqual((await fetch(wrong)).status, 200)
})

test('a change of a font shows on the sites whose look has it, and a font in use is not deleted', async () => {
  const { body: font } = await fontWith('Used', [400, 500])
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n' }), 'Fonts')
  const { id } = (await ada(`POST ${org}/sites`, { title: 'With a font', spaces: [spaceId] })).body
  const site = `${org}/sites/${id}`
  const styling = { font, headingFont: font }
  const set = await ada(`PUT ${site}/customization`, { styling })
  assert.equal(set.status, 200, set.text)
  const { published } = (await ada(`POST ${site}/publish`)).body.urls
  const base = `${world.url}/sites/docs${new URL(published).pathname}`
  const filesOfPage = async () => {
    const page = await (await fetch(base)).text()
    const sheet = /<link rel="stylesheet" href="([^"]*theme[^"]*)"/.exec(page)?.[1] ?? ''
    const css = sheet === '' ? page : await (await fetch(new URL(sheet, base))).text()
    const urls = [...(css + page).matchAll(/url\('([^']*~\/look\/fonts\/[^']*)'\)/g)].map(([, path]) => path!)
    const texts = []
    for (const path of new Set(urls)) texts.push(await (await fetch(new URL(path, base))).text())
    return texts.toSorted()
  }
  assert.deepEqual(await filesOfPage(), ['wOF2Used 400', 'wOF2Used 500'])

  const fontFaces = [
    { weight: 500, storageKey: null },
    { weight: 400, storageKey: await keyOf(woff2('Renewed')) },
  ]
  const updated = await ada(`POST ${org}/fonts/${font.id}`, { fontFamily: 'Renamed', fontFaces })
  assert.equal(updated.status, 201, updated.text)
  assert.deepEqual(await filesOfPage(), ['wOF2Renewed'])
  const { font: shown } = (await ada(`GET ${site}/customization`)).body.styling
  const { permissions: _, ...definition } = updated.body
  assert.deepEqual(shown, definition)

  const refused = await ada(`DELETE ${org}/fonts/${font.id}`)
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'font-in-use'])
  assert.equal((await ada(`PUT ${site}/customization`, {})).status, 200)
  assert.equal((await ada(`DELETE ${org}/fonts/${font.id}`)).status, 204)
  assert.equal((await ada(`GET ${org}/fonts/${font.id}`)).status, 404)
  assert.equal((await fetch(updated.body.fontFaces[0].sources[0].url)).status, 404)
  const late = await ada(`PUT ${site}/customization`, { styling: { font: definition } })
  assert.equal(late.body.error.details[0].reason, 'not-font-file')
})

test('what is no font is refused, with its place', async () => {
  const { body: font } = await fontWith('Kept', [400])
  const regular = async () => ({ weight: 400, storageKey: await keyOf(woff2('x')) })
  const create = (fontFaces: object[], more = {}) =>
    ada(`PUT ${org}/fonts`, { fontFamily: 'F', fontFaces, ...more })
  const used = await regular()
  assert.equal((await create([used])).status, 201)
  const eve = await world.stranger('Eve')
  const cases: [Promise<{ status: number; text: string }>, RegExp][] = [
    [create([]), /fontFaces/],
    [create([await regular()], { fontFamily: ' ' }), /fontFamily.*blank/],
    [create([{ ...(await regular()), weight: 0 }]), /weight/],
    [create([{ ...(await regular()), weight: 500 }]), /font-without-regular/],
    [create([await regular(), await regular()]), /fontFaces\.1\.weight.*font-weight-twice/],
    [create([{ weight: 400, storageKey: 'unknown' }]), /unused upload of the kind/],
    [create([used]), /unused upload of the kind/],
    [
      create([{ weight: 400, storageKey: await keyOf(woff2('x'), { kind: 'import_file' }) }]),
      /unused upload of the kind/,
    ],
    [
      create([{ weight: 400, storageKey: await keyOf(woff2('x'), { by: eve, at: eve.organizationId }) }]),
      /unused upload of the kind/,
    ],
    [
      create([{ weight: 400, storageKey: await keyOf(new TextEncoder().encode('<svg/>')) }]),
      /font-file-format/,
    ],
    [
      ada(`POST ${org}/fonts/${font.id}`, { fontFaces: [{ weight: 400, storageKey: null }] }),
      /font-without-regular/,
    ],
  ]
  for (const [sent, words] of cases) {
    const { status, text } = await sent
    assert.equal(status, 400, text)
    assert.match(text, words)
  }
  // A refused change leaves the font, and the uploads of a refused one can be used.
  assert.deepEqual((await ada(`GET ${org}/fonts/${font.id}`)).body, font)
})

test('fonts are those of their organization, and only creators change them', async () => {
  const { body: font } = await fontWith('Private', [400])
  const eve = await world.stranger('Mallory')
  const theirs = `/v1/orgs/${eve.organizationId}`
  for (const request of [
    `GET ${org}/fonts`,
    `GET ${theirs}/fonts/${font.id}`,
    `POST ${theirs}/fonts/${font.id}`,
  ])
    assert.equal((await eve(request, request.startsWith('POST') ? {} : undefined)).status, 404, request)
  assert.equal((await eve(`DELETE ${theirs}/fonts/${font.id}`)).status, 204)
  // The look of a site of another organization cannot have it, although its address is known.
  const { id } = (await eve(`POST ${theirs}/sites`, { title: 'Theirs' })).body
  const { status, body } = await eve(`PUT ${theirs}/sites/${id}/customization`, { styling: { font } })
  assert.deepEqual([status, body.error.details[0].reason], [400, 'not-font-file'])

  const editor: Person = await world.person('Editor', 'edit')
  const seen = await editor(`GET ${org}/fonts/${font.id}`)
  assert.deepEqual([seen.status, seen.body.permissions], [200, { edit: false }])
  for (const request of [`POST ${org}/fonts/${font.id}`, `DELETE ${org}/fonts/${font.id}`])
    assert.equal((await editor(request, request.startsWith('POST') ? {} : undefined)).status, 403, request)
  assert.equal((await ada(`GET ${org}/fonts/${font.id}`)).status, 200)
})
