import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'esbuild'

const CATALOGUES = new URL('../app/words/catalogues/', import.meta.url)

/**
 * Leaves out the texts of React Aria in languages that the console has no catalogue for. The console sets the language of its
 * widgets to that of its catalogue, so React Aria never uses the others.
 */
export const widgetWords: Plugin = {
  name: 'words of widgets',
  setup(build) {
    const languages = new Set(readdirSync(CATALOGUES).map((name) => basename(name, '.json')))
    build.onLoad(
      { filter: /[\\/]react-aria[\\/].*[\\/]intl[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.m?js$/ },
      ({ path }) =>
        languages.has(basename(path).slice(0, 2)) ? undefined : { contents: 'export default {}' },
    )
  },
}
