import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

const PACKAGE = 'react-aria-components'
const IMPORT = /import \{([^}]*)\} from 'react-aria-components'/g
/** An import of the main module of the package: the names of a part, each with the name that this module has for it. */
const PART = /import\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g
const MARKED = new RegExp(`^${PACKAGE}#(\\w+)$`)

/**
 * Imports each widget of React Aria from the module that defines it. The main module of the package imports all of them, so
 * esbuild would put every widget that any screen uses into the first script that the browser loads.
 */
export const widgetImports: Plugin = {
  name: 'imports of widgets',
  setup(build) {
    let parts: Promise<{ folder: string; paths: ReadonlyMap<string, string> }> | undefined
    const readParts = async (resolveDir: string) => {
      const { path } = await build.resolve(PACKAGE, { kind: 'import-statement', resolveDir })
      return { folder: dirname(path), paths: partsIn(await readFile(path, 'utf8')) }
    }
    build.onLoad({ filter: /[\\/]console[\\/]app[\\/].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace(IMPORT, (_all, names: string) => {
        const own = names.split(',').map((name) => name.trim())
        const values = own.filter((name) => name !== '' && !name.startsWith('type '))
        return values
          .map((name) => `import { ${name} } from '${PACKAGE}#${name.replace(/ as .*/, '')}';`)
          .join(' ')
      })
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
    build.onResolve({ filter: MARKED }, async ({ path, resolveDir, kind }) => {
      parts ??= readParts(resolveDir)
      const { folder, paths } = await parts
      const name = MARKED.exec(path)?.[1] ?? ''
      // A name that no part has is that of the main module itself.
      const part = paths.get(name) ?? PACKAGE
      return build.resolve(part, { kind, resolveDir: part === PACKAGE ? resolveDir : folder })
    })
  },
}

/** The modules of the names that the main module of the package has from others. */
function partsIn(main: string): ReadonlyMap<string, string> {
  const all = [...main.matchAll(PART)].flatMap(([, names = '', path = '']) =>
    names.split(',').map((name) => [name.trim().replace(/ as .*/, ''), path] as const),
  )
  return new Map(all)
}
