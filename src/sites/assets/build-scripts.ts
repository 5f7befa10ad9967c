/** Builds the scripts of pages from their sources, for the browsers of readers. */
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { esbuild } from '../../core/runtime/libraries.ts'

const SCRIPTS = fileURLToPath(new URL('./scripts/', import.meta.url))
const CONSOLE_SCRIPTS = fileURLToPath(new URL('../../console/assets/scripts/', import.meta.url))

/** The first file of each module. */
const MODULES = {
  console: `${CONSOLE_SCRIPTS}main.ts`,
  site: `${SCRIPTS}site/main.ts`,
  search: `${SCRIPTS}search/main.ts`,
  diagrams: `${SCRIPTS}diagrams/main.ts`,
  'try-it': `${SCRIPTS}try-it/main.ts`,
}

/** The first file of each script that is no module: one runs before the page is drawn, the other beside Mermaid. */
const CLASSIC_SCRIPTS = {
  theme: `${SCRIPTS}theme.ts`,
  'diagram-frame': `${SCRIPTS}diagrams/frame.ts`,
}

/** A script whole in one file, so that a page makes one request for it. */
const BUNDLING = {
  outdir: '/',
  bundle: true,
  // No browser that a reader may have lacks the syntax of this version.
  target: 'es2021',
  charset: 'utf8',
  legalComments: 'none',
  write: false,
  logLevel: 'silent',
} satisfies BuildOptions

let outputOptions: Pick<BuildOptions, 'minify' | 'sourcemap'> = { minify: true }

/** Lets developers read the scripts in their browser. */
export function keepScriptsReadable(): void {
  outputOptions = { sourcemap: 'inline' }
}

/**
 * The text of each script by its name, such as `site.js`. It takes a twentieth of a second, in which this process waits.
 * @throws Error if the bundler cannot run, or a source has a fault
 */
export function buildScripts(): Map<string, string> {
  const { buildSync } = esbuild()
  const builds = [
    buildSync({ ...BUNDLING, ...outputOptions, entryPoints: MODULES, format: 'esm' }),
    buildSync({ ...BUNDLING, ...outputOptions, entryPoints: CLASSIC_SCRIPTS, format: 'iife' }),
  ]
  const files = builds.flatMap(({ outputFiles }) => outputFiles)
  return new Map(files.map(({ path, text }) => [path.replace(/^.*[\\/]/, ''), text]))
}
