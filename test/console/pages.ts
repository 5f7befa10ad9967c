/** A browser without JavaScript that keeps cookies, for the pages of the server itself. */
import assert from 'node:assert/strict'
import type { FileChooser, Page } from 'playwright-core'
import { LANGUAGE_COOKIE } from '../../src/core/languages/page-languages.ts'
import type { Answer, World } from '../world.ts'

export const PASSWORD = 'correct horse battery'

/** A browser: it sends the forms of pages and follows no redirects. */
export interface Browser {
  open(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form from a page of the server. */
  send(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  cookies: Map<string, string>
  /** The `Cookie` header. */
  header(): string
}

/** @param headers of each request, such as an address behind a proxy */
export function browserOf(world: World, common: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function keep(answer: Answer): Promise<Answer> {
    for (const line of answer.headers.getSetCookie()) {
      // The console reads the language, which gives no access.
      const flags = line.startsWith(LANGUAGE_COOKIE) ? 'Secure' : 'Secure; HttpOnly'
      assert.match(
        line,
        new RegExp(`^__Host-[\\w-]+=\\w*[^;]*; Path=/; ${flags}; SameSite=Lax; Max-Age=\\d+$`),
      )
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.endsWith('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  return {
    cookies,
    header,
    open: async (path, headers = {}) =>
      keep(await world.nobody(`GET ${path}`, undefined, { cookie: header(), ...common, ...headers })),
    send: async (path, fields = {}, headers = {}) =>
      keep(
        await world.nobody(`POST ${path}`, Buffer.from(new URLSearchParams(fields).toString()), {
          cookie: header(),
          'sec-fetch-site': 'same-origin',
          ...common,
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
        }),
      ),
  }
}

/** Chooses a role. The field is a button that opens the list of roles. */
export async function chooseRole(page: Page, field: string | RegExp, role: string): Promise<void> {
  await page.getByRole('button', { name: field }).click()
  await page
    .getByRole('listbox')
    .getByRole('option', { name: new RegExp(`^${role}`) })
    .click()
}

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]
/** The sessions of people, by their server and e-mail address: several files of tests run in one process. */
const sessions = new Map<string, Cookies>()

/**
 * Signs in for a page of a real browser, which then opens a screen. Only the first time, a person does so with the password:
 * one session serves all pages of that person.
 */
export async function signIn(page: Page, url: string, email: string): Promise<void> {
  const person = `${url} ${email}`
  const known = sessions.get(person)
  if (known && (await isValid(url, known))) return page.context().addCookies(known)
  await page.goto(`${url}/sign-in`)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await page.click('button.main')
  await page.waitForURL('**/app**')
  sessions.set(person, await page.context().cookies())
}

/** Shows the sidebar beside the screens of the console, now and when the page is loaded anew. */
export async function showSidebar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sidebar', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
}

/** Whether a session has not ended, and is that of this server and not of an earlier one at the same port. */
async function isValid(url: string, cookies: Cookies): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return (await fetch(`${url}/v1/user`, { headers: { cookie } })).ok
}

/** Most spaces have no connection with a repository. Their screen of the sync asks for it, and a browser reports each 404. */
const USUALLY_MISSING = /\/git\/connection$/

/** What a browser complains about from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    if (['error', 'warning'].includes(message.type()) && !USUALLY_MISSING.test(url))
      complaints.push(`${message.text()} ${url}`)
  })
  return complaints
}

/** A member of the organization with a password. */
export async function withPassword(world: World, name: string) {
  const person = await world.person(name, 'edit')
  assert.equal((await person('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  return { person, email: `${name}@example.com` }
}

/** The dialog for files that a writer asks for. */
export async function fileDialog(page: Page, ask: () => Promise<unknown>): Promise<FileChooser> {
  const opened = page.waitForEvent('filechooser')
  // The page learns that a test waits for dialogs by another way than keys and clicks, which could overtake it. What it
  // evaluates comes by the same way.
  await page.evaluate('undefined')
  await ask()
  return opened
}
