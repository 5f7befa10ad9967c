/** What the tests of the editor share. */
import type { Browser, Page } from 'playwright-core'
import { type Device, DEVICES, drawn, openPage, untilTrue } from '../sites/browser.ts'
import type { World } from '../world.ts'
import { signIn } from './pages.ts'

/** A page of a browser in which a person has signed in. */
export async function openSignedIn(
  browser: Browser,
  { url }: World,
  email: string,
  device: Device = DEVICES[0]!,
) {
  const opened = await openPage(browser, device)
  await signIn(opened.page, url, email)
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
