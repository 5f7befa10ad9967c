import { append } from '../data/lists.ts'
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
    append(problems, outsidePictures(from, reading))
  }

  // A path is either a page or a file, and `.gitbook/assets` may contain pages.
  for (const path of tree.documents.keys()) paths.delete(path)
  const files = [...paths].map((path) => plannedFile(path, repository.files.get(path) ?? new Uint8Array()))
  append(problems, files.filter(isLfsPointer).map(lfsProblem))
  return { files, missing: missing.size }
}

/** The pictures of other servers that a page shows, in one problem with the place of the first. */
function outsidePictures(path: string, { outside = [], lines }: PageReading): Problem[] {
  const [address] = outside
  if (address === undefined) return []
  const line = lines?.get(address)
  const place = { path, ...(line === undefined ? {} : { line }), address }
  return [{ kind: 'outside-picture', ...place, ...because('pictures-outside', { count: outside.length }) }]
}

/** The longest pointer of Git LFS, in bytes, and its first line. See the specification of Git LFS. */
const LFS_POINTER = { bytes: 1024, begins: 'version https://git-lfs.github.com/spec/v1\n' }

/** True for a file that Git LFS has replaced by a pointer to its content. */
function isLfsPointer({ bytes }: PlannedFile): boolean {
  const { begins } = LFS_POINTER
  return (
    bytes.length <= LFS_POINTER.bytes &&
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', 0, begins.length) === begins
  )
}

const lfsProblem = ({ path }: PlannedFile): Problem => ({
  kind: 'missing-file',
  path,
  ...because('file-is-lfs-pointer'),
})

function plannedFile(path: string, bytes: Uint8Array): PlannedFile {
  return { path, name: lastSegment(path), contentType: contentTypeOf(path), bytes }
}
