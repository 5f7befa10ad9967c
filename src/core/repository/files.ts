import { because } from '../languages/reasons.ts'
import { destinationOf, meansFile } from './addresses.ts'
import type { Repository } from './addresses.ts'
import { contentTypeOf } from '../web/content-type.ts'
import type { PageReading, PlannedFile, PlannedReusable, Problem } from './model.ts'
import type { PlannedTree } from './pages.ts'
import { isBelow, isMarkdown, joinPath, lastSegment } from '../text/file-paths.ts'

/**
 * Plans the files: all files in `.gitbook/assets`, and the files elsewhere that pages, includes and the table of
 * contents refer to. `missing` counts the referenced files that do not exist. Each reference to one is a problem of
 * its page.
 */
export function planFiles<R extends PageReading>(
  repository: Repository,
  tree: PlannedTree<R>,
  reusables: PlannedReusable<R>[],
  problems: Problem[],
): { files: PlannedFile[]; missing: number } {
  const assets = joinPath(repository.root, '.gitbook/assets') ?? ''
  const paths = new Set([...repository.files.keys()].filter((path) => isBelow(path, assets)))
  for (const path of tree.files) paths.add(path)

  const readings = [
    ...[...tree.documents].map(([from, { reading }]) => ({ from, reading })),
    ...reusables.map(({ path, reading }) => ({ from: path, reading })),
  ]
  const missing = new Set<string>()
  for (const { from, reading } of readings) {
    for (const address of new Set(reading.references)) {
      const destination = destinationOf(repository, from, address)
      if (!destination) continue
      if ('found' in destination) {
        if (!isMarkdown(destination.found)) paths.add(destination.found)
      } else if (meansFile(destination.missing)) {
        missing.add(destination.missing)
        const line = reading.lines?.get(address)
        problems.push({
          kind: 'missing-file',
          path: from,
          ...(line === undefined ? {} : { line }),
          address,
          ...because('reference-not-in-repository', { path: destination.missing }),
        })
      }
    }
  }

  // A path is either a page or a file, and `.gitbook/assets` may contain pages.
  for (const path of tree.documents.keys()) paths.delete(path)
  const files = [...paths].map((path) => plannedFile(path, repository.files.get(path) ?? new Uint8Array()))
  return { files, missing: missing.size }
}

function plannedFile(path: string, bytes: Uint8Array): PlannedFile {
  return { path, name: lastSegment(path), contentType: contentTypeOf(path), bytes }
}
