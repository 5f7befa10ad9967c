/** The scripts of pages, as they are built from their sources. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { parse, type Program } from 'acorn'
import { API_WORDS } from '../../src/core/openapi/describe/api-words.ts'
import { type AssetName, asset, assetUrl } from '../../src/sites/assets/assets.ts'
import {
  DIAGRAM_WORDS,
  SEARCH_WORDS,
  SITE_WORDS,
  TRY_WORDS,
} from '../../src/sites/assets/scripts/kit/english.ts'
import { wordsOf } from '../../src/sites/render/words/choose.ts'

interface Expected {
  /** The most bytes that a reader loads, compressed. */
  most: number
  /** The scripts that it loads later. */
  loads?: AssetName[]
  /** It shares its names with other scripts, so it may define none. */
  isClassic?: boolean
}

const SCRIPTS: Partial<Record<AssetName, Expected>> = {
  'theme.js': { most: 250, isClassic: true },
  'site.js': { most: 4000, loads: ['search.js'] },
  'search.js': { most: 2000 },
  'try-it.js': { most: 4200 },
  'diagrams.js': { most: 1300 },
  'diagram-frame.js': { most: 1300, isClassic: true },
  'console.js': { most: 1350 },
}

const textOfScript = (name: AssetName) => asset(assetUrl(name))?.bytes.toString() ?? ''

/** Parsed with the syntax that browsers have had since 2021. */
function parsed(name: AssetName, isClassic = false): Program {
  const sourceType = isClassic ? 'script' : 'module'
  return parse(textOfScript(name), { ecmaVersion: 2021, sourceType })
}

test('each script is small, has no new syntax, and is one request', () => {
  for (const [name, { most, loads = [], isClassic }] of Object.entries(SCRIPTS) as [AssetName, Expected][]) {
    const size = brotliCompressSync(textOfScript(name)).length
    assert.ok(size > 100 && size <= most, `${name}: ${size} bytes`)
    const { body } = parsed(name, isClassic)
    assert.deepEqual(
      body.filter(({ type }) => type === 'ImportDeclaration'),
      [],
      name,
    )
    if (isClassic)
      assert.ok(
        body.every(({ type }) => type === 'ExpressionStatement'),
        `${name} defines names`,
      )
    const loaded = [...textOfScript(name).matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, file]) => file)
    assert.deepEqual(
      loaded,
      loads.map((one) => assetUrl(one, '')),
      name,
    )
  }
})

test('the scripts have the English words of pages', () => {
  const words = wordsOf('en')
  const ofPages: Record<string, unknown> = { ...API_WORDS['en'], ...words.tryIt, ...words, ...words.content }
  ofPages['tryIt'] = words.tryIt.tryIt
  for (const table of [SITE_WORDS, SEARCH_WORDS, DIAGRAM_WORDS, TRY_WORDS])
    assert.partialDeepStrictEqual(ofPages, table)
})

test('pages are served without scripts if the bundler cannot run', () => {
  const program = `
    const { asset, assetUrl } = await import(process.argv[1])
    const sizes = ['site.js', 'theme.js', 'site.css'].map((name) => asset(assetUrl(name)).bytes.length)
    process.on('warning', ({ message }) => console.log(JSON.stringify({ sizes, message })))`
  const assets = import.meta.resolve('../../src/sites/assets/assets.ts')
  const args = ['--no-warnings', '--input-type=module', '-e', program, assets]
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: new URL('../../', import.meta.url),
    env: { ...process.env, ESBUILD_BINARY_PATH: 'package.json' },
  })
  const { sizes, message } = JSON.parse(output) as { sizes: number[]; message: string }
  assert.deepEqual(sizes.slice(0, 2), [0, 0])
  assert.ok(sizes[2]! > 10_000)
  assert.match(message, /^The scripts of pages cannot be built/)
})
