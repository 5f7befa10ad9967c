/** How the server makes the console from its sources, keeps it, and does without it. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { bundleConsole } from '../../src/console/build/bundle.ts'
import { WORDINGS } from '../../src/console/render/words.ts'
import { builtOnce, consoleFiles } from '../../src/console/serve/app.ts'

async function temporary(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-console-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** A small program in place of the console, of three sources. */
async function program(t: TestContext): Promise<{ entry: string; folder: string }> {
  const [sources, folder] = [await temporary(t), await temporary(t)]
  await writeFile(
    join(sources, 'main.ts'),
    'import "./main.css"\nimport { text } from "./part.ts"\nalert(text)\n',
  )
  await writeFile(join(sources, 'main.css'), 'p { margin: 0 }\n')
  await writeFile(join(sources, 'part.ts'), "export const text = 'first'\n")
  return { entry: join(sources, 'main.ts'), folder }
}

const scriptOf = ({ files, script }: Awaited<ReturnType<typeof bundleConsole>>) => files.get(script)!.text

test('the console is kept, and made again when one of its sources differs', async (t) => {
  const { entry, folder } = await program(t)
  const first = await bundleConsole(folder, entry)
  assert.match(scriptOf(first), /first/)
  const [version = ''] = await readdir(folder)
  const { ino } = await stat(join(folder, version))

  assert.deepEqual(await bundleConsole(folder, entry), first)
  assert.equal((await stat(join(folder, version))).ino, ino, 'it was not made again')

  await writeFile(join(entry, '../part.ts'), "export const text = 'second'\n")
  assert.match(scriptOf(await bundleConsole(folder, entry)), /second/)
  const versions = await readdir(folder)
  assert.equal(versions.length, 1, 'the earlier one is deleted')
  assert.notEqual(versions[0], version)
})

test('a kept console that is damaged is made again', async (t) => {
  const { entry, folder } = await program(t)
  const first = await bundleConsole(folder, entry)
  const [version = ''] = await readdir(folder)
  await rm(join(folder, version, first.script))
  assert.deepEqual(await bundleConsole(folder, entry), first)
  await writeFile(join(folder, version, 'sources.json'), '{')
  assert.deepEqual(await bundleConsole(folder, entry), first)
})

test('two servers with one folder make the console at the same time', async (t) => {
  const { entry, folder } = await program(t)
  const [one, other] = await Promise.all([bundleConsole(folder, entry), bundleConsole(folder, entry)])
  assert.deepEqual(one, other)
  assert.deepEqual(await bundleConsole(folder, entry), one)
})

test('a folder that cannot be written, or does not exist, does not matter', async (t) => {
  const { entry, folder } = await program(t)
  // A file where the folder should be stops every user, also one who may write everything.
  await writeFile(join(folder, 'console'), '')
  assert.match(scriptOf(await bundleConsole(join(folder, 'console'), entry)), /first/)
  assert.match(scriptOf(await bundleConsole(join(folder, 'a/b'), entry)), /first/)
  assert.match(scriptOf(await bundleConsole(undefined, entry)), /first/)
})

test('a console that cannot be made is a page that says why, until it can', async (t) => {
  const { entry, folder } = await program(t)
  await writeFile(join(entry, '../part.ts'), 'export const text = \n')
  const logged: unknown[] = []
  const files = consoleFiles(
    builtOnce(
      () => bundleConsole(folder, entry),
      (error) => logged.push(error),
    ),
  )
  files.start()
  const broken = await files.page(WORDINGS.en)
  assert('page' in broken)
  assert.equal(broken.status, 503)
  assert.match(
    String(broken.page),
    /The console is not there.*part\.ts:2:0: ERROR: Unexpected end of file.*\/app\/me/s,
  )
  assert(logged.length > 0)

  await writeFile(join(entry, '../part.ts'), "export const text = 'mended'\n")
  const mended = await files.page(WORDINGS.en)
  assert('page' in mended)
  assert.equal(mended.status, undefined)
  assert.match(String(mended.page), /main-\w+\.js/)
})
