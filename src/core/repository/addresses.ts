import { hasFileExtension } from './content-type.ts'
import { decodeAddress, folderOf, isAbsoluteAddress, isMarkdown, joinPath } from './paths.ts'

/** The files of a repository by path, and the folder that addresses starting with `/` are read from. */
export interface Repository {
  files: ReadonlyMap<string, Uint8Array>
  root: string
}

/** Where an address leads: to a file that is there, to one that should be, or out of the repository. */
export type Destination = { found: string } | { missing: string } | undefined

/**
 * Finds the file that an address in the file `from` means. People write it percent-encoded or raw, with backslashes,
 * from the root with a leading `/`, and with a query or fragment behind; the first reading that is there counts.
 */
export function destinationOf(repository: Repository, from: string, address: string): Destination {
  const written = address.trim()
  if (written === '' || written.startsWith('#') || isAbsoluteAddress(written)) return undefined

  const bare = written.replace(/[?#].*$/s, '')
  for (const form of new Set([decodeAddress(bare), bare, decodeAddress(written), written])) {
    for (const path of pathsOf(repository.root, from, form)) {
      if (repository.files.has(path)) return { found: path }
    }
  }

  const missing = pathsOf(repository.root, from, decodeAddress(bare))[0]
  return missing === undefined || missing === '' ? undefined : { missing }
}

/** The file that a path in the file `from` means, also without its extension or by its folder; undefined if none. */
export function findFile(repository: Repository, from: string, path: string): string | undefined {
  for (const form of [path, `${path}.md`, `${path}/README.md`]) {
    const destination = destinationOf(repository, from, form)
    if (destination && 'found' in destination) return destination.found
  }

  return undefined
}

function pathsOf(root: string, from: string, address: string): string[] {
  const path = address.normalize('NFC').replaceAll('\\', '/')
  const folders = path.startsWith('/') ? [root, ''] : [folderOf(from)]

  return folders.map((folder) => joinPath(folder, path)).filter((joined) => joined !== undefined)
}

/** True for an address that a file of its own must stand behind: an image, a download, a sample. */
export function meansFile(path: string): boolean {
  return hasFileExtension(path) && !isMarkdown(path) && !/\.(?:html?|xhtml)$/i.test(path)
}
