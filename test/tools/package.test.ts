/** The installed program: compiled, without the sources, the packages of the console, and those that only have files. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPackage } from '../../tools/package/build.ts'
import { NOT_IN_PROGRAM, packageName, withAddresses } from '../../tools/package/program.ts'
import { iconDrawings, pageIcon } from '../../src/sites/render/icons.ts'
import { onlyLong } from '../effort.ts'
import { run, type Server, startServer, temporaryFolder } from '../process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test('addresses of modules and of files beside them hold in the one folder of the program', () => {
  const source = `const task = new URL('../core/task.ts', import.meta.url)
const texts = new URL('./texts/', import.meta.url)
const folder = join(import.meta.dirname, 'texts')
`
  assert.equal(
    withAddresses('server/tasks.ts', source),
    `const task = new URL('./core-task.js', import.meta.url)
const texts = new URL('./texts/', new URL("server/tasks.js", import.meta.url).href)
const folder = join((import.meta.dirname + "/server"), 'texts')
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
  let imported: string[] = []

  before(async () => {
    ;({ imported } = await buildPackage(join(installed, 'dist'), ['sites/render/icons.ts']))
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
    const module = join(installed, 'dist/sites-render-icons.js')
    const { pageIcon: drawn } = (await import(module)) as { pageIcon: typeof pageIcon }
    const names = Object.keys(iconDrawings()).map((name) => name.replace(/^(.*)\/(.*)$/, 'fa-$1 fa-$2'))
    assert(names.length > 2_000)
    const others = ['rocket-launch', 'folder-o', 'constructor', 'nothing-here', '']
    for (const name of [...names, ...others]) assert.equal(String(drawn(name)), String(pageIcon(name)), name)
  })

  test('depends on exactly the packages that are not in its files', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const sources = globSync('**/*.ts', { cwd: join(ROOT, 'src') }).filter((one) => !NOT_IN_PROGRAM.test(one))
    const chosen = sources.flatMap((path) => chosenIn(readFileSync(join(ROOT, 'src', path), 'utf8')))
    const needed = new Set([...imported, ...chosen])
    // Only a clone builds scripts, and the driver of PostgreSQL looks for another one.
    for (const name of ['esbuild', 'pg-native']) assert(needed.delete(name), name)
    assert.deepEqual([...needed].toSorted(), Object.keys(dependencies).toSorted())
  })

  test('has no address of a module that is not there', () => {
    const dist = join(installed, 'dist')
    const files = globSync('*.js', { cwd: dist })
    const addresses = files.flatMap((file) => {
      const source = readFileSync(join(dist, file), 'utf8')
      assert(
        !/import\.meta\.(filename|resolve\('\.)/.test(
          source.replaceAll('import.meta.filename.endsWith(".js")', ''),
        ),
        file,
      )
      return [...source.matchAll(/new URL\(["'](\.\/[^"']*\.[jt]s)["'], import\.meta\.url\)/g)].map(
        ([, path = '']) => path,
      )
    })
    assert(addresses.length > 20)
    assert.deepEqual(
      addresses.filter((path) => !existsSync(join(dist, path))),
      [],
    )
  })

  test('imports documentation, and shows it as a site, in a PDF, and in the console', async () => {
    const docs = join(data.path, 'docs')
    mkdirSync(docs)
    writeFileSync(join(docs, 'README.md'), PAGE)
    const done = await run(['import', docs], { LECTERN_DATA: data.path }, program)
    assert.equal(done.code, 0, done.err)
    const space = /Space {2}(\S+)/.exec(done.out)?.[1] ?? ''
    assert(server)
    const origin = server.url
    const site = `${origin}/sites/docs${new URL(/Site {3}(\S+)/.exec(done.out)?.[1] ?? '').pathname}`
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

const LAZY = /\b(?:require\(|resolve\(|lazy(?:<.*>)?\(|LIBRARY: string =) *['"`]([^'"`.][^'"`]*)['"`]/g

/** The packages that a module loads by their names, when it needs them. */
function chosenIn(source: string): string[] {
  const names = [...source.matchAll(LAZY)].map(([, name = '']) => packageName(name))
  return names.filter((name) => !isBuiltin(name))
}
