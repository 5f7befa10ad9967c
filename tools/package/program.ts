/**
 * Makes the program of a package: few files instead of 1,700 of Lectern and 1,200 of its packages, because finding, reading
 * and linking modules was nine tenths of a start. What is loaded by its address is an entry of the bundle, so it shares its modules
 * with the rest: the command line, and what threads and processes run.
 */
import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { routeFiles } from '../../src/server/route-modules.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'src')

/** The sources of what browsers run, what builds the console, and tests. */
export const NOT_IN_PROGRAM =
  /^console\/(app\/|build\/(?!files\.ts$))|^(sites|console)\/assets\/scripts\/|\.test\.ts$|\.d\.ts$/

/** A module that is loaded by its address, by a thread or a process. */
const ADDRESS = /new URL\('(\.{1,2}\/[^'\n]*)\.ts', import\.meta\.url\)/g

/**
 * Packages that stay packages: native ones, those that read files beside their modules, those that the program loads by a name when
 * it needs them (src/core/runtime/libraries.ts), and those that only a clone uses.
 */
const STAY = [
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@myriaddreamin/*',
  '@resvg/*',
  '@shikijs/*',
  'esbuild',
  'pg-native',
  'satteri',
  'shiki',
]

/** Modules of CommonJS in the bundle require modules of Node. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module'
const require = createBundleRequire(import.meta.url)`

/** A package in the bundle. */
export interface BundledPackage {
  name: string
  /** Its folder, relative to that of the repository. */
  path: string
}

/**
 * Writes the program to a folder.
 * @param others modules to be entries as well: paths in `src`
 * @returns the packages in the bundle, and the names of those that it imports
 */
export async function bundleProgram(
  folder: string,
  others: readonly string[] = [],
): Promise<{ bundled: BundledPackage[]; imported: string[] }> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    outdir: folder,
    entryPoints: [
      { in: join(SOURCES, 'main.ts'), out: 'main' },
      ...[...(await loadedByAddress()), ...others].map((path) => ({
        in: join(SOURCES, path),
        out: entryName(path),
      })),
    ],
    // All files are in one folder, so what is relative to the file of a module is relative to that folder.
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // Every supported Node has what the sources use.
    target: 'esnext',
    external: STAY,
    banner: { js: REQUIRE },
    // Each package has its licence in `packages`.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [routes, addresses, withoutGetters],
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const outside = imports.filter(({ path, external }) => external && !isBuiltin(path))
  return {
    bundled: packagesAmong(Object.keys(metafile.inputs)),
    imported: [...new Set(outside.map(({ path }) => packageName(path)))].toSorted(),
  }
}

/** The name of the package of a module: `@shikijs/langs` for `@shikijs/langs/css`. */
export function packageName(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The modules that threads and processes load: paths in `src`. */
async function loadedByAddress(): Promise<string[]> {
  const names = await readdir(SOURCES, { recursive: true })
  const paths = names.map((name) => name.split(sep).join('/'))
  const found = new Set<string>()
  for (const path of paths.filter((one) => one.endsWith('.ts') && !NOT_IN_PROGRAM.test(one))) {
    const source = await readFile(join(SOURCES, path), 'utf8')
    for (const [, address = ''] of source.matchAll(ADDRESS)) found.add(target(path, address))
  }
  return [...found].toSorted()
}

/** The path in `src` of an address in a module. */
function target(module: string, address: string): string {
  return `${relative(SOURCES, resolve(SOURCES, dirname(module), address))
    .split(sep)
    .join('/')}.ts`
}

/** The name of the file of an entry: `threads-worker` for `threads/worker.ts`. */
export function entryName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '-')
}

/** The source of a module with addresses that are relative to the folder of the bundle. */
export function withAddresses(path: string, source: string): string {
  return source
    .replace(ADDRESS, (_, address: string) => `new URL('./${entryName(target(path, address))}.js', __url)`)
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(path.replace(/\.ts$/, '.js'))}, __url).href`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`)
    .replaceAll('__url', 'import.meta.url')
}

const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      const name = relative(SOURCES, path).split(sep).join('/')
      if (name.startsWith('..')) return undefined
      return { contents: withAddresses(name, await readFile(path, 'utf8')), loader: 'ts' }
    })
  },
}

/** The list of the modules of routes, in the place of what looks for them in the folders. */
const routes: Plugin = {
  name: 'routes',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]server[/\\]route-modules\.ts$/ }, ({ path }) => ({
      contents: routeList(),
      loader: 'js',
      resolveDir: dirname(path),
    }))
  },
}

/** The source of that list. */
function routeList(): string {
  const modules = (['api', 'scim'] as const).flatMap((folder) =>
    routeFiles(folder).map((file) => ({ folder, file })),
  )
  const imports = modules.map(
    ({ folder, file }, index) => `import * as m${index} from '../${folder}/${file}.ts'`,
  )
  const entries = modules.map(
    ({ folder, file }, index) => `{ folder: '${folder}', of: ['${file}', m${index}] }`,
  )
  return `${imports.join('\n')}
const modules = [${entries.join(', ')}]
export async function routeModules(folder) {
  return modules.filter((one) => one.folder === folder).map(({ of }) => of)
}`
}

/**
 * Requires `node:http`, where the sources import it. An import reads every export of a module of Node, and one of
 * this module is a getter that loads the whole client of `fetch`: a sixth of a start.
 */
const withoutGetters: Plugin = {
  name: 'without-getters',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
      resolveDir: ROOT,
    }))
  },
}

const IN_PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/

/** The packages that files are in. */
function packagesAmong(files: readonly string[]): BundledPackage[] {
  const found = new Map<string, string>()
  for (const file of files) {
    const [path, name] = IN_PACKAGE.exec(file) ?? []
    if (path !== undefined && name !== undefined) found.set(path, name)
  }
  return Array.from(found, ([path, name]) => ({ name, path }))
}
