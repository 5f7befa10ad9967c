/** Builds the console with source maps and React's development build, each time only what has changed. */
import { context } from 'esbuild'
import { BUNDLING } from '../../src/console/build/bundle.ts'
import { bundleFile, bundleOf } from '../../src/console/build/files.ts'
import type { ToServer } from './messages.ts'

/** @returns builds the console as its sources are now */
export async function openBundler(): Promise<() => Promise<ToServer>> {
  const bundler = await context({
    ...BUNDLING,
    entryPoints: [{ in: 'tools/dev/page.ts', out: 'main' }],
    minify: false,
    sourcemap: 'inline',
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return async () => {
    try {
      return { kind: 'console', bundle: bundleOf((await bundler.rebuild()).outputFiles.map(bundleFile)) }
    } catch (error) {
      console.error((error as Error).message)
      return { kind: 'console-fault', reason: (error as Error).message }
    }
  }
}
