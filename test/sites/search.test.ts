/** The search of a site: its box, its page without JavaScript, and what it shows to whom. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { firstOf } from '../effort.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  DEVICES_BY_RANK,
  openBrowser,
  openPage,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from './browser.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const IF_PRO = '{% if visitor.claims.plan == "pro" %}'
const site = await siteForReaders(world, 'Searched', {
  'README.md':
    '# Welcome\n\nRead on.\n\n<button type="button" class="button primary" data-action="search" data-query="zebra">Find animals</button>\n',
  'zebra.md': '# Zebra guide\n\nAll about zebras.\n\n## Stripes & more\n\nA zebra has <b>stripes</b>.\n',
  'pro.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro zebra\n\nOnly for pros.\n',
  'below.md': '# Below zebra\n\nBelow the pro page.\n',
  'mixed.md': `# Mixed\n\nOpen words.\n\n${IF_PRO}\n\nThe secret quagga.\n\n{% endif %}\n\nA line ${IF_PRO}with a hidden okapi{% endif %}.\n`,
  'quiet.md': '---\nhidden: true\n---\n\n# Quiet zebra\n\nHidden.\n',
  'unfound.md': '---\nnoIndex: true\n---\n\n# Unfound zebra\n\nNot indexed.\n',
  'SUMMARY.md':
    '# Summary\n\n* [Welcome](README.md)\n* [Zebra guide](zebra.md)\n* [Pro zebra](pro.md)\n  * [Below zebra](below.md)\n* [Mixed](mixed.md)\n* [Quiet zebra](quiet.md)\n* [Unfound zebra](unfound.md)\n',
})
await indexed(world)
const pro = { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` }

async function titles(
  query: string,
  headers: Record<string, string> = {},
  { get } = site,
): Promise<string[]> {
  const { status, text } = await get(`~/search?q=${encodeURIComponent(query)}`, headers)
  assert.equal(status, 200, text)
  const [, results = ''] = text.split('class="found"')
  return [...results.matchAll(/<a class="page"[^>]*>.*?found-title">([^<]*)</gs)].map(
    ([, title = '']) => title,
  )
}

test('a reader finds the pages that they may see, without hidden ones and those with noIndex', async () => {
  assert.deepEqual(await titles('zebra'), ['Zebra guide'])
  assert.deepEqual((await titles('zebra', pro)).toSorted(), ['Below zebra', 'Pro zebra', 'Zebra guide'])
  assert.deepEqual(await titles('quagga'), [])
  assert.deepEqual(await titles('quagga', pro), ['Mixed'])
  assert.deepEqual(await titles('okapi'), [])
  assert.deepEqual(await titles('open words'), ['Mixed'])
  const { text } = await site.get('~/search?q=mixed')
  assert.doesNotMatch(text, /quagga|okapi/)
})

test('words that a reader may not see change neither the order, the number nor the correction of results', async () => {
  const filler = 'word '.repeat(30)
  const open = {
    'one.md': `# One\n\nlynx lynx otter ${filler}\n`,
    'two.md': `# Two\n\nlynx otter otter ${filler}\n`,
    'three.md': `# Three\n\notter ${filler}\n`,
  }
  const secret = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `secret-${i}.md`,
      `---\nif: visitor.claims.plan == "pro"\n---\n\n# Secret ${i}\n\n${i % 2 ? 'lynx' : 'lynx ottar'} lynks ${filler}\n`,
    ]),
  )
  const alone = await siteForReaders(world, 'Alone', open)
  const beside = await siteForReaders(world, 'Beside', { ...open, ...secret })
  await indexed(world)
  const shown = async ({ get, ...one }: typeof alone, query: string, headers?: Record<string, string>) => {
    const { status, text } = await get(`~/search?q=${encodeURIComponent(query)}&list`, headers)
    assert.equal(status, 200)
    return text.replaceAll(/(alone|beside)/gi, 'site').replaceAll(one.spaceId, 'space')
  }
  for (const query of [
    'lynx otter',
    'otter lynx',
    'otter',
    'lynx',
    'ottar',
    'lynks',
    'lynz',
    '"lynx otter"',
  ]) {
    assert.equal(await shown(beside, query), await shown(alone, query), query)
  }
  const plan = { authorization: `Bearer ${jwt(beside.privateKey, { plan: 'pro' })}` }
  assert.match(await shown(beside, 'ottar', plan), /Secret/, 'the words are in the index')
  const firstOfPro = /found-title">([^<]*)/.exec(await shown(beside, 'lynx otter', plan))?.[1]
  assert.deepEqual(
    [(await titles('lynx otter', {}, alone))[0], firstOfPro],
    ['One', 'Two'],
    'and weigh there',
  )
})

test('the page works without a query and with any, and sends escaped text', async () => {
  const empty = await site.get('~/search')
  assert.equal(empty.status, 200)
  assert.match(empty.text, /<form class="search-form" role="search"/)
  assert.match(empty.headers.get('x-robots-tag') ?? '', /noindex/)
  const { text } = await site.get(`~/search?q=${encodeURIComponent('"><script>alert(1)</script> zebra')}`)
  assert.doesNotMatch(text, /<script>alert/)
  assert.match((await site.get('~/search?q=stripes')).text, /zebra#stripes-more"/)
  assert.match((await site.get('~/search?q=nothingatall')).text, /Nothing was found for “nothingatall”/)
  assert.equal((await site.get('zebra/~/search')).status, 404)
  assert.equal((await site.get(`~/search?q=${'x'.repeat(2000)}%00%ff`)).status, 200)
})

test('the list of the box has options with unique ids, and the words of the language', async () => {
  const { text, headers } = await site.get('~/search?q=zebra&list')
  const ids = [...text.matchAll(/role="option"[^>]* id="([^"]+)"/g)].map(([, id]) => id)
  assert(ids.length >= 2)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(text, /data-note="Results: 1"/)
  assert.match(text, /<mark>zebra<\/mark>/i)
  assert.equal(headers.get('vary')?.includes('cookie'), true)
})

test('who may not see the site finds nothing', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const { status, text } = await site.get('~/search?q=zebra')
  assert.equal(status, 401)
  assert.doesNotMatch(text, /Zebra guide/)
  assert.equal((await site.get('~/search?q=zebra', pro)).status, 200)
  await site.set({ visibility: 'public' })
})

test('a page of results leads to the next and the one before, until all are shown', async () => {
  const names = Array.from({ length: 70 }, (_, number) => `gecko-${number}`)
  const large = await siteForReaders(
    world,
    'Large',
    Object.fromEntries(names.map((name) => [`${name}.md`, `# Gecko ${name}\n\nA gecko.\n`])),
  )
  await indexed(world)
  const shown: string[] = []
  const leads: string[][] = []
  for (let number = 1; number <= 3; number++) {
    const { text } = await large.get(`~/search?q=gecko&page=${number}`)
    shown.push(...[...text.matchAll(/class="found-title">Gecko (gecko-\d+)/g)].map(([, name = '']) => name))
    leads.push(
      [...text.matchAll(/rel="(prev|next)" class="button" href="[^"]*\?([^"]*)"/g)].map(
        (one) => `${one[1]} ${one[2]}`,
      ),
    )
  }
  assert.deepEqual(shown.toSorted(), names.toSorted())
  assert.deepEqual(leads, [
    ['next q=gecko&amp;page=2'],
    ['prev q=gecko', 'next q=gecko&amp;page=3'],
    ['prev q=gecko&amp;page=2'],
  ])
  for (const wrong of ['0', '-1', 'x', '1e3', '101'])
    assert.match((await large.get(`~/search?q=gecko&page=${wrong}`)).text, /page=2"/)
  const beyond = (await large.get('~/search?q=gecko&page=100')).text
  assert.doesNotMatch(beyond, /rel="next"/)
  assert.match(beyond, /rel="prev" class="button" href="[^"]*page=3"/)
})

describe('the search box', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    await world.ada(`PATCH ${site.at}`, { adaptiveContent: { enabled: false } })
  })
  after(() => browser?.close())

  for (const device of firstOf(DEVICES_BY_RANK, 1, 2)) {
    test(`opens by keys, finds while the reader types, and follows the arrow keys (${device.name})`, async () => {
      const { page, complaints } = await openPage(browser, device)
      await page.goto(world.url + site.base, { waitUntil: 'networkidle' })
      assert.equal(await page.locator('link[href*="search."]').count(), 0)
      await page.keyboard.press('/')
      const input = page.getByRole('combobox')
      await input.waitFor()
      await page.keyboard.type('zebr')
      await page.getByRole('option').first().waitFor()
      assert.equal(await input.getAttribute('aria-expanded'), 'true')
      assert.match(String(await page.getByRole('status').last().textContent()), /Results: 1/)
      assert.deepEqual(complaints, [])
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)

      await page.keyboard.press('ArrowDown')
      const active = await input.getAttribute('aria-activedescendant')
      assert.equal(await page.locator('[aria-selected="true"]').getAttribute('id'), active)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/zebra')
      await page.waitForLoadState('networkidle')
      assert.deepEqual(await openedResults(), [{ query: 'zebr', title: 'Zebra guide' }])
      await page.context().close()
    })
  }

  /** What the box reported since the last call: the pages that were opened from its results. */
  async function openedResults() {
    await world.app.services.insights.flush()
    const rows = await world.db.read
      .selectFrom('insightEvent')
      .select('details')
      .where('type', '=', 'search_open_result')
      .execute()
    await world.db.write((tx) => tx.deleteFrom('insightEvent').execute())
    const opened = rows.map(({ details }) => JSON.parse(details) as { query: string; result: string })
    return Promise.all(
      opened.map(async ({ query, result }) => {
        const [space, page] = result.split('/')
        return { query, title: (await world.ada(`GET /v1/spaces/${space}/content/page/${page}`)).body.title }
      }),
    )
  }

  test('Ctrl+K, the button of a page and Escape; the Enter key opens the page of results', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await page.goto(world.url + site.base, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('zebra')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Find animals' }).click()
    await page.getByRole('option').first().waitFor()
    assert.equal(await page.getByRole('combobox').inputValue(), 'zebra')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/~/search?q=zebra')
    assert.equal(await page.locator('.found a.page').count(), 1)
    assert.deepEqual(complaints, [])
    assert.deepEqual(await axeFindings(page), [])
    await page.context().close()
  })

  test('the last searches are kept in the browser, chosen with the keys, and can be cleared', async () => {
    // On the host of the site: pages below /sites/ have no storage.
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const reported: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('~/events'))
        reported.push(String(JSON.parse(request.postData() ?? '{}').type))
    })
    await page.goto(site.address, { waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    const input = page.getByRole('combobox')
    await input.waitFor()
    assert.equal(await page.getByRole('option').count(), 0)
    for (const query of ['zebra', 'nothing', 'zebra']) {
      await input.fill(query)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/~/search?q=${query}`)
      await page.goto(site.address, { waitUntil: 'networkidle' })
      await page.keyboard.press('/')
      await input.waitFor()
    }
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['zebra', 'nothing'])
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Results: 1').waitFor()
    assert.equal(await input.inputValue(), 'zebra')
    await input.fill('')
    await page.getByRole('button', { name: 'Clear' }).click()
    assert.equal(await page.getByRole('option').count(), 0)
    await page.reload({ waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    await input.waitFor()
    assert.equal(await page.getByRole('option').count(), 0)
    assert.deepEqual(complaints, [])
    for (const type of ['search_open', 'search_type_query']) assert(reported.includes(type), type)
    await page.context().close()
  })

  test('without JavaScript, the link in the header leads to a page with a form', async () => {
    const { page } = await openPage(browser, { ...DEVICES[0]!, script: false })
    await page.goto(world.url + site.base)
    await page.locator('.search-open').click()
    await page.locator('input[name=q]').fill('stripes')
    await page.locator('main button[type=submit]').click()
    await page.waitForURL('**/~/search?q=stripes')
    await page.locator('.found a.section').first().click()
    await page.waitForURL('**/zebra#stripes-more')
    await page.context().close()
  })
})
