/** The page for an address that no page has: what it suggests, and to whom. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { firstOf } from '../effort.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  type Device,
  leave,
  openBrowser,
  sidewaysScroll,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const page = (title: string, more = '') => `${more}# ${title}\n\nAbout: ${title}.\n`
const ONLY_PRO = '---\nif: visitor.claims.plan == "pro"\n---\n\n'
const site = await siteForReaders(world, 'Missing', {
  'README.md': page('Welcome'),
  'guide/README.md': page('Guide'),
  'guide/install-on-linux.md': page('Install on Linux'),
  'guide/install-on-windows.md': page('Install on Windows'),
  'reference/authentication.md': page('Authentication'),
  'reference/überblick.md': page('Überblick'),
  'reference/webhooks.md': '# Events\n\nHow to receive them with a quagga.\n',
  'secret-launch.md': page('Secret launch', ONLY_PRO),
  'quiet-page.md': page('Quiet page', '---\nhidden: true\n---\n\n'),
  'SUMMARY.md': `# Summary

* [Welcome](README.md)
* [Guide](guide/README.md)
  * [Install on Linux](guide/install-on-linux.md)
  * [Install on Windows](guide/install-on-windows.md)
* [Authentication](reference/authentication.md)
* [Überblick](reference/überblick.md)
* [Events](reference/webhooks.md)
* [Secret launch](secret-launch.md)
* [Quiet page](quiet-page.md)
`,
})
await indexed(world)
const pro = { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` }

async function suggested(path: string, headers?: Record<string, string>) {
  const { status, text } = await site.get(path, headers)
  assert.equal(status, 404, path)
  const titles = (part: string, pattern: RegExp) => [...part.matchAll(pattern)].map(([, title = '']) => title)
  const [, list = ''] = text.split('class="similar"')
  const [, results = ''] = text.split('class="found"')
  return {
    similar: titles(list.split('</ul>')[0] ?? '', /<a href="[^"]*">([^<]*)/g),
    found: titles(results, /found-title">([^<]*)/g),
    query: /name="q"[^>]*\svalue="([^"]*)"/.exec(text)?.[1],
  }
}

const CASES: Record<string, [path: string, title: string]> = {
  'a page that has moved': ['install-on-linux', 'Install on Linux'],
  'a page that was in another chapter': ['old/manual/authentication', 'Authentication'],
  'a typing error': ['reference/authentification', 'Authentication'],
  'two swapped letters': ['reference/webhoosk', 'Events'],
  'the ending of another tool': ['manual/webhooks.html', 'Events'],
  'the start page of a folder': ['docs/authentication/index.html', 'Authentication'],
  'other capitals and separators': ['Guide2/Install_On_Linux', 'Install on Linux'],
  'words in another order': ['guide/linux-install', 'Install on Linux'],
  'no separators': ['guide/installonlinux', 'Install on Linux'],
  'letters without their marks': ['uberblick', 'Überblick'],
  'percent-encoded letters': ['x/%C3%BCberblik', 'Überblick'],
  'a page below one that exists': ['reference/webhooks/older', 'Events'],
}
for (const [name, [path, title]] of Object.entries(CASES)) {
  test(`suggests the page of a similar address: ${name}`, async () => {
    assert.equal((await suggested(path)).similar[0], title)
  })
}

test('finds pages by the words of the address, and offers to search for them', async () => {
  const { similar, found, query } = await suggested('animals/quagga')
  assert.deepEqual([similar, found, query], [[], ['Events'], 'quagga'])
  // A page is suggested once.
  const both = await suggested('windows')
  assert.deepEqual([both.similar, both.found], [['Install on Windows'], []])
})

test('suggests only pages that the reader may see and that the site lists', async () => {
  for (const path of ['secret-launch', 'secret-lunch', 'x/secret-launch', 'quiet-pages', 'x/quiet-page']) {
    const { similar, found } = await suggested(path)
    assert.deepEqual([similar, found], [[], []], path)
  }
  assert.deepEqual((await suggested('x/secret-launch', pro)).similar, ['Secret launch'])
})

test('an address that nothing is similar to gets the same page as any other, and so do files', async () => {
  const { text } = await site.get('nothing-like-it')
  for (const path of ['zzzz/qqqq', 'guide/install-on-linux.png', '.well-known/x', '%zz', 'a'.repeat(3000)])
    assert.equal((await site.get(path)).text, text, path.slice(0, 30))
  assert.doesNotMatch(text, /class="(?:similar|found)"/)
})

test('what an address says is text', async () => {
  const { text } = await site.get(`${encodeURIComponent('"><script>alert(1)</script>')}-install-linux`)
  assert.doesNotMatch(text, /<script>alert/)
})

const [laptop, , , darkPhone] = DEVICES as [Device, Device, Device, Device]

describe('the page for an unknown address, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const device of firstOf([darkPhone, laptop], 1)) {
    test(`leads to what the reader meant: ${device.name}`, async () => {
      const { page: shown } = await visit(browser, `${world.url}${site.base}guides/install-linux`, device)
      if (process.env.LECTERN_TEST_PICTURES)
        await shown.screenshot({ path: `${process.env.LECTERN_TEST_PICTURES}/missing-${device.name}.png` })
      assert.deepEqual(await axeFindings(shown), [])
      assert.equal(await sidewaysScroll(shown), 0)
      await shown.locator('.similar').getByRole('link', { name: 'Install on Linux' }).click()
      await shown.waitForURL('**/guide/install-on-linux')
      await leave(shown)
    })
  }
})
