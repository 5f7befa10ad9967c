/** Free repository paths for the edits of a test. */
import { freePath } from '../../src/core/content/repository-paths.ts'
import type { Content } from './histories.ts'

/** A path that no page and no file has. */
export function freePathIn({ pages, files }: Content, path: string): string {
  const taken = new Set([
    ...[...pages.values()].map((page) => page.file),
    ...[...files.values()].map((one) => one.path),
  ])
  return freePath(path, (one) => taken.has(one))
}

/** A path that no reusable content has. */
export function freeReusablePath({ reusables }: Content, path: string): string {
  const taken = new Set([...reusables.values()].map((one) => one.path))
  return freePath(path, (one) => taken.has(one))
}
