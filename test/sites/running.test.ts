import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { openBrowser, WITHOUT_BROWSER } from './browser.ts'

const SCRIPT = `document.documentElement.setAttribute('data-ran', 'yes'); new Image().src = '/ran'; alert('ran')`
const HTML = `<!DOCTYPE html><html><body onload="${SCRIPT.replaceAll('"', '&quot;')}"><script>${SCRIPT}</script></body></html>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${SCRIPT}"><script>${SCRIPT}</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.${SCRIPT}&lt;/script&gt;"/></foreignObject></svg>`
const XML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`
const ASSETS = { 'a.svg': SVG, 'b.html': HTML, 'c.xml': XML, 'd.xhtml': XML, 'e.png': HTML, 'f.js': SCRIPT }

const world = await createWorld()
const links = Object.keys(ASSETS).map((name) => `[${name}](assets/${name})`)
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': `# Files\n\n${links.join(' ')}\n`,
    ...Object.fromEntries(Object.entries(ASSETS).map(([name, text]) => [`assets/${name}`, text])),
  }),
)
const { address } = await publish(world, spaceId, 'Files')
const { body } = await world.ada(`GET /v1/spaces/${spaceId}/content/files`)
const files = body.items as { name: string; downloadURL: string }[]

let browser: Browser | undefined
before(async () => {
  if (!WITHOUT_BROWSER) browser = await openBrowser()
})
after(() => browser?.close())

test(
  'no script in a file runs when the file is opened directly, from the API or from a site',
  { skip: WITHOUT_BROWSER },
  async () => {
    const context = await browser!.newContext()
    const home = await context.newPage()
    await home.goto(address)
    const onSite = await home.evaluate<string[]>(
      `[...document.querySelectorAll('a[href*="~/files/"]')].map((a) => a.href)`,
    )
    assert.equal(onSite.length, links.length)
    assert.deepEqual(files.map(({ name }) => name).toSorted(), Object.keys(ASSETS))

    const opened = [...files.map(({ downloadURL }) => downloadURL), ...onSite].map(async (url) => {
      const page = await context.newPage()
      const ran: string[] = []
      page.on('dialog', async (dialog) => {
        ran.push(dialog.message())
        await dialog.dismiss()
      })
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/ran') ran.push(request.url())
      })
      // A download ends the navigation.
      const shown = await page.goto(url).catch((error: Error) => {
        assert.match(error.message, /Download is starting|ERR_ABORTED/)
      })
      await page.waitForTimeout(200)
      assert.deepEqual(ran, [], url)
      if (shown) assert.equal(await page.locator('[data-ran]').count(), 0, url)
    })
    await Promise.all(opened)
    await context.close()
  },
)
