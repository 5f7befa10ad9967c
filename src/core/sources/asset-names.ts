import { freeName } from '../text/slug.ts'

/** The folder of the files that pages show. */
const FOLDER = '.gitbook/assets/'

/**
 * Names the files that pages show: each gets its own name, or the first free one with a number. It takes linear time, also
 * for thousands of files of one name.
 * @param known paths that are taken already
 * @returns makes a path of a name without its extension, the extension with its dot, and the most characters of the path
 */
export function assetNames(
  known: Iterable<string> = [],
): (stem: string, extension: string, longest?: number) => string {
  const taken = new Set(known)
  const numbers = new Map<string, Map<string, number>>()
  return (stem, extension, longest = Infinity) => {
    const ofExtension = numbers.get(extension) ?? new Map<string, number>()
    numbers.set(extension, ofExtension)
    const path = freeName(FOLDER + stem, (one) => taken.has(one), {
      after: extension,
      longest,
      numbers: ofExtension,
    })
    taken.add(path)
    return path
  }
}

/** A file name without its extension, and the extension with its dot; a name that begins with its only dot has none. */
export function splitName(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
  return [name.slice(0, dot), name.slice(dot)]
}
