/**
 * `npm run build`: makes `dist`, the program as it is installed. The sources become JavaScript, file by file, since Node
 * strips no types of code in `node_modules`; the console is built; and files of packages that hold no code are copied, so that
 * the packages need not be installed. `npm pack` runs it first.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { BOOK_FONTS, optionalFontFiles } from '../../src/books/fonts.ts'
import { buildConsole } from '../../src/console/build/bundle.ts'
import { type PackagedFile, packagedFile } from '../../src/core/runtime/packaged-files.ts'
import { MERMAID } from '../../src/sites/assets/assets.ts'
import { buildScripts } from '../../src/sites/assets/build-scripts.ts'
import { siteFontFiles } from '../../src/sites/assets/fonts.ts'
import { ICON_DRAWINGS, ICON_FILES, iconDrawings } from '../../src/sites/render/icons.ts'
import { PREVIEW_FONTS } from '../../src/sites/serve/pages/preview-image.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'src')
/** The sources of what browsers run, what builds the console, and tests. */
const NOT_COMPILED =
  /^console\/(app\/|build\/(?!files\.ts$))|^(sites|console)\/assets\/scripts\/|\.test\.ts$|\.d\.ts$/

/** Relative addresses of modules, in imports and in the URLs of threads and processes. */
const MODULE = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g

/** The JavaScript of a module: its types are replaced by spaces, so lines and columns stay those of the source. */
export function compile(source: string): string {
  return stripTypeScriptTypes(source).replace(MODULE, '$1$2.js$1')
}

/** Makes the program in a folder, which is deleted before. */
export async function buildPackage(folder = join(ROOT, 'dist')): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await Promise.all([
    writeSources(folder),
    writeTexts(join(folder, 'console/app'), (await buildConsole()).files),
    writeTexts(
      join(folder, 'sites/assets/scripts'),
      [...buildScripts()].map(([name, text]) => ({ name, text })),
    ),
    copyFiles(join(folder, 'packages')),
  ])
}

async function writeSources(folder: string): Promise<void> {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const from = join(entry.parentPath, entry.name)
    const name = relative(SOURCES, from).split(sep).join('/')
    if (NOT_COMPILED.test(name)) continue
    const to = join(folder, name)
    await mkdir(dirname(to), { recursive: true })
    if (!name.endsWith('.ts')) await copyFile(from, to)
    else await writeFile(to.replace(/\.ts$/, '.js'), compile(await readFile(from, 'utf8')))
  }
}

async function writeTexts(folder: string, files: readonly { name: string; text: string }[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, text } of files) await writeFile(join(folder, name), text)
}

/** Copies the files that the program uses, and the licences of their packages. */
async function copyFiles(folder: string): Promise<void> {
  const used: PackagedFile[] = [
    MERMAID,
    ...BOOK_FONTS,
    ...optionalFontFiles(),
    ...siteFontFiles(),
    ...PREVIEW_FONTS,
    ...ICON_FILES,
  ]
  const packages = new Set(used.map(([name]) => name))
  for (const name of packages) {
    const inPackage = await readdir(packagedFile([name, '']))
    const about = inPackage.filter((one) => /^(package\.json|licen[sc]e|ofl|notice)/i.test(one))
    used.push(...about.map((path) => [name, path] as const))
  }
  for (const [name, path] of used) {
    const to = join(folder, name, path)
    await mkdir(dirname(to), { recursive: true })
    await copyFile(packagedFile([name, path]), to)
  }
  await writeFile(join(folder, ...ICON_DRAWINGS), JSON.stringify(iconDrawings()))
}

if (import.meta.main) await buildPackage()
