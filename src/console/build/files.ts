/** The files of the built console. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

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

/** The console whose files are in a folder. @param isFile whether a name in the folder is that of a file of the console */
export async function readFiles(
  folder: string,
  isFile: (name: string) => boolean = () => true,
): Promise<Bundle> {
  const names = (await readdir(folder)).filter(isFile)
  return bundleOf(
    await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
    ),
  )
}
