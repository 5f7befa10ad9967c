/** The events that pages report. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createWorld } from '../world.ts'
import { DEVICES, openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada, db, nobody } = world
const site = await siteForReaders(world, 'Events')
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'

const send = (event: object | string, headers: Record<string, string> = {}, prefix = '') =>
  fetch(`${world.url}${site.base}${prefix}~/events`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': CHROME, ...headers },
    body: typeof event === 'string' ? event : JSON.stringify(event),
  })

/** The events that were stored since the last call. */
async function stored() {
  await world.app.services.insights.flush()
  const rows = await db.read.selectFrom('insightEvent').selectAll().orderBy('id').execute()
  await db.write((tx) => tx.deleteFrom('insightEvent').execute())
  return rows
}

const view = (path: string) => ({ type: 'page_view', path: site.base + path, referrer: '' })

test('a page view names the page that its path leads to, and nobody', async () => {
  const headers = { 'accept-language': 'de-CH, en;q=0.5' }
  const { status } = await send({ ...view('open'), referrer: 'https://example.com/private?q=1' }, headers)
  assert.equal(status, 204)
  const [row, ...others] = await stored()
  assert.deepEqual(others, [])
  assert.equal(row?.type, 'page_view')
  assert.equal(row.path, new URL(`${site.address}open`).pathname)
  assert.equal(row.space, site.spaceId)
  assert.equal(row.language, 'de-CH')
  assert.equal(row.referrer, 'example.com')
  assert.equal(row.browser, 'chrome')
  assert.equal(row.details, '{}')
  assert.doesNotMatch(JSON.stringify(row), /127\.0\.0\.1|private|::1/)
})

test('views are counted only of pages that the reader may see, and of readers who allow it', async () => {
  for (const path of ['pro', 'nothing', '../open', 'old-open']) await send(view(path))
  await send({ type: 'page_view', path: '/elsewhere/open' })
  await send(view('open'), { dnt: '1' })
  await send(view('open'), { 'sec-gpc': '1' })
  assert.deepEqual(await stored(), [])
  await send(view('pro'), { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` })
  assert.equal((await stored()).length, 1)
})

test('a rating is stored, and other bodies are refused', async () => {
  const rating = { ...view('open'), type: 'page_post_feedback', rating: 'good' }
  assert.equal((await send(rating, { dnt: '1' })).status, 204)
  assert.deepEqual(
    (await stored()).map(({ type, details }) => [type, details]),
    [['page_post_feedback', '{"rating":"good"}']],
  )
  const comment = { ...rating, type: 'page_post_feedback_comment' }
  for (const fault of [comment, { ...comment, comment: ' ' }, { ...comment, comment: 'x'.repeat(513) }])
    assert.equal((await send(fault)).status, 400)
  for (const body of ['', '[]', 'null', '{', { type: 'ad_click', path: '/' }, { ...rating, rating: 'best' }])
    assert.equal((await send(body)).status, 400, JSON.stringify(body))
  assert.equal((await send(JSON.stringify({ ...rating, more: 'x'.repeat(5000) }))).status, 400)
  assert.equal((await nobody(`GET ${site.base}~/events`)).status, 405)
  assert.deepEqual(await stored(), [])
})

test('searches have their query, unless the browser asks not to be tracked', async () => {
  const path = `${site.base}open`
  await send({ type: 'search_open', path })
  await send({ type: 'search_type_query', path, query: 'log rotation' })
  await send({ type: 'search_open_result', path, query: 'log rotation' })
  await send({ type: 'search_type_query', path, query: 'secret' }, { dnt: '1' })
  assert.deepEqual(
    (await stored()).map(({ type, details }) => [type, JSON.parse(details).query]),
    [
      ['search_open', undefined],
      ['search_type_query', 'log rotation'],
      ['search_open_result', 'log rotation'],
    ],
  )
  for (const query of [undefined, ' ', 7, 'x'.repeat(513)])
    assert.equal((await send({ type: 'search_type_query', path, query })).status, 400)
})

test('an opened result names its page, if the reader may see it', async () => {
  const opened = { type: 'search_open_result', path: `${site.base}open`, query: 'log' }
  const resultsFor = async (result: unknown, headers: Record<string, string> = {}) => {
    await send({ ...opened, result }, headers)
    return (await stored()).map(({ details }) => JSON.parse(details).result)
  }
  const [{ page } = { page: '' }] = await send(view('open')).then(stored)
  assert.deepEqual(await resultsFor(`${site.base}open`), [`${site.spaceId}/${page}`])
  for (const other of [`${site.base}pro`, `${site.base}nothing`, '/elsewhere/open', 7, undefined])
    assert.deepEqual(await resultsFor(other), [undefined], String(other))
  const authorization = `Bearer ${jwt(site.privateKey, { plan: 'pro' })}`
  const [pro] = await resultsFor(`${site.base}pro`, { authorization })
  assert.match(pro, new RegExp(`^${site.spaceId}/`))
  await send({ ...view('open'), result: `${site.base}open` })
  assert.equal((await stored())[0]?.details, '{}')
})

test('the key of a share link is not stored', async () => {
  await ada(`POST ${site.at}/share-links`, { name: 'Readers' })
  await site.set({ visibility: 'share-link' })
  const { items } = (await ada(`GET ${site.at}/share-links`)).body
  const key = /share_\w+/.exec(items[0].urls.published)![0]
  assert.equal((await send(view('open'))).status, 404)
  await send(view(`${key}/open`), {}, `${key}/`)
  const [row] = await stored()
  assert.equal(row?.path, new URL(`${site.address}open`).pathname)
  await site.set({ visibility: 'public' })
})

test('pages have buttons to rate them if the settings enable it', async () => {
  assert.doesNotMatch((await site.get('open')).text, /data-rating/)
  const settings = (await ada(`GET ${site.at}/customization`)).body
  const { status, text } = await ada(`PUT ${site.at}/customization`, {
    ...settings,
    feedback: { enabled: true },
  })
  assert.equal(status, 200, text)
  assert.match((await site.get('open')).text, /data-rating="good"/)
  assert((await site.get('open')).text.includes(`data-events="${site.base}~/events"`))
})

describe('in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a page reports its view and a rating, and sets no cookie', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await page.goto(`${world.url}${site.base}open`, { waitUntil: 'networkidle' })
    await page.click('[data-rating="good"]')
    await page.waitForSelector('.feedback span:focus')
    const comment = page.getByLabel('What could be better? (optional)')
    await page.getByRole('button', { name: 'Send' }).click()
    assert.equal(
      await comment.evaluate((field) => field.matches(':focus')),
      true,
      'an empty comment is not sent',
    )
    await comment.fill('  More examples ')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForSelector('.feedback span:focus')
    assert.equal(await comment.count(), 0)
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(300)
    assert.deepEqual(
      (await stored()).map(({ type, details }) => [type, details]),
      [
        ['page_view', '{"bot":"unknown"}'],
        ['page_post_feedback', '{"rating":"good","bot":"unknown"}'],
        ['page_post_feedback_comment', '{"rating":"good","comment":"More examples","bot":"unknown"}'],
      ],
    )
    assert.deepEqual(await page.context().cookies(), [])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
