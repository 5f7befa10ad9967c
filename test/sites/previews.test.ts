import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { cookiesOf, jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada } = world
const site = await siteForReaders(world, 'Previews')
await ada(`POST ${site.at}/unpublish`)

/** The cookie of a preview, from its address. */
async function previewCookie(query = '', person = ada) {
  const { status, body, text } = await person(`GET ${site.at}/publishing/preview${query}`)
  assert.equal(status, 200, text)
  const { search } = new URL(body.url)
  const arrived = await site.get(search)
  assert.equal(arrived.status, 303, arrived.text)
  assert.equal(arrived.headers.get('location'), site.base)
  assert.match(arrived.headers.getSetCookie()[0]!, /; HttpOnly; SameSite=Lax; Max-Age=(3600|35\d\d)$/)
  return { cookie: cookiesOf(arrived) }
}

const claimed = (rison: string) => `?claims=${encodeURIComponent(rison)}`

test('a preview shows a site that is not published, as a visitor with these claims sees it', async () => {
  assert.equal((await site.get('')).status, 404)
  const pro = await previewCookie(claimed('(plan:pro,unsigned:(beta:!t))'))
  const plain = await previewCookie()
  for (const path of ['pro', 'beta', 'pro.md', site.file('pro.png')]) {
    assert.equal((await site.get(path, pro)).status, 200, path)
    assert.equal((await site.get(path, plain)).status, 404, path)
  }
  const page = await site.get('pro', pro)
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.match(page.text, /This is a preview of the site<\/span>/)
  assert.match(page.text, /href="\/sites\/docs\/previews\/~\/sign-out"/)
  assert.doesNotMatch((await site.get('sitemap-pages.xml', pro)).text, /<url>/)

  const image = /<img[^>]* src="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  assert.equal((await site.get(image)).status, 200, 'a picture of a preview needs no cookie')
  const left = await site.signOut(pro)
  assert.match(left.text, /You are signed out/)
  assert.equal((await site.get('', { cookie: cookiesOf(left) })).status, 404)
})

test('a preview ends after an hour, and with the membership of the one who made it', async () => {
  const headers = await previewCookie()
  world.clock.now = new Date(Date.now() + 3_601_000)
  assert.equal((await site.get('', headers)).status, 404)
  world.clock.now = undefined
  assert.equal((await site.get('', headers)).status, 200)

  const creator = await world.person('creator', 'create')
  const theirs = await previewCookie('', creator)
  assert.equal((await site.get('', theirs)).status, 200)
  await ada(`PATCH /v1/orgs/${world.organizationId}/members/${creator.id}`, { role: 'read' })
  assert.equal((await site.get('', theirs)).status, 404)
})

test('a preview shows only spaces that its maker can read, and opens no other site', async () => {
  const creator = await world.person('another-creator', 'create')
  const headers = await previewCookie('', creator)
  assert.equal((await site.get('open', headers)).status, 200)
  await ada(`PATCH /v1/spaces/${site.spaceId}`, { defaultLevel: null })
  assert.equal((await site.get('open', headers)).status, 404)
  await ada(`PATCH /v1/spaces/${site.spaceId}`, { defaultLevel: 'inherit' })

  const other = await siteForReaders(world, 'Other')
  await ada(`POST ${other.at}/unpublish`)
  assert.equal((await other.get('', headers)).status, 404)
})

test('a preview shows change requests and revisions, which no other reader can open', async () => {
  const { propose } = proposalsIn(world)
  const change = await propose(
    `/v1/spaces/${site.spaceId}`,
    { 'new.md': '# A new page\n\n![New](assets/new.png)\n', 'assets/new.png': 'not a picture' },
    'Add a <page>',
  )
  const { number, revision } = (await ada(`GET ${change}`)).body
  const headers = await previewCookie()
  const base = `~/changes/${number}/`
  const page = await site.get(`${base}new`, headers)
  assert.equal(page.status, 200, page.text)
  assert.match(page.text, /A new page/)
  assert.match(page.text, new RegExp(`This is a preview of change request #${number}: Add a &lt;page&gt;`))
  assert(page.text.includes(`href="${site.base}${base}open"`), 'links stay in the preview')
  const image = /<img[^>]* src="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  assert.equal((await site.get(image)).status, 200)
  assert.equal((await site.get('new', headers)).status, 404)
  const byRevision = await site.get(`~/revisions/${revision}/new`, headers)
  assert.match(byRevision.text, /This is a preview of the revision of \w+ \d+, \d{4}, [\d:]+\s[AP]M UTC</)

  const set = (locale: string) => ada(`PUT ${site.at}/customization`, { internationalization: { locale } })
  // The import has given the space a language, which would come first.
  await ada(`PATCH /v1/spaces/${site.spaceId}`, { language: null })
  assert.equal((await set('de')).status, 200)
  const german = await site.get(`${base}new`, headers)
  assert.match(german.text, new RegExp(`Dies ist eine Vorschau des Änderungsantrags #${number}: Add a &lt;`))
  assert.match(german.text, /aria-label="Vorschau"/)
  assert.match(german.text, />Vorschau verlassen<\/a>/)
  const date = /Dies ist eine Vorschau der Revision vom \d\d\.\d\d\.\d{4}, \d\d:\d\d UTC</
  assert.match((await site.get(`~/revisions/${revision}/new`, headers)).text, date)
  assert.equal((await set('en')).status, 200)

  for (const path of ['~/changes/99/', '~/changes/0/', '~/changes/x/', '~/revisions/nothing/', '~/nothing/'])
    assert.equal((await site.get(path, headers)).status, 404, path)
  await ada(`POST ${site.at}/publish`)
  for (const path of [`${base}new`, `~/revisions/${revision}/new`])
    assert.equal((await site.get(path)).status, 404, path)
  assert.equal((await site.get(`${base}new`, { cookie: 'lectern-preview=forged' })).status, 404)
  await ada(`POST ${site.at}/unpublish`)
})

test('the pages about who a reader is are in the language of their browser', async () => {
  await ada(`POST ${site.at}/publish`)
  await site.set({ visibility: 'visitor-auth' })
  await ada(`PATCH ${site.at}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://example.com/in' })
  const expired = `?jwt_token=${jwt(site.privateKey, { exp: 1 })}`
  const german = await site.get(expired, { 'accept-language': 'xx, de-AT;q=0.9, en;q=0.5' })
  assert.equal(german.status, 401)
  assert.match(german.text, /<html lang="de">/)
  assert.match(
    german.text,
    /<h1>Melden Sie sich an, um weiterzulesen<\/h1>.*ist abgelaufen\..*>Anmelden<\/a>/s,
  )
  const arabic = await site.get(expired, { 'accept-language': 'en;q=0.1,ar-EG' })
  assert.match(arabic.text, /<html lang="ar" dir="rtl">/)
  assert.match(arabic.text, /<h1>سجّل الدخول لقراءة هذه الصفحة<\/h1>.*>تسجيل الدخول<\/a>/s)
  for (const page of [german, arabic]) {
    assert.equal(page.headers.get('cache-control'), 'private, no-store')
    assert.doesNotMatch(page.text, /Sign in|Documentation|expired|Previews/)
  }
  const confirmation = await site.get('~/sign-out', { 'accept-language': 'he' })
  assert.match(confirmation.text, /<html lang="he" dir="rtl".*<h1>לצאת מהאתר\?<\/h1>.*>יציאה<\/button>/s)
  const left = await site.signOut({ 'accept-language': 'he' })
  assert.match(left.text, /<html lang="he" dir="rtl">.*<h1>יצאת מהאתר<\/h1>/s)
  assert.equal(left.headers.get('cache-control'), 'private, no-store')
})

test('a preview shows a look that nobody has saved, with its style sheet', async () => {
  const look = (changes: unknown) => `?look=${encodeURIComponent(JSON.stringify(changes))}`
  const customization = () => ada(`GET ${site.at}/customization`)
  const before = (await customization()).body
  const saved = { ...before, footer: { ...before.footer, copyright: '© Ada' } }
  assert.equal((await ada(`PUT ${site.at}/customization`, saved)).status, 200)

  const changed = await previewCookie(
    look({
      title: 'Draft <title>',
      styling: { theme: 'bold', primaryColor: { light: '#123456', dark: '#abcdef' } },
      footer: { copyright: null },
    }),
  )
  const page = await site.get('', changed)
  assert.match(page.text, /Draft &lt;title/)
  assert.match(page.text, /theme-bold/)
  assert.doesNotMatch(page.text, /© Ada/, 'null removes a setting')
  const plain = await site.get('', await previewCookie())
  assert.match(plain.text, /© Ada/)
  assert.doesNotMatch(plain.text, /theme-bold/)
  assert.equal((await customization()).body.styling.theme, 'clean', 'nothing is saved')

  const emptied = await site.get('', await previewCookie(look({ title: null })))
  assert.match(emptied.text, /<title>[^<]*Previews/, 'the title of the site applies again')

  // The page runs in an opaque origin, for which browsers send no cookies.
  const sheet = /<link[^>]* href="([^"]*~\/theme\/[^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  const style = await site.get(sheet)
  assert.equal(style.status, 200)
  assert.match(style.text, /#123456/)
  assert.notEqual((await site.get(sheet.split('?')[0]!)).status, 200)

  const [space] = (await ada(`GET ${site.at}/site-spaces`)).body.items
  const ofSpace = await previewCookie(`${look({ title: 'One space' })}&siteSpace=${space.id}`)
  assert.match((await site.get('', ofSpace)).text, /One space/)

  for (const [query, message] of [
    ['?look=nonsense', /query\.look.*is not JSON/],
    [look({ styling: { theme: 'loud' } }), /query\.look\.styling\.theme/],
    [look([1]), /query\.look/],
    [
      look({
        header: {
          links: [{ title: 'A', links: [], to: { kind: 'url', url: 'https://a.org' }, condition: '((' }],
        },
      }),
      /query\.look\.header\.links\.0\.condition/,
    ],
    [
      look({ header: { links: [{ title: 'A', links: [], to: { kind: 'space', space: 'nobodys' } }] } }),
      /query\.look/,
    ],
    [look({ footer: { copyright: 'x'.repeat(3000) } }), /query\.look/],
  ] as const) {
    const refused = await ada(`GET ${site.at}/publishing/preview${query}`)
    assert.equal(refused.status, 400, query)
    assert.match(refused.text, message)
  }
  assert.equal((await ada(`PUT ${site.at}/customization`, before)).status, 200)
})

test('a preview shows a logo that was uploaded just now, and its address opens no other picture', async () => {
  const upload = async (width: number) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="1"/>`
    const sent = await ada(`POST ${site.at}/pictures`, { base64: Buffer.from(svg).toString('base64') })
    assert.equal(sent.status, 201, sent.text)
    return sent.body.url as string
  }
  const [logo, other] = [await upload(7), await upload(8)]
  const look = encodeURIComponent(JSON.stringify({ header: { logo: { light: logo, dark: logo } } }))
  const { url } = (await ada(`GET ${site.at}/publishing/preview?look=${look}`)).body
  const addressIn = ({ text }: { text: string }) =>
    /<img[^>]* src="([^"]*~\/look\/[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  const hashOf = (address: string) => /[0-9a-f]{64}/.exec(address)![0]

  // The frame of the console shows the site in an opaque origin, for which browsers send no cookies.
  const arrived = await site.get(new URL(url).search, {
    'sec-fetch-dest': 'iframe',
    'sec-fetch-site': 'same-origin',
  })
  const cookie = { cookie: cookiesOf(arrived) }
  const framed = addressIn(await site.get('', cookie))
  assert.match(framed, /signature=/)
  assert.equal((await site.get(framed)).status, 200, 'the address needs no cookie')
  const [path] = framed.split('?')
  assert.notEqual((await site.get(path!)).status, 200, 'without its signature, it needs one')
  assert.notEqual((await site.get(framed.replace(hashOf(framed), hashOf(other)))).status, 200)
  assert.equal((await site.get(path!, cookie)).status, 200, 'the preview itself opens it too')
  assert.equal((await site.get(path!.replace(hashOf(logo), hashOf(other)), cookie)).status, 404)
  assert.equal((await site.get(path!, await previewCookie())).status, 404, 'another look does not name it')
})
