/** A site whose spaces have several languages: which one a reader gets at its start, and switching between them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { cookiesOf } from './reading.ts'

const world = await createWorld()
const { ada, organizationId, nobody } = world

async function spaceIn(language: string | undefined, title: string, pages: readonly string[]) {
  const files = Object.fromEntries(pages.map((name) => [`${name}.md`, `# ${title}: ${name}\n\nText.\n`]))
  const { spaceId } = await spaceWith(world, archiveOf(files), title)
  if (language) assert.equal((await ada(`PATCH /v1/spaces/${spaceId}`, { language })).status, 200)
  return spaceId
}

async function siteOf(title: string, spaces: string[]) {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/sites`, { title, spaces })
  const at = `/v1/orgs/${organizationId}/sites/${body.id}`
  const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }
  return { at, base: `/sites/docs${new URL(published).pathname}` }
}

const english = await spaceIn(undefined, 'English', ['README', 'install', 'only-english'])
const german = await spaceIn('de', 'Deutsch', ['README', 'install'])
const norwegian = await spaceIn('no', 'Norsk', ['README'])
const brazilian = await spaceIn('pt-br', 'Portugues', ['README'])
const { at, base } = await siteOf('Languages', [english, german, norwegian, brazilian])
const get = (path: string, headers: Record<string, string> = {}) =>
  nobody(`GET ${base}${path}`, undefined, headers)
const reading = (language: string, more = {}) => get('', { 'accept-language': language, ...more })

test('the start of the site redirects to the language that the browser prefers', async () => {
  const cases: [accepted: string, to: string | undefined][] = [
    ['de', 'deutsch/'],
    ['de-CH, en;q=0.5', 'deutsch/'],
    ['en, de;q=0.9', undefined],
    ['en-GB', undefined],
    ['tlh, de;q=0.2', 'deutsch/'],
    ['nb-NO', 'norsk/'],
    ['nn', 'norsk/'],
    ['pt-PT', 'portugues/'],
    ['*', undefined],
    ['tlh', undefined],
    ['', undefined],
    ['de;q=0, en;q=0.1', undefined],
    [`${'x,'.repeat(2000)}de`, undefined],
  ]
  for (const [accepted, to] of cases) {
    const { status, headers } = await reading(accepted)
    assert.equal(status, to === undefined ? 200 : 302, accepted)
    assert.equal(headers.get('location'), to === undefined ? null : base + to, accepted)
  }
  const { status, headers } = await get('?utm=1', { 'accept-language': 'de' })
  assert.deepEqual([status, headers.get('location')], [302, `${base}deutsch/?utm=1`])
})

test('caches keep the responses for different languages apart', async () => {
  for (const answer of [await reading('de'), await reading('en')]) {
    assert.match(answer.headers.get('vary') ?? '', /\baccept-language\b.*\bcookie\b/)
    assert.match(answer.headers.get('cache-control') ?? '', /no-cache|max-age=0, must-revalidate/)
  }
  const etag = (await reading('en')).headers.get('etag') ?? ''
  assert.equal((await reading('en', { 'if-none-match': etag })).status, 304)
  assert.equal((await reading('de', { 'if-none-match': etag })).status, 302)
  assert.doesNotMatch((await get('install')).headers.get('vary') ?? '', /language/)
})

test('only the start of the site follows the browser', async () => {
  for (const path of ['install', 'deutsch/', 'deutsch/install', 'llms.txt', 'README.md'])
    assert.notEqual((await get(path, { 'accept-language': 'no' })).status, 302, path)
})

test('a link from a page of the site leads where it says', async () => {
  const referer = `${world.url}${base}install`
  assert.equal((await reading('de', { referer })).status, 200)
  for (const other of [`${world.url}/`, 'https://example.org/', 'x', `https://example.org${base}install`])
    assert.equal((await reading('de', { referer: other })).status, 302, other)
})

test('a switch leads to the same page in the other language, or to its start, and is remembered', async () => {
  const { text } = await get('install')
  const links = [...text.matchAll(/<a href="([^"]*\?switch)" rel="nofollow">([^<]*)</g)]
  const [, href = ''] = links.find(([, , title]) => title === 'Deutsch') ?? []
  assert.equal(href, `${base}deutsch/install?switch`)
  const switched = await nobody(`GET ${href}`)
  assert.deepEqual([switched.status, switched.headers.get('location')], [303, `${base}deutsch/install`])
  assert.match(switched.headers.get('cache-control') ?? '', /no-store/)
  assert.match(
    switched.headers.get('set-cookie') ?? '',
    /^lectern-site-language=de; Path=\/sites\/docs\/.*HttpOnly/,
  )

  const missing = await get('deutsch/only-english?switch&utm=1')
  assert.deepEqual([missing.status, missing.headers.get('location')], [303, `${base}deutsch/?utm=1`])

  const cookie = cookiesOf(switched)
  assert.equal((await reading('en', { cookie })).headers.get('location'), `${base}deutsch/`)
  const back = await get('install?switch', { cookie })
  assert.equal(back.headers.get('location'), `${base}install`)
  assert.equal((await reading('de', { cookie: cookiesOf(back) })).status, 200, 'the choice decides')
  assert.equal(
    (await reading('de', { cookie: 'lectern-site-language=tlh' })).status,
    302,
    'a language that has gone',
  )
})

test('a switch never leads to a page that the reader may not see, nor to another site', async () => {
  const hidden = await spaceIn('fr', 'Francais', ['README'])
  const added = await ada(`POST ${at}/site-spaces`, { spaceId: hidden })
  assert.equal(added.status, 201, added.text)
  const condition = 'visitor.claims.unsigned.staff == true'
  assert.equal((await ada(`PATCH ${at}/site-spaces/${added.body.id}`, { condition })).status, 200)
  assert.equal((await reading('fr, de;q=0.5')).headers.get('location'), `${base}deutsch/`)
  for (const path of ['francais/?switch', '/example.org/?switch', '%2F%2Fexample.org?switch', '..?switch']) {
    const { status, headers } = await get(path)
    if (status === 303) assert.equal(headers.get('location'), base, path)
  }
})

test('a site with one language has neither redirects nor cookies, and its versions keep the page', async () => {
  const versions = await siteOf('Versions', [
    await spaceIn(undefined, 'Two', ['README', 'install']),
    await spaceIn(undefined, 'One', ['README', 'install']),
  ])
  const start = await nobody(`GET ${versions.base}`, undefined, { 'accept-language': 'de' })
  assert.equal(start.status, 200)
  assert.doesNotMatch(start.headers.get('vary') ?? '', /language/)
  const switched = await nobody(`GET ${versions.base}one/install?switch`)
  assert.equal(switched.headers.get('location'), `${versions.base}one/install`)
  assert.equal(switched.headers.get('set-cookie'), null)
})

test('a site has the language and direction of a space whose language has only a tag', async () => {
  const persian = await spaceIn(undefined, 'Farsi', ['README'])
  const chinese = await spaceIn('zh', 'Chinese', ['README'])
  const set = (space: string, body: object) => ada(`PATCH /v1/spaces/${space}`, body)
  const { body } = await set(persian, { languageTag: 'fa' })
  assert.deepEqual([body.language, body.languageTag], [undefined, 'fa'])
  const taiwan = (await set(chinese, { languageTag: 'zh_tw' })).body
  assert.deepEqual([taiwan.language, taiwan.languageTag], ['zh', 'zh-TW'])
  const { base: tagged } = await siteOf('Tags', [persian, chinese])
  assert.match((await nobody(`GET ${tagged}`)).text, /<html lang="fa" dir="rtl"/)
  const { text } = await nobody(`GET ${tagged}chinese/`)
  assert.match(text, /<html lang="zh-TW"(?! dir)/)
  assert.match(text, /hreflang="fa"/)
  const spoken = await nobody(`GET ${tagged}`, undefined, { 'accept-language': 'zh-TW' })
  assert.equal(spoken.headers.get('location'), `${tagged}chinese/`)
})

test('a tag and a code of a language agree', async () => {
  const space = await spaceIn(undefined, 'Agree', ['README'])
  const set = async (body: object) => {
    const answer = await ada(`PATCH /v1/spaces/${space}`, body)
    return answer.status === 200
      ? [answer.body.language, answer.body.languageTag]
      : [answer.status, answer.body.error.reason]
  }
  assert.deepEqual(await set({ languageTag: 'de' }), ['de', undefined])
  assert.deepEqual(await set({ languageTag: 'de-CH' }), ['de', 'de-CH'])
  assert.deepEqual(await set({ title: 'Same' }), ['de', 'de-CH'])
  assert.deepEqual(await set({ language: 'fr' }), ['fr', undefined])
  assert.deepEqual(await set({ languageTag: 'PT-br' }), ['pt-br', undefined])
  assert.deepEqual(await set({ languageTag: 'nb' }), ['no', 'nb'])
  assert.deepEqual(await set({ languageTag: null }), ['no', undefined])
  assert.deepEqual(await set({ language: 'de', languageTag: 'de-AT' }), ['de', 'de-AT'])
  assert.deepEqual(await set({ language: null }), [undefined, undefined])
  for (const languageTag of ['xx', 'german', 'de-', 'x-a', 'de_CH_', '-', `de-${'a'.repeat(40)}`, 5])
    assert.equal((await set({ languageTag }))[0], 400, String(languageTag))
  assert.deepEqual(await set({ language: 'fr', languageTag: 'fa' }), [400, 'invalid-values'])
  const { body, status } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { languageTag: 'ckb' })
  assert.deepEqual([status, body.languageTag], [201, 'ckb'])
})
