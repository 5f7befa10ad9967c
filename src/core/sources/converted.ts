import type { Problem } from '../repository/model.ts'

/** A source as the repository of Markdown that it becomes. */
export interface ConvertedSource {
  files: Map<string, Uint8Array>
  problems: Problem[]
  /** The title of the whole source in its settings. */
  title?: string
  /** The path in the source of each file that has another one here, such as `a.de.md` for `a.md`. */
  sources?: ReadonlyMap<string, string>
}

/** The files of a source by path. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The folder that contains all files of an archive, with a slash behind it; empty without one. */
export function outerFolder(files: SourceFiles): string {
  const [whole = ''] = files.keys()
  const [inside = ''] = withoutSingleFolder(files).keys()
  return whole.slice(0, whole.length - inside.length)
}

/** Removes the folder that contains all files of an archive. */
export function withoutSingleFolder(files: SourceFiles): SourceFiles {
  let current = files
  for (;;) {
    const [first = ''] = current.keys()
    const prefix = first.slice(0, first.indexOf('/') + 1)
    if (prefix === '' || ![...current.keys()].every((path) => path.startsWith(prefix))) return current
    current = new Map([...current].map(([path, bytes]) => [path.slice(prefix.length), bytes]))
  }
}
