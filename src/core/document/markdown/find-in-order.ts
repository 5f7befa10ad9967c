/** Searches in a source for what a pattern matches at or after an offset. */
export type Finder = (from: number) => RegExpExecArray | null

/** Finds the first match at or after an offset. The offsets must not decrease by more than a tag. */
export function finder(source: string, pattern: RegExp): Finder {
  let found: RegExpExecArray | null | undefined
  let asked = 0
  return (from) => {
    if (found !== undefined && from >= asked && (found === null || found.index >= from)) return found
    asked = from
    pattern.lastIndex = from
    found = pattern.exec(source)
    return found
  }
}
