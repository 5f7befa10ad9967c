/**
 * `npm run build`: makes `dist`, the program as it is installed. The program and most of its packages become a few files of
 * JavaScript; the console is built; and files of packages that hold no code are copied, so that the packages need not be
 * installed. `npm pack` runs it first.
 */
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { BOOK_FONTS, optionalFontFiles } from '../../src/books/fonts.ts'
import { buildConsole } from '../../src/console/build/bundle.ts'
import { type PackagedFile, packagedFile } from '../../src/core/runtime/packaged-files.ts'
import { MERMAID } from '../../src/sites/assets/assets.ts'
import { buildScripts } from '../../src/sites/assets/build-scripts.ts'
import { siteFontFiles } from '../../src/sites/assets/fonts.ts'
import { ICON_DRAWINGS, ICON_FILES, iconDrawings } from '../../src/sites/render/icons.ts'
import { PREVIEW_FONTS } from '../../src/sites/serve/pages/preview-image.ts'
import { bundleProgram, NOT_IN_PROGRAM } from './program.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'src')

/**
 * Makes the program in a folder, which is deleted before.
 * @param others modules that tests load, besides what the program does: paths in `src`
 * @returns the packages that the program imports
 */
export async function buildPackage(
  folder = join(ROOT, 'dist'),
  others: readonly string[] = [],
): Promise<{ imported: string[] }> {
  await rm(folder, { recursive: true, force: true })
  // Before the console, whose end is that of the bundler's process.
  const { bundled, imported } = await bundleProgram(folder, others)
  await Promise.all([
    copyTexts(folder),
    writeTexts(join(folder, 'console/app'), (await buildConsole()).files),
    writeTexts(
      join(folder, 'sites/assets/scripts'),
      [...buildScripts()].map(([name, text]) => ({ name, text })),
    ),
    copyFiles(join(folder, 'packages')),
  ])
  for (const { name, path } of bundled) await copyNotices(join(ROOT, path), join(folder, 'packages', name))
  return { imported }
}

/** Copies what the program reads beside its modules. */
async function copyTexts(folder: string): Promise<void> {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile() && !one.name.endsWith('.ts'))) {
    const from = join(entry.parentPath, entry.name)
    const name = relative(SOURCES, from).split(sep).join('/')
    if (NOT_IN_PROGRAM.test(name)) continue
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await copyFile(from, join(folder, name))
  }
}

async function writeTexts(folder: string, files: readonly { name: string; text: string }[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, text } of files) await writeFile(join(folder, name), text)
}

/** Copies what says whose a package is and how it may be used. */
async function copyNotices(from: string, to: string): Promise<void> {
  const files = await readdir(from)
  await mkdir(to, { recursive: true })
  for (const name of files.filter((one) => /^(package\.json|licen[sc]e|copying|ofl|notice)/i.test(one)))
    await copyFile(join(from, name), join(to, name))
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
  for (const name of new Set(used.map(([one]) => one)))
    await copyNotices(packagedFile([name, '']), join(folder, name))
  for (const [name, path] of used) {
    const to = join(folder, name, path)
    await mkdir(dirname(to), { recursive: true })
    await copyFile(packagedFile([name, path]), to)
  }
  await writeFile(join(folder, ...ICON_DRAWINGS), JSON.stringify(iconDrawings()))
}

if (import.meta.main) await buildPackage()
