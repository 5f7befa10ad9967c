/** Builds the console from its sources, when the server has started. */
import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { compiledCatalogues } from './catalogue-plugin.ts'

/** A file of the built console. */
export interface BundleFile {
  /** Its name contains a hash of its content. */
  name: string
  text: string
}

/** The built console. */
export interface Bundle {
  files: ReadonlyMap<string, BundleFile>
  /** The script and the style sheet of the page. */
  script: string
  styles: string
}

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))
const APP = 'src/console/app/'
/** The files besides the sources that the result depends on: the packages, and the settings of the compiler. */
const SETTINGS = ['package.json', 'tsconfig.json', `${APP}tsconfig.json`]
/** Changes when the way of building does. */
const FORMAT = 3
/** Beside the files of a built console: the sources that it was built from. */
const SOURCES = 'sources.json'

/**
 * The built console: that in the folder, if its sources are the same, or else a new one, which takes half a second of
 * another process. It is stored in the folder if that can be written.
 * @param entry the script to build; by default, that of the console
 */
export async function bundleConsole(
  folder: string | undefined,
  entry = `${APP}program/main.tsx`,
): Promise<Bundle> {
  const known = folder === undefined ? undefined : await readKept(folder)
  if (known) return known
  const { files, sources } = await build(entry)
  if (folder !== undefined) await keep(folder, files, sources).catch(() => undefined)
  return bundleOf(files)
}

/** A hash of everything that a console is built from. */
async function versionOf(sources: readonly string[]): Promise<string> {
  const names = [...SETTINGS, ...sources]
  const texts = await Promise.all(names.map((name) => readFile(join(PACKAGE, name), 'utf8')))
  return hash('sha256', JSON.stringify([FORMAT, names, texts])).slice(0, 32)
}

/** How many builds use the process of the bundler, which ends with the last of them. */
let building = 0

/** How the bundler makes the files of the console. */
export const BUNDLING = {
  absWorkingDir: PACKAGE,
  outdir: '/',
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  minify: true,
  write: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'silent',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [compiledCatalogues],
} satisfies BuildOptions

async function build(entry: string): Promise<{ files: BundleFile[]; sources: string[] }> {
  const esbuild = await import('esbuild')
  building += 1
  try {
    const { outputFiles, metafile } = await esbuild.build({ ...BUNDLING, entryPoints: [entry] })
    // The files of packages change only with their versions.
    const sources = Object.keys(metafile.inputs).filter((name) => !name.includes('node_modules/'))
    return { files: outputFiles.map(bundleFile), sources: sources.toSorted() }
  } finally {
    building -= 1
    if (building === 0) await esbuild.stop()
  }
}

/** A file that the bundler made. */
export function bundleFile({ path, text }: { path: string; text: string }): BundleFile {
  return { name: path.replace(/^.*[\\/]/, ''), text }
}

/** The console of these files. @throws Error if its script or style sheet is not among them */
export function bundleOf(files: readonly BundleFile[]): Bundle {
  const named = (pattern: RegExp) => {
    const file = files.find(({ name }) => pattern.test(name))
    if (!file) throw new Error(`The console has no file ${String(pattern)}`)
    return file.name
  }
  return {
    files: new Map(files.map((file) => [file.name, file])),
    script: named(/^main-.*\.js$/),
    styles: named(/^main-.*\.css$/),
  }
}

/** The console in the folder, if it was built from the sources as they are now. */
async function readKept(folder: string): Promise<Bundle | undefined> {
  for (const version of await readdir(folder).catch(() => [])) {
    const bundle = await readBundle(join(folder, version), version).catch(() => undefined)
    if (bundle) return bundle
  }
  return undefined
}

async function readBundle(kept: string, version: string): Promise<Bundle | undefined> {
  const sources = JSON.parse(await readFile(join(kept, SOURCES), 'utf8')) as string[]
  if ((await versionOf(sources)) !== version) return undefined
  const names = (await readdir(kept)).filter((name) => name !== SOURCES)
  return bundleOf(
    await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(kept, name), 'utf8') }))),
  )
}

/** Stores the files, and deletes those of earlier versions. Another process may do the same. */
async function keep(folder: string, files: readonly BundleFile[], sources: readonly string[]): Promise<void> {
  const kept = join(folder, await versionOf(sources))
  const fresh = `${kept}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  const all = [...files, { name: SOURCES, text: JSON.stringify(sources) }]
  await Promise.all(all.map(({ name, text }) => writeFile(join(fresh, name), text)))
  const before = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== fresh)
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true, force: true }))
  for (const path of before) if (path !== kept) await rm(path, { recursive: true, force: true })
}
