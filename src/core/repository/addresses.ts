import { hasFileExtension } from '../web/content-type.ts'
import { decodeAddress, folderOf, isAbsoluteAddress, isMarkdown, joinPath } from '../text/file-paths.ts'

/** The files of a repository by path, and the folder that addresses with a leading `/` are relative to. */
export interface Repository {
  files: ReadonlyMap<string, Uint8Array>
  root: string
}

/** The target of an address: an existing file, a missing file, or undefined for a target outside the repository. */
export type Destination = { found: string } | { missing: string } | undefined

/**
 * Finds the file that an address in the file `from` refers to. Authors write addresses percent-encoded or raw, with
 * backslashes, with a leading `/` for the root, and with a query or fragment. The first interpretation that matches
 * an existing file wins.
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

/** Finds the file for a path in the file `from`, also by its folder or without the extension. */
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

/** Returns true for an address of an image, a download or a sample, as opposed to a page. */
export function meansFile(path: string): boolean {
  return hasFileExtension(path) && !isMarkdown(path) && !/\.(?:html?|xhtml)$/i.test(path)
}
