/**
 * Files of packages that hold no code of the server: fonts, drawings, and the script of diagrams. These packages are large,
 * and a built Lectern has only the files that it uses, in `dist/packages` (tools/package/build.ts).
 */
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** A file of a package: the name of the package, and the path within it. */
export type PackagedFile = readonly [name: string, path: string]

/** Whether this is the JavaScript of an installed package, and not the TypeScript of a clone. */
export const IS_BUILT = import.meta.filename.endsWith('.js')

const COPIES = join(import.meta.dirname, '../../packages')

/** The path of a file of a package. @throws Error if the package is not installed */
export function packagedFile([name, path]: PackagedFile): string {
  if (IS_BUILT) return join(COPIES, name, path)
  const manifest = findPackageJSON(name, import.meta.url)
  if (manifest === undefined) throw new Error(`The package ${name} is not installed`)
  return join(dirname(manifest), path)
}
