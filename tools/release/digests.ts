/** The digests of the migrations, which are frozen from the release on that contains them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SHA-256 of the migrations by their file names. Those of a release never change. */
export interface MigrationDigests {
  released: Record<string, string>
  unreleased: Record<string, string>
}

/** The file with the digests in a checkout. */
export const digestsFile = (root: string) => join(root, 'test/releases/migrations.json')

/** The digests of the migrations in a checkout. */
export function digestsOf(root: string): Record<string, string> {
  const folder = join(root, 'src/db/migrations')
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

/**
 * The recorded digests with those of new migrations.
 * @param release whether all of them are released now
 * @throws Error if a released migration was changed or deleted
 */
export function recordedDigests(
  recorded: MigrationDigests,
  digests: Record<string, string>,
  release = false,
): MigrationDigests {
  for (const [name, digest] of Object.entries(recorded.released))
    if (digests[name] !== digest)
      throw new Error(
        `The migration ${name} is part of a release, and was ${name in digests ? 'changed' : 'deleted'}. Databases have run it: undo the change, and write a new migration`,
      )
  const fresh = Object.entries(digests).filter(([name]) => !(name in recorded.released))
  return release
    ? { released: { ...recorded.released, ...Object.fromEntries(fresh) }, unreleased: {} }
    : { released: recorded.released, unreleased: Object.fromEntries(fresh) }
}

/** Freezes the migrations of a checkout, or records those that were added. @throws Error as `recordedDigests` */
export function recordDigests(root: string, release = false): void {
  const recorded = JSON.parse(readFileSync(digestsFile(root), 'utf8')) as MigrationDigests
  writeJson(digestsFile(root), recordedDigests(recorded, digestsOf(root), release))
}

/** The text of a file of JSON as the formatter writes it. */
export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
