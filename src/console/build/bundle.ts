/** Builds the console from its sources, when the server has started. */
import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { compiledCatalogues } from './catalogue-plugin.ts'
import { type Bundle, type BundleFile, bundleFile, bundleOf, readFiles } from './files.ts'
import { widgetImports } from './widget-imports-plugin.ts'
import { widgetWords } from './widget-words-plugin.ts'

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))
const APP = 'src/console/app/'
const ENTRY = `${APP}program/main.tsx`
/** The files besides the sources that the result depends on: the packages, and the settings of the compiler. */
const SETTINGS = ['package.json', 'tsconfig.json', `${APP}tsconfig.json`]
/** The name of the package of a file. */
const IN_PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//
/** Changes when the way of building does. */
const FORMAT = 5
/** Beside the files of a built console: the sources that it was built from. */
const SOURCES = 'sources.json'

/**
 * The built console: that in the folder, if its sources are the same, or else a new one, which takes half a second of
 * another process. It is stored in the folder if that can be written.
 * @param entry the script to build; by default, that of the console
 */
export async function bundleConsole(folder: string | undefined, entry = ENTRY): Promise<Bundle> {
  const known = folder === undefined ? undefined : await readKept(folder)
  if (known) return known
  const { files, sources } = await buildConsole(entry)
  if (folder !== undefined) await keep(folder, files, sources).catch(() => undefined)
  return bundleOf(files)
}

/** A hash of everything that a console is built from. */
async function bundleVersion(sources: readonly string[]): Promise<string> {
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
  plugins: [compiledCatalogues, widgetImports, widgetWords],
} satisfies BuildOptions

/** A console that was built, the names of the sources that it is built from, and those of the packages in it. */
interface BuiltConsole {
  files: BundleFile[]
  sources: string[]
  packages: string[]
}

/** Builds the console. */
export async function buildConsole(entry = ENTRY): Promise<BuiltConsole> {
  const esbuild = await import('esbuild')
  building += 1
  try {
    const { outputFiles, metafile } = await esbuild.build({ ...BUNDLING, entryPoints: [entry] })
    // The files of packages change only with their versions.
    const names = Object.keys(metafile.inputs)
    const sources = names.filter((name) => !name.includes('node_modules/'))
    const packages = names.flatMap((name) => IN_PACKAGE.exec(name)?.[1] ?? [])
    return {
      files: outputFiles.map(bundleFile),
      sources: sources.toSorted(),
      packages: [...new Set(packages)].toSorted(),
    }
  } finally {
    building -= 1
    if (building === 0) await esbuild.stop()
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
  if ((await bundleVersion(sources)) !== version) return undefined
  return readFiles(kept, (name) => name !== SOURCES)
}

/** Stores the files, and deletes those of earlier versions. Another process may do the same. */
async function keep(folder: string, files: readonly BundleFile[], sources: readonly string[]): Promise<void> {
  const kept = join(folder, await bundleVersion(sources))
  const fresh = `${kept}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  const all = [...files, { name: SOURCES, text: JSON.stringify(sources) }]
  await Promise.all(all.map(({ name, text }) => writeFile(join(fresh, name), text)))
  const before = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== fresh)
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true, force: true }))
  for (const path of before) if (path !== kept) await rm(path, { recursive: true, force: true })
}
