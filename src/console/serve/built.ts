/** The console of this program: built before in an installed package, and from its sources in a clone. */
import { join } from 'node:path'
import { IS_BUILT } from '../../core/runtime/packaged-files.ts'
import { type Bundle, readFiles } from '../build/files.ts'

/** The folder of the console in an installed package. */
const BUILT = join(import.meta.dirname, '../app')

/** @param folder where a clone keeps the console that it builds, if the folder can be written */
export async function openConsole(folder: string): Promise<Bundle> {
  if (IS_BUILT) return readFiles(BUILT)
  const { bundleConsole } = await import('../build/bundle.ts')
  return bundleConsole(folder)
}
