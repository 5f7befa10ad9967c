/** What the tests of the editor share. */
import type { Browser, Page } from 'playwright-core'
import { type Device, DEVICES, drawn, openPage, untilTrue } from '../sites/browser.ts'
import type { World } from '../world.ts'
import { signIn } from './pages.ts'

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]
/** The sessions of people, by their server and e-mail address: several files of tests run in one process. */
const sessions = new Map<string, Cookies>()

/** A page of a browser in which a person has signed in. One session serves all pages of that person. */
export async function openSignedIn(
  browser: Browser,
  { url }: World,
  email: string,
  device: Device = DEVICES[0]!,
) {
  const opened = await openPage(browser, device)
  const context = opened.page.context()
  const person = `${url} ${email}`
  const known = sessions.get(person)
  if (known) await context.addCookies(known)
  else {
    await signIn(opened.page, url, email)
    sessions.set(person, await context.cookies())
  }
  return opened
}

/** Waits until the server has what was written. It is sent as when the network returns, and not only after two seconds. */
export async function untilSaved(page: Page): Promise<void> {
  await drawn(page)
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await savedUnaided(page)
}

/** Waits until the console has saved what was written, when it does so by itself. */
export async function savedUnaided(page: Page): Promise<void> {
  await drawn(page)
  await untilTrue(page, `document.querySelector('.save-state')?.textContent === 'Saved'`)
}
