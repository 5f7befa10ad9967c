/** Signing in as people do it, in a browser: on a laptop and a phone, in both themes, with the keyboard, with passkeys. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/access/credentials/totp.ts'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { firstOf, onlyLong } from '../effort.ts'
import {
  copiedText,
  axeFindings,
  DEVICES,
  leave,
  untilTrue,
  openBrowser,
  openPage,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { siteForReaders } from '../sites/reading.ts'
import { createWorld } from '../world.ts'
import { PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')

describe('the pages of the server in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signIn = async (page: Page, path = '/sign-in') => {
    await page.goto(world.url + path)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL('**/app**')
  }
  const account = async (page: Page) => {
    await signIn(page, '/sign-in?next=/app/me')
    await page.waitForURL('**/app/me')
  }

  for (const device of firstOf([DEVICES[0]!, DEVICES[3]!, DEVICES[1]!, DEVICES[2]!], 1, 2)) {
    test(`${device.name}: every page is accessible and fits`, async () => {
      const { page, complaints } = await openPage(browser, device)
      const look = async (what: string) => {
        assert.deepEqual(await axeFindings(page), [], what)
        assert.equal(await sidewaysScroll(page), 0, what)
      }
      for (const path of [
        '/sign-in?note=expired',
        '/sign-in/forgotten',
        '/app/invitation',
        '/app/welcome',
        '/app/password',
        '/app/join/x',
      ]) {
        await page.goto(world.url + path)
        await look(path)
      }
      await account(page)
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`)
      await look('/app/me')
      await page.click('form[action="/app/second-factor"] button')
      assert((await page.locator('svg.qr').boundingBox())!.width > 150)
      await look('/app/second-factor')
      await page.goto(`${world.url}/app`)
      await page.waitForSelector(`a[href^='/app/o/']`)
      await look('/app')
      await page.click(`a[href^='/app/o/']`)
      await page.waitForSelector('#spaces')
      await look('/app/o')
      assert.deepEqual(complaints, [])
      await leave(page)
    })
  }

  test('a person signs in and out with the keyboard alone', onlyLong, async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await page.goto(`${world.url}/app/me`)
    // The browser moves the focus when it first draws the page, which can be after the page is loaded.
    await untilTrue(page, 'document.activeElement?.name === "email"')
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/me')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), '中文')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in?note=signed-out')
    await leave(page)
  })

  test('the script takes the secret of a link out of the address; without it, the person pastes the secret', async () => {
    const secretFor = (userId: string) =>
      world.db.write((tx) =>
        insertAccountToken(tx, {
          userId,
          purpose: 'invitation',
          organizationId: null,
          mailed: true,
          now: new Date(),
        }),
      )
    const [bea, cid] = [await world.person('bea', 'read'), await world.person('cid', 'read')]
    for (const [person, script] of [
      [bea, true],
      [cid, false],
    ] as const) {
      const { page } = await openPage(browser, { ...DEVICES[0]!, script })
      const secret = await secretFor(person.id)
      await page.goto(`${world.url}/app/invitation#${secret}`)
      assert.equal(await page.isVisible('#token'), !script)
      if (script) {
        assert.equal(page.url(), `${world.url}/app/invitation`)
        await page.getByText('You sign in with the address bea@example.com.').waitFor()
      } else await page.fill('#token', secret)
      await page.fill('#password', PASSWORD)
      await page.click('button.main')
      await page.waitForURL(`${world.url}/app`)
      await leave(page)
    }
  })

  test('a password can be shown, and is hidden again before it is sent', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[1]!)
    await page.goto(`${world.url}/sign-in`)
    const field = page.getByLabel('Password')
    await field.fill('correct horse')
    await page.getByRole('button', { name: 'Show the password' }).click()
    assert.equal(await field.getAttribute('type'), 'text')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Hide the password' }).press('Enter')
    assert.equal(await field.getAttribute('type'), 'password')
    await page.getByRole('button', { name: 'Show the password' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.evaluate(
      `document.querySelector('[action="/sign-in"]').addEventListener('submit', (event) => event.preventDefault())`,
    )
    await page.keyboard.press('Enter')
    assert.equal(await field.getAttribute('type'), 'password')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a new token is copied with a button', onlyLong, async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await account(page)
    await page.getByText('Create a token').click()
    const form = page.locator('form', { hasText: 'Create the token' })
    await form.getByLabel('Name').fill('laptop')
    await form.getByRole('button', { name: 'Create the token' }).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await copiedText(page)
    assert.equal(copied, await page.locator('.secret').innerText())
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test(
    'the language that a visitor chooses counts in the console, until the account has one',
    onlyLong,
    async () => {
      const { person, email: address } = await withPassword(world, 'gil')
      const { page, complaints } = await openPage(browser, DEVICES[0]!)
      const language = () => page.evaluate('document.documentElement.lang')
      await page.goto(`${world.url}/app/join/${world.organizationId}`)
      await page.getByRole('button', { name: '中文' }).click()
      await page.getByText('接受邀请').waitFor()
      assert.equal(await language(), 'zh')
      await page.goto(`${world.url}/sign-in`)
      await page.fill('#email', address)
      await page.fill('#password', PASSWORD)
      await page.getByRole('button', { name: '登录', exact: true }).click()
      await page.waitForSelector(`a[href^='/app/o/']`)
      assert.equal(await language(), 'zh')

      await page.goto(`${world.url}/app/s/nothing`)
      await page.getByText('所请求的内容不存在，或您无权查看').waitFor()

      // The sign-in page follows the account too, which another browser may have changed.
      await person(`PATCH /v1/users/${person.id}`, { language: 'en' })
      await page.reload()
      await untilTrue(page, `document.cookie.includes('language=en')`)
      await page.goto(`${world.url}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      assert.equal(await language(), 'en')

      await page.getByRole('button', { name: '中文' }).click()
      await page.fill('#email', address)
      await page.fill('#password', PASSWORD)
      await page.getByRole('button', { name: '登录', exact: true }).click()
      await page.waitForURL('**/app')
      await page.goto(`${world.url}/app/profile`)
      await page.getByLabel('Language').selectOption('')
      await page.getByRole('button', { name: 'Save' }).click()
      await untilTrue(page, `document.cookie === ''`)
      const ofNothing = /status of 404/
      assert.deepEqual(
        complaints.filter((one) => !ofNothing.test(one)),
        [],
      )
      await leave(page)
    },
  )

  test('a second click does not send a form again', onlyLong, async () => {
    const { person } = await withPassword(world, 'flo')
    const secret = await world.db.write((tx) =>
      insertAccountToken(tx, {
        userId: person.id,
        purpose: 'password-reset',
        organizationId: null,
        mailed: true,
        now: new Date(),
      }),
    )
    const { page } = await openPage(browser, DEVICES[0]!)
    await page.goto(`${world.url}/app/password#${secret}`)
    await page.fill('#password', 'another long password')
    await page.dblclick('button.main')
    await page.waitForURL('**/sign-in?note=password')
    await leave(page)
  })

  test('an invitation survives signing in', onlyLong, async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await page.goto(`${world.url}/app/join/${world.organizationId}#the-secret`)
    assert.equal(new URL(page.url()).hash, '')
    await page.click('a.button')
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL(`**/app/join/${world.organizationId}`)
    assert.equal(await page.inputValue('#token'), 'the-secret')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    await leave(page)
  })

  test('a person without JavaScript sets a second factor up, and signs in with it', onlyLong, async () => {
    const { email: address } = await withPassword(world, 'dee')
    const { page } = await openPage(browser, { ...DEVICES[2]!, script: false })
    await page.goto(`${world.url}/sign-in?next=/app/me`)
    assert.equal(await page.isVisible('text=passkey'), false)
    await page.fill('#email', address)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.click('text=Set up an authenticator app')
    await page.click('form[action="/app/second-factor"] button')
    const seed = String(await page.textContent('.secret')).replaceAll(' ', '')
    await page.fill('#code', totpCode(seed, totpStep(new Date())))
    await page.click('button.main')
    assert.equal(await page.locator('.codes li').count(), 10)
    await page.click('text=Sign out')
    await page.fill('#email', address)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.fill('#code', totpCode(seed, totpStep(new Date()) + 1))
    await page.click('button.main')
    await page.waitForURL('**/app')
    await page.goto(`${world.url}/app/me`)
    assert.equal(await page.textContent('h1'), 'dee')
    await leave(page)
  })

  test('a person registers a passkey and signs in with it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const devtools: CDPSession = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await account(page)
    await page.click('text=Add a passkey')
    await page.fill('#passkey-label', 'my laptop')
    await page.click('text=Add the passkey')
    await page.waitForURL('**/app/me?note=passkey-added')
    assert.match(String(await page.textContent('main')), /my laptop/)
    await page.click('text=Sign out')
    await page.click('text=Sign in with a passkey')
    await page.waitForURL(`${world.url}/app`)
    await page.goto(`${world.url}/app/me`)
    assert.equal(await page.textContent('h1'), 'ann')
    const sessions = (await ann('GET /v1/user/sessions')).body.items
    assert.equal(sessions[0].method, 'passkey')

    // A device that cannot check who uses it does not sign in.
    await page.click('text=Sign out')
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.click('text=Sign in with a passkey')
    await untilTrue(page, `!document.querySelector('[data-passkey] button').disabled`)
    assert.match(page.url(), /\/sign-in/)
    assert.deepEqual(complaints, [])
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await devtools.detach()
    await leave(page)
  })

  test('a page of a site on the same host cannot use the session', async () => {
    const site = await siteForReaders(world, 'Mallory', { 'README.md': '# Hello\n' })
    await site.set({ visibility: 'public' })
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page)
    await page.goto(world.url + site.base)
    assert.equal(await page.evaluate('origin'), 'null')
    const outcomes = await page.evaluate<string[]>(`Promise.all([
      fetch('/v1/user', { credentials: 'include' }),
      fetch('/v1/user', { credentials: 'include', mode: 'no-cors' }).then(({ type }) => { throw type }),
      fetch('/v1/user/tokens', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"label":"stolen"}' }),
      fetch('/app/tokens', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({ label: 'stolen' }) }).then(({ type }) => { throw type }),
      fetch('/app/me', { credentials: 'include' }),
    ].map((one) => one.then(() => 'read', (error) => typeof error === 'string' ? error : 'refused')))`)
    assert.deepEqual(outcomes, ['refused', 'opaque', 'refused', 'refused', 'refused'])
    assert.equal(
      await page.evaluate(`(() => { try { return document.cookie } catch { return 'no cookies' } })()`),
      'no cookies',
    )

    // A form that the page sends opens a page that says no.
    await page
      .evaluate(`(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/app/tokens', innerHTML: '<input name="label" value="stolen">' })
      document.body.append(form)
      form.submit()
    })()`)
      .catch(() => undefined)
    await page.waitForTimeout(300)
    const { items } = (await ann('GET /v1/user/tokens')).body
    assert(items.every(({ label }: { label: string }) => label !== 'stolen'))
    await page.goto(`${world.url}/app/me`)
    assert.equal(await page.textContent('h1'), 'ann', 'the session is still there')
    await leave(page)
  })
})
