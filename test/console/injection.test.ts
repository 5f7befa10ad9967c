/** Payloads of script injection in the console: as content, titles, names, comments, files and pastes. None runs. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { HOSTILE_HTML } from '../core/document/hostile.ts'
import { isLongRun } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { BODY_PAYLOADS, HOSTILE_SVG, HOSTILE_TEXTS, pageWithFields, payloadPages } from '../sites/payloads.ts'
import { DANGERS, isTrace, POINT, tracedPage } from '../sites/tracing.ts'
import { createWorld } from '../world.ts'
import { walkOn, type Walk } from './every-screen.ts'
import { PASSWORD, withPassword } from './pages.ts'

const NTH = isLongRun() ? 1 : 31
const pages = payloadPages(BODY_PAYLOADS.filter((_, index) => index % NTH === 0))
/** Of each kind: a text that ends an element, a value, and the title of a page, and two addresses. */
const TEXTS = isLongRun() ? HOSTILE_TEXTS : [1, 6, 22].map((index) => HOSTILE_TEXTS[index]!)
/** The screens that show the least of what others name are for the long run. */
const some = (...names: string[]) => (isLongRun() ? names : names.slice(0, -2))
const ALL = TEXTS.join(' ')
const TITLE = 50

const world = await createWorld({}, { inspect: undefined })
const { ada, organizationId } = world
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${organizationId}/members/${ann.id}`
const needed = async (request: string, body: object) => {
  const answer = await ada(request, body)
  assert.ok(answer.status < 300, `${request}: ${answer.text}`)
  return answer.body
}
await needed(`PATCH ${member}`, { role: 'admin' })

/** A space in which everything that people name has a payload. */
async function hostileSpace(): Promise<string> {
  const files: Record<string, string> = {
    'README.md': '# Home\n\nWelcome.\n',
    'files.md': '# Files\n\n![](<.gitbook/assets/a.svg>)\n',
    '.gitbook/assets/a.svg': HOSTILE_SVG,
  }
  for (const [index, { markdown }] of pages.entries()) files[`payloads-${index}.md`] = markdown
  for (const [index, text] of TEXTS.entries()) {
    files[`fields-${index}.md`] = pageWithFields(text, 'visitor.claims.plan != "x"')
    files[`.gitbook/assets/${text.replaceAll(/[/\\:*?|\0]/g, '_')}.txt`] = text
  }
  const { spaceId } = await spaceWith(world, archiveOf(files), TEXTS[0]!.slice(0, TITLE))
  const space = `/v1/spaces/${spaceId}`
  const change = `${space}/change-requests/1`
  await needed(`POST ${space}/change-requests`, { subject: ALL.slice(0, 100) })
  const { pages: tree } = await needed(`POST ${change}/content?compat=false`, {
    changes: [{ operation: 'insert_page', title: ALL.slice(0, 200), document: { markdown: ALL } }],
  }).then(async () => (await ada(`GET ${change}/content/pages`)).body)
  await needed(`PATCH ${space}`, { editMode: 'live' })
  await needed(`POST ${space}/content`, {
    changes: [
      {
        operation: 'insert_reusable_content',
        title: TEXTS[0]!.slice(0, TITLE),
        document: { markdown: ALL },
      },
      { operation: 'update_variables', variables: { hostile: ALL.slice(0, 256) } },
    ],
  })
  for (const text of TEXTS) {
    await needed(`POST ${space}/comments`, { body: { markdown: text }, page: tree[0].id })
    await needed(`POST ${change}/comments`, { body: { markdown: text } })
  }
  for (const { markdown } of pages)
    await needed(`POST ${change}/comments`, { body: { markdown: markdown.slice(0, 9000) } })
  await ann(`PATCH /v1/users/${ann.id}`, { displayName: ALL.slice(0, 100) })
  await needed(`PATCH /v1/orgs/${organizationId}`, { title: TEXTS[0]!.slice(0, TITLE) })
  return spaceId
}

describe('payloads of script injection in the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  let walk: Walk
  let logged: string[]
  let spaceId: string

  before(async () => {
    browser = await openBrowser()
    ;({ page, logged } = await tracedPage(browser))
    spaceId = await hostileSpace()
    await page.goto(`${world.url}/sign-in`)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL('**/app**')
    walk = walkOn(page)
  })
  after(async () => {
    await page?.context().close()
    await browser?.close()
  })

  /** What ran, what a policy stopped, and what broke. */
  const faults = () => logged.filter((line) => isTrace(line) || /Error\b/.test(line))

  async function see(path: string): Promise<string[]> {
    logged.length = 0
    await walk.show(path)
    await page.evaluate(POINT)
    const dangers = await page.evaluate<string[]>(DANGERS)
    return [...dangers, ...faults()].map((one) => `${path}: ${one}`)
  }

  test('run on no screen', async () => {
    const [org, space] = [`/o/${organizationId}`, `/s/${spaceId}`]
    const screens = [
      '',
      org,
      ...some('people', 'changes', 'audit', 'settings', 'trash').map((one) => `${org}/${one}`),
      ...['', '/files', ...pages.map((_, index) => `/payloads-${index}`)].map((one) => space + one),
      ...TEXTS.map((_, index) => `${space}/fields-${index}`),
      ...['changes', 'changes/1', 'changes/1/diff', 'files', 'reusable', 'variables'].map(
        (one) => `${space}/~/${one}`,
      ),
      ...some('share', 'history', 'links', 'settings').map((one) => `${space}/~/${one}`),
      ...pages.map((_, index) => `${space}/~/changes/1/edit/payloads-${index}`),
    ]
    const found: string[] = []
    for (const path of screens) found.push(...(await see(path)))
    assert.deepEqual(found, [])
    await page.waitForSelector('.writing')
    const text = await page.evaluate<string>(`document.querySelector('.writing').textContent`)
    assert.deepEqual(
      pages.at(-1)!.marks.filter((mark) => !text.includes(mark)),
      [],
      'every payload is on its page',
    )
  })

  test('run not when they are pasted', async () => {
    await see(`/s/${spaceId}/~/changes/1/edit/`)
    await page.waitForSelector('.writing')
    const html = [...HOSTILE_HTML, ...BODY_PAYLOADS.filter((_, index) => index % NTH === 0)]
    for (const [type, texts] of [
      ['text/html', html],
      ['text/plain', BODY_PAYLOADS.filter((_, index) => index % NTH === 0)],
    ] as const)
      for (let start = 0; start < texts.length; start += 20)
        await page.evaluate(
          `(() => {
            const clipboardData = new DataTransfer()
            clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(texts.slice(start, start + 20).join('\n\n'))})
            document.querySelector('.writing').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
          })()`,
        )
    await page.evaluate(POINT)
    assert.deepEqual([...(await page.evaluate<string[]>(DANGERS)), ...faults()], [])
    assert.match(await page.locator('.writing').innerText(), /Welcome/)
  })

  test('would be noticed', async () => {
    await see('')
    await page.evaluate(`(() => {
      const link = document.createElement('a')
      link.href = 'java\\tscript:alert(1)'
      document.body.append(link)
      link.click()
      alert(2)
    })()`)
    await untilTrue(page, 'true')
    assert.deepEqual(await page.evaluate(DANGERS), ['a href=java\tscript:alert(1)'])
    assert.ok(faults().includes('RAN alert 2'))
    assert.ok(!faults().includes('RAN alert 1'), 'the policy stops it')
  })
})
