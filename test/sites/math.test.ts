import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'

import { axeFindings, DEVICES, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'
import { markdownPage } from './markdown-page.ts'
import { servePages, type Served } from './serve.ts'

const FORMULAS: Record<string, string> = {
  plain: 'a',
  overline: '\\overline{a}',
  underline: '\\underline{a}',
  cancel: '\\cancel{x+y}',
  boxed: '\\boxed{a}',
  matrix: '\\begin{pmatrix} a & b \\\\ c & d \\\\ e & f \\end{pmatrix}',
  cases: '\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\\\ 2 & y \\end{cases}',
  root: '\\sqrt{\\frac{\\frac{a}{b}}{c}}',
}
const SOURCE = Object.entries(FORMULAS)
  .map(([name, formula]) => `## ${name}\n\n$$\n${formula}\n$$\n`)
  .join('\n')

describe('formulas, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let server: Served
  let page: Page
  let complaints: string[]

  before(async () => {
    server = await servePages(
      (path) => markdownPage(path === '/plain' ? 'Text with `code`.' : SOURCE),
      () => undefined,
    )
    browser = await openBrowser()
    ;({ page, complaints } = await visit(browser, server.base, DEVICES[0]!))
    await page.evaluate('document.fonts.ready')
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  /** The size of an element of a formula, in CSS pixels. */
  const sizeOf = (name: string, selector: string): Promise<{ width: number; height: number }> =>
    page.evaluate(`(() => {
      const formula = document.getElementById('${name}').nextElementSibling.querySelector('math')
      const { width, height } = (${JSON.stringify(selector)} === 'math' ? formula : formula.querySelector(${JSON.stringify(selector)})).getBoundingClientRect()
      return { width, height }
    })()`)

  test('an overline and an underline are as wide as their base', async () => {
    for (const [name, element] of [
      ['overline', 'mover'],
      ['underline', 'munder'],
    ] as const) {
      const stroke = await sizeOf(name, `${element} > mo`)
      const base = await sizeOf(name, `${element} > mrow`)
      assert.ok(stroke.width >= base.width * 0.9, `${name}: ${stroke.width} of ${base.width}`)
      const plain = await sizeOf('plain', 'mi')
      assert.ok((await sizeOf(name, element)).height > plain.height, name)
    }
  })

  test('a cancelled term is struck through, and a boxed one has a border', async () => {
    const style = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    assert.match(String(await style('.math-strike-up', 'backgroundImage')), /gradient/)
    assert.equal(await style('.math-box', 'borderTopStyle'), 'solid')
  })

  test('brackets of matrices and cases are as high as their rows, and roots cover fractions', async () => {
    for (const name of ['matrix', 'cases']) {
      const table = await sizeOf(name, 'mtable')
      const bracket = await sizeOf(name, 'mo[fence]')
      assert.ok(table.height > 40)
      assert.ok(bracket.height >= table.height * 0.85, `${name}: ${bracket.height} of ${table.height}`)
    }
    assert.ok((await sizeOf('root', 'msqrt')).height >= (await sizeOf('root', 'mfrac')).height)
  })

  test('the policy of the page refuses nothing, and axe finds nothing', async () => {
    assert.deepEqual(complaints, [])
    assert.deepEqual(await axeFindings(page), [])
  })

  test('only pages with formulas load the font and the style sheet', async () => {
    const loaded = (of: Page) =>
      of.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`)
    assert.ok((await loaded(page)).some((url) => url.includes('/math-basic.')))
    const other = await visit(browser, `${server.base}/plain`, DEVICES[0]!)
    const urls = await loaded(other.page)
    assert.ok(urls.some((url) => url.includes('/site.')))
    assert.deepEqual(
      urls.filter((url) => /math|diagram|mermaid/.test(url)),
      [],
    )
    await leave(other.page)
  })
})
