/** The API reference at /docs: it works in a browser, under a policy that lets nothing else run. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inLongRun } from '../effort.ts'
import { DEVICES, openBrowser, visit, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

test('every response of the reference has a policy without inline scripts and foreign hosts', async () => {
  for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs/json']) {
    const answer = await world.nobody(`GET ${path}`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, path)
    assert.match(policy, /script-src 'self';/, path)
    assert(policy.endsWith(`connect-src 'self' ${world.url}`), policy)
  }
})

test(
  'the reference shows its operations and sends requests',
  { skip: WITHOUT_BROWSER || inLongRun },
  async () => {
    const browser = await openBrowser()
    after(() => browser.close())
    const { page, complaints } = await visit(browser, `${world.url}/docs`, DEVICES[0]!)
    // The reference renders only the operations in view.
    const operation = page.locator('#operations-account-createSession')
    await operation.waitFor()
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    await operation.locator('.execute').click()
    await operation.locator('.live-responses-table .response-col_status').first().waitFor()
    assert.match(
      await operation.locator('.live-responses-table').innerText(),
      /The e-mail address or the password/,
    )
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))`,
    )
    assert.equal(await page.evaluate('window.ran'), undefined, 'an inline script')
    assert.deepEqual(
      complaints.filter((one) => !/inline script|status of 401/.test(one)),
      [],
    )
  },
)
