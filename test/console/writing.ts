/** What the tests of the editor share. */
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
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

/** A page that a person writes in a change request of a new space, and what the server has of it. */
export interface Writing extends Awaited<ReturnType<typeof openSignedIn>> {
  spaceId: string
  /** The path of the content of the change request. */
  content: string
  /** The ids of the pages, in the order of the tree. The first one is written. */
  pages: string[]
  /** The Markdown of the page, once everything is saved. */
  stored: () => Promise<string>
}

/**
 * Opens the first page of some files in the editor.
 * @param prepare is called before the editor opens
 */
export async function openWriting(
  browser: Browser,
  world: World,
  email: string,
  {
    files,
    subject = 'Edits',
    device,
    prepare,
  }: {
    files: Record<string, string>
    /** That of the change request. */
    subject?: string
    device?: Device | undefined
    prepare?: (page: Page, content: string) => Promise<void> | void
  },
): Promise<Writing> {
  const opened = await openSignedIn(browser, world, email, device)
  const { page } = opened
  const { spaceId } = await spaceWith(world, archiveOf(files), 'Handbook')
  const proposed = await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject })
  assert.equal(proposed.status, 201, proposed.text)
  const content = `/v1/spaces/${spaceId}/change-requests/1/content`
  await prepare?.(page, content)
  const pages = (await world.ada(`GET ${content}/pages`)).body.pages.map(({ id }: { id: string }) => id)
  await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1/edit/`)
  await page.waitForSelector('.writing[aria-autocomplete]')
  return {
    ...opened,
    spaceId,
    content,
    pages,
    stored: async () => {
      await untilSaved(page)
      return (await world.ada(`GET ${content}/page/${pages[0]}?format=markdown`)).body.markdown
    },
  }
}

/** Puts the caret into the first line of the page that is written, and then to where a key takes it. */
export async function writeFrom(page: Page, key: string): Promise<void> {
  await page.click('.writing > p:first-child')
  await drawn(page)
  await page.keyboard.press(key)
  await drawn(page)
}
