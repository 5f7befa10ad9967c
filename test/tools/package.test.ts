/** The installed program: compiled, without the sources, the packages of the console, and those that only have files. */
import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPackage, compile } from '../../tools/package/build.ts'
import { iconDrawings, pageIcon } from '../../src/sites/render/icons.ts'
import { onlyLong } from '../effort.ts'
import { run, type Server, startServer, temporaryFolder } from '../process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test('compiling replaces types by spaces, and the names of modules of the program', () => {
  const source = `import { a } from '../process.ts'
import b from 'b.ts'
const task = new URL('../core/task.ts', import.meta.url)
const lazy = () => import('../effort.ts')
const text: string = 'a.ts'
`
  assert.equal(
    compile(source),
    `import { a } from '../process.js'
import b from 'b.ts'
const task = new URL('../core/task.js', import.meta.url)
const lazy = () => import('../effort.js')
const text         = 'a.ts'
`,
  )
})

describe('a package', onlyLong, () => {
  // Modules in a folder of this name are loaded as those of packages are; the folders above have what they depend on.
  const folder = mkdtempSync(join(mkdirs(join(ROOT, '.cache')), 'package-'))
  const installed = join(folder, 'node_modules/lectern')
  const program = join(installed, 'bin/lectern.js')
  const data = temporaryFolder()
  let server: Server | undefined

  before(async () => {
    await buildPackage(join(installed, 'dist'))
    for (const name of ['bin', 'package.json'])
      cpSync(join(ROOT, name), join(installed, name), { recursive: true })
    server = await startServer(
      {
        LECTERN_DATA: data.path,
        PORT: '0',
        LECTERN_LOG: 'silent',
        LECTERN_ADMIN_TOKEN: 'only-for-this-test-0123',
      },
      program,
    )
  })
  after(async () => {
    await server?.stop()
    data.remove()
    rmSync(folder, { recursive: true })
  })

  test('draws each icon as a clone does', async () => {
    const module = join(installed, 'dist/sites/render/icons.js')
    const { pageIcon: drawn } = (await import(module)) as { pageIcon: typeof pageIcon }
    const names = Object.keys(iconDrawings()).map((name) => name.replace(/^(.*)\/(.*)$/, 'fa-$1 fa-$2'))
    assert(names.length > 2_000)
    const others = ['rocket-launch', 'folder-o', 'constructor', 'nothing-here', '']
    for (const name of [...names, ...others]) assert.equal(String(drawn(name)), String(pageIcon(name)), name)
  })

  test('depends on exactly the packages that the compiled program imports', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const files = globSync('**/*.js', { cwd: join(installed, 'dist') })
    const own = files.filter((file) => !/^(console\/app|packages|sites\/assets)\//.test(file))
    assert(own.length > 500)
    const imported = new Set(
      own.flatMap((file) => packagesIn(readFileSync(join(installed, 'dist', file), 'utf8'))),
    )
    // Only a clone builds scripts.
    imported.delete('esbuild')
    assert.deepEqual([...imported].toSorted(), Object.keys(dependencies).toSorted())
  })

  test('imports documentation, and shows it as a site, in a PDF, and in the console', async () => {
    const docs = join(data.path, 'docs')
    mkdirSync(docs)
    writeFileSync(join(docs, 'README.md'), PAGE)
    const imported = await run(['import', docs], { LECTERN_DATA: data.path }, program)
    assert.equal(imported.code, 0, imported.err)
    const space = /Space {2}(\S+)/.exec(imported.out)?.[1] ?? ''
    assert(server)
    const origin = server.url
    const site = `${origin}/sites/docs${new URL(/Site {3}(\S+)/.exec(imported.out)?.[1] ?? '').pathname}`
    // A page whose code is not coloured within three seconds is sent without colours, and the next request has them.
    let page = await get(site)
    for (
      const end = Date.now() + 60_000;
      !page.includes(COLOURED) && Date.now() < end;
      page = await get(site)
    )
      await wait(100)
    for (const part of ['<svg class="icon"', '<math', COLOURED, 'Docs']) assert(page.includes(part), part)
    const links = [...page.matchAll(/(?:href|src)="(\/_lectern\/[^"]+)"/g)].map(([, path = '']) => path)
    assert(links.length > 2)
    for (const path of links) assert.notEqual(await get(new URL(path, origin).href), '', path)

    const authorization = 'Bearer only-for-this-test-0123'
    const book = await fetch(`${space}/pdf`, { headers: { authorization } })
    assert.equal(book.status, 200)
    const { url } = (await book.json()) as { url: string }
    assert.match(await get(url), /^%PDF/)

    const application = await get(`${origin}/app/sign-in`)
    assert.match(application, /<form/)
  })
})

const COLOURED = '<span class="tk">'

const PAGE = `---
icon: rocket
---

# Docs

$$a^2$$ and 中文, кириллица, العربية

\`\`\`js
let a = 1
\`\`\`
`

function mkdirs(path: string): string {
  mkdirSync(path, { recursive: true })
  return path
}

async function get(url: string): Promise<string> {
  const response = await fetch(url)
  assert.equal(response.status, 200, url)
  return response.text()
}

const NAME = String.raw`((?:@[\w-]+\/)?[a-z][\w.-]*)`
const IMPORT = new RegExp(
  String.raw`\b(?:from|import|import\(|require\(|resolve\(|lazy *\(|LIBRARY *=) *'${NAME}(?:\/[^']*)?'`,
  'g',
)
/** A module of a package that is chosen when it is needed. */
const CHOSEN = new RegExp(String.raw`\b(?:import|require)\(\x60${NAME}\/`, 'g')

/** The packages that a compiled module names. */
function packagesIn(source: string): string[] {
  return [...source.matchAll(IMPORT), ...source.matchAll(CHOSEN)].map(([, name = '']) => name)
}
