/** Keeps repository paths unique: links are resolved by them, and an import finds by them what is there already. */

/** Where records stood before: those of the base, or of the content that they are written into. */
export interface Before<R> {
  get: (id: string) => R | undefined
  /** The id of the record with a path. */
  byPath: (path: string) => string | undefined
}

/**
 * Records whose path another one has too, with the next path that is free. Who had the path before keeps it, else the
 * record with the smallest id. The folder stays, so that relative links lead from there to the same.
 */
export function freePaths<
  K extends string,
  R extends { readonly id: string } & { readonly [P in K]?: string },
>(key: K, records: ReadonlyMap<string, R | null>, before: Before<R>): Map<string, R> {
  const claims = [...records.values()]
    .filter((record) => record !== null)
    .filter((record) => record[key] !== undefined && before.get(record.id)?.[key] !== record[key])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const claimed = new Set<string>(claims.map((record) => record[key]!))
  const given = new Set<string>()
  const taken = (path: string) => {
    const holder = before.byPath(path)
    const keeps = holder !== undefined && (!records.has(holder) || records.get(holder)?.[key] === path)
    return keeps || given.has(path)
  }

  const renamed = new Map<string, R>()
  for (const record of claims) {
    const wanted: string = record[key]!
    let path = wanted
    for (let n = 1; taken(path); n++) {
      const next = numbered(wanted, n)
      // What another wants is not given away.
      if (!claimed.has(next)) path = next
    }
    given.add(path)
    if (path !== wanted) renamed.set(record.id, { ...record, [key]: path })
  }
  return renamed
}

/** As a batch names its files: the number stands before the extension. */
function numbered(path: string, n: number): string {
  const [, stem = '', extension = ''] = /^(.*[^/])(\.[^./]*)$/.exec(path) ?? ['', path]
  return `${stem}-${n}${extension}`
}

/** Records by id, to be found by their path too; looked through when the first path is asked for. */
export function foundByPath<
  K extends string,
  R extends { readonly id: string } & { readonly [P in K]?: string },
>(key: K, records: ReadonlyMap<string, R>): Before<R> {
  let ids: Map<string, string> | undefined
  const index = () => {
    const found = new Map<string, string>()
    for (const { id, [key]: path } of records.values())
      if (path !== undefined && id < (found.get(path) ?? '\uffff')) found.set(path, id)
    return found
  }
  return { get: (id) => records.get(id), byPath: (path) => (ids ??= index()).get(path) }
}
