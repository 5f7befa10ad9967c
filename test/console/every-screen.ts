/** An organization that has one of everything that the console shows, and the addresses of all screens about it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { BLOCKS } from '../core/document/every-block.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import type { Answer, Person, World } from '../world.ts'

const LONG = Array.from(
  { length: 300 },
  (_, i) => `Paragraph ${i} has *words* and [a link](https://${i}.example).`,
)
const FILES = {
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Long](long.md)\n* [Arabic](arabic.md)\n',
  'README.md': '# Home\n\nHello.\n',
  'long.md': `# Long\n\n${LONG.join('\n\n')}\n`,
  'arabic.md': '# مرحبا\n\nهذا نص باللغة العربية.\n\nAnd some English.\n',
}
/** Paragraphs of a long page that are like those before them, for what looks at each element. */
export const REPEATED = '.prose > p:nth-of-type(n + 20)'
/** The types of blocks that are only inside of others. */
const INNER = ['list-item', 'code-line', 'image', 'tabs-item', 'stepper-step', 'column', 'update']

/**
 * The addresses of all screens below `/app`, each with something to show.
 * @param person an administrator of the organization
 */
export async function addressesOfScreens(world: World, person: Person): Promise<string[]> {
  const needed = async (request: string, body?: object): Promise<Answer['body']> => {
    const answer = await person(request, body)
    assert(answer.status < 300, `${request}: ${answer.text}`)
    return answer.body
  }
  const { spaceId } = await spaceWith(world, archiveOf(FILES), 'Handbook')
  const requests = `/v1/spaces/${spaceId}/change-requests`
  const { number } = await needed(`POST ${requests}`, { subject: 'Greet' })
  const own = `${requests}/${number}`
  const { pages } = await needed(`GET ${own}/content/pages`)
  const home = pages[0].id as string
  const long = pages.find(({ path }: { path: string }) => path === 'long').id as string
  const { nodes: paragraphs } = await needed(`GET /v1/spaces/${spaceId}/content/page/${long}/document`)
  await needed(`POST /v1/spaces/${spaceId}/comments`, {
    body: { markdown: 'Which words?' },
    page: long,
    node: paragraphs[2].key,
  })
  const write = (base: string, text: string) =>
    needed(`POST ${base}/content`, {
      changes: [{ operation: 'update_page', page: home, document: { markdown: `# Home\n\n${text}\n` } }],
    })
  await write(own, 'Hello, you.')
  const nodes = Object.values(BLOCKS).map(({ block }) => block)
  const everything = nodes.filter(({ type }) => !INNER.includes(type))
  const document = { document: { object: 'document', data: {}, nodes: everything } }
  const added = await needed(`POST ${own}/content?compat=false`, {
    changes: [
      { operation: 'insert_page', title: 'Everything', document },
      { operation: 'insert_reusable_content', title: 'Reused', document: { markdown: 'Again.' } },
    ],
  })
  await needed(`PATCH ${own}`, { status: 'open' })
  await needed(`POST ${own}/comments`, { body: { markdown: 'Hello.' }, page: home })

  // Another change request merges another text of the same sentence.
  const other = `${requests}/${(await needed(`POST ${requests}`, { subject: 'Greet all' })).number}`
  await write(other, 'Hello, everybody.')
  await needed(`POST ${other}/merge`)
  assert.equal((await needed(`POST ${own}/update`)).result, 'conflicts')

  const organization = `/v1/orgs/${world.organizationId}`
  const collection = await needed(`POST ${organization}/collections`, { title: 'Collection' })
  const { id: gone } = await needed(`POST ${organization}/spaces`, { title: 'Gone' })
  await needed(`DELETE /v1/spaces/${gone}`)
  const { id: inside } = await needed(`POST ${organization}/spaces`, {
    title: 'Inside',
    parent: collection.id,
  })
  const site = await needed(`POST ${organization}/sites`, { title: 'Site', spaces: [spaceId, inside] })
  const parts = (await needed(`GET ${organization}/sites/${site.id}/site-spaces`)).items
  await needed(`PUT ${organization}/teams`, { title: 'Writers' })
  await needed(`POST ${organization}/custom-fields`, { name: 'owner', title: 'Owner', type: 'text' })
  await needed(`POST ${organization}/oidc`, { label: 'Corporate' })
  await needed(`POST ${organization}/saml`, { label: 'Federation' })
  await needed(`POST ${organization}/translations`, { title: 'Docs', languages: ['de'] })
  await needed(`POST ${organization}/invites`, { emails: ['eve@example.com'], role: 'read' })
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {} })
  await needed(`POST ${organization}/openapi`, { slug: 'shop', source: { text } })

  const values: Record<string, string> = {
    ':organizationId': world.organizationId,
    ':spaceId': spaceId,
    ':collectionId': collection.id,
    ':siteId': site.id,
    ':siteSpaceId': parts[0].id,
    ':pageId': home,
    ':number': String(number),
    ':revisionId': (await needed(`GET /v1/spaces/${spaceId}`)).revision,
    ':id': added.changes[1].reusableContent.id,
    ':slug': 'shop',
    '*': 'long',
  }
  const routes = readFileSync(new URL('../../src/console/app/program/routes.tsx', import.meta.url), 'utf8')
  const patterns = [...routes.slice(routes.indexOf('ROUTES')).matchAll(/'(\/[^']*)'/g)].map(([, one]) => one!)
  const all = patterns.flatMap((one) => (one.endsWith('/*?') ? [one.slice(0, -3), one.slice(0, -1)] : [one]))
  return all.map((pattern) => pattern.replaceAll(/:\w+|\*/g, (name) => values[name] ?? assert.fail(name)))
}

/**
 * What kind of button an element is, by class and words: what a button opens is the same for other pages, rows and
 * characters. It runs in the browser.
 */
export function openerKind(element: unknown): string {
  const button = element as Opener
  const label = button.getAttribute('aria-label')
  const words = [...button.childNodes].find(
    (child) => child.nodeType === 3 && child.textContent.trim() !== '',
  )
  const name = label?.replace(/^(Actions for|Move|Pages below) .*/, '$1') ?? (words ?? button).textContent
  return `${button.className} ${name}`
}

/** What `openerKind` needs of an element; the tests are compiled without the types of the DOM. */
interface Opener {
  className: string
  textContent: string
  childNodes: Iterable<{ nodeType: number; textContent: string }>
  getAttribute(name: string): string | null
}

/** The screens of one tab of a browser. To load the console anew for each screen takes much longer. */
export interface Walk {
  /** Shows a screen as a link does it, and waits until it has what it shows. */
  show(path: string): Promise<void>
  /** Waits until every request is answered and shown. */
  settled(): Promise<void>
}

/**
 * Whether the page shows that it waits for something, once it has drawn what has changed. If it does, the result comes when
 * that is over, or after a second. React shows what has come 300 milliseconds later, and to look in every frame until
 * then makes the browser draw each of them.
 */
const isLoading = (page: Page) =>
  page.evaluate<boolean>(`new Promise((done) => {
    const shows = () => document.querySelector('.loading, .skeleton') !== null
    requestAnimationFrame(() => setTimeout(() => {
      if (!shows()) return done(false)
      const observer = new MutationObserver(() => shows() || finish())
      const timer = setTimeout(finish, 1000)
      function finish() {
        observer.disconnect()
        clearTimeout(timer)
        done(true)
      }
      observer.observe(document, { childList: true, subtree: true, attributeFilter: ['class'] })
    }))
  })`)

/** Walks through the screens on a page of the console. */
export function walkOn(page: Page): Walk {
  const underWay = new Set<Request>()
  page.on('request', (one) => one.resourceType() !== 'eventsource' && underWay.add(one))
  page.on('requestfinished', (one) => underWay.delete(one))
  page.on('requestfailed', (one) => underWay.delete(one))

  async function settled() {
    // What a response shows can send further requests.
    const end = Date.now() + 60_000
    for (let calm = 0; calm < 2;) {
      assert(Date.now() < end, `${page.url()} never has everything`)
      // While the page waits for the server, nobody asks it.
      const hasAnswers = underWay.size === 0
      if (!hasAnswers) await wait(5)
      const isCalm = hasAnswers && !(await isLoading(page)) && underWay.size === 0
      calm = isCalm ? calm + 1 : 0
    }
  }

  return {
    settled,
    async show(path) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/app${path}`)})`)
      await settled()
      await page.locator('#main h1').first().waitFor({ state: 'attached' })
      assert.equal(await page.locator('.failure').count(), 0, path)
    },
  }
}
