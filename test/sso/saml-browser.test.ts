/** Signing in with SAML in a browser, which decides by itself with which requests it sends cookies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { key } from './saml-kit.ts'
import { startSamlProvider } from './saml-provider.ts'

test(
  'a browser comes back from a provider on another site, and is signed in',
  { skip: WITHOUT_BROWSER },
  async () => {
    const world = await createWorld()
    const idp = await startSamlProvider(key)
    const { body } = await world.ada(`POST /v1/orgs/${world.organizationId}/saml`, {
      label: 'Example',
      entityID: idp.entityID,
      ssoURL: idp.ssoURL,
      certificate: key.certificate,
    })
    idp.know((await world.nobody(`GET ${body.service.entityID}`)).text)
    idp.signIn({ nameID: 'grace', email: 'grace@example.com', displayName: 'Grace Hopper' })

    const browser = await openBrowser()
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(`${body.service.startURL}?next=/app/me?from=start`)
      await page.waitForURL(`${world.url}/app/me?from=start`)
      assert.match((await page.textContent('main')) ?? '', /Grace Hopper/)
      const cookies = await context.cookies(world.url)
      const session = cookies.find(({ name }) => name === '__Host-lectern-session')
      assert.deepEqual([session?.httpOnly, session?.secure, session?.sameSite], [true, true, 'Lax'])
    } finally {
      await context.close()
      await browser.close()
    }
  },
)
