import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** Lets esbuild compile the catalogues of the console. */
export const compiledCatalogues: Plugin = {
  name: 'catalogues',
  setup(build) {
    build.onLoad({ filter: /[\\/]words[\\/]catalogues[\\/][\w-]+\.json$/ }, async ({ path }) => {
      // The parser is loaded only if there is something to build.
      const { compileMessages } = await import('./compile-messages.ts')
      const messages = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
      return { contents: JSON.stringify(compileMessages(messages).texts), loader: 'json' }
    })
  },
}
