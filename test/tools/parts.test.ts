/** The page of components, which `npm run dev` shows at `/app/~parts`. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { build, stop } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { BUNDLING } from '../../src/console/build/bundle.ts'
import { bundleFile, bundleOf } from '../../src/console/build/files.ts'
import { developmentConsole } from '../../tools/dev/console.ts'
import { addressOfView, FAMILIES, type View } from '../../tools/dev/parts/view.ts'
import { inLongRun } from '../effort.ts'
import {
  axeFindings,
  COLOUR_RULES,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'

const ROOT = join(import.meta.dirname, '../..')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))

/** The components that the page does not name, each with the sample that shows it. */
const WITHIN: Readonly<Record<string, string>> = {
  FieldProblem: 'every LineField has one',
  Trail: 'every Frame has one',
}

test('every component of the fields, lists and content is on the page of components', () => {
  const components = textsOf('src/console/app/{ui,content}/**/*.tsx').flatMap((text) =>
    [...text.matchAll(/^export function ([A-Z]\w*)/gm)].map(([, name = '']) => name),
  )
  assert(components.length > 30, 'the components were not found')
  const samples = textsOf('tools/dev/parts/*.tsx').join('\n')
  const missing = components.filter((name) => !new RegExp(`<${name}\\b`).test(samples))
  assert.deepEqual(missing.toSorted(), Object.keys(WITHIN).toSorted(), 'add a sample to tools/dev/parts')
})

const served = developmentConsole()
const { url } = await createWorld({}, { console: served })

describe('the page of components', { skip: WITHOUT_BROWSER || inLongRun }, () => {
  let browser: Browser
  before(async () => {
    // Minified, because the server compresses the files when the browser first loads them.
    const { outputFiles } = await build({
      ...BUNDLING,
      entryPoints: [{ in: 'tools/dev/page.ts', out: 'main' }],
    })
    served.replace({ kind: 'console', bundle: bundleOf(outputFiles.map(bundleFile)) })
    await stop()
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const looksOf = async (page: Page, view: View, rules?: readonly string[]): Promise<string[]> => {
    const findings = await axeFindings(page, undefined, rules)
    if ((await sidewaysScroll(page)) !== 0) findings.push('it scrolls sideways')
    return findings.map((one) => `${addressOfView(view)}: ${one}`)
  }

  // Only colours are different in the dark, and only words in Chinese.
  const views = [
    { theme: 'light', language: 'en', device: DEVICES[0]!, rules: undefined },
    { theme: 'dark', language: 'en', device: DEVICES[0]!, rules: COLOUR_RULES },
    { theme: 'light', language: 'en', device: DEVICES[2]!, rules: undefined },
    { theme: 'light', language: 'zh', device: DEVICES[0]!, rules: COLOUR_RULES },
  ] as const
  for (const { theme, language, device, rules } of views)
    test(`${theme}, ${language}, on a ${device.name}: no component complains or is inaccessible`, async () => {
      const found: string[] = []
      const { page, complaints } = await openPage(browser, device)
      for (const show of FAMILIES) {
        const view: View = { show, theme, language, width: 'wide' }
        await page.goto(`${url}${addressOfView(view)}`, { waitUntil: 'load' })
        await page.locator('.parts-sample').first().waitFor()
        await drawn(page)
        found.push(...(await looksOf(page, view, rules)))
      }
      assert.deepEqual([...found, ...complaints], [])
      await leave(page)
    })
})
