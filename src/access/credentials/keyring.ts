import type { Reader } from '../../db/schema.ts'

/**
 * The secrets of an installation. A rotation replaces the secret while servers run, and during it there are two: one
 * seals and signs, and what either sealed or signed is accepted.
 */
export interface Keyring {
  /** The secret that seals and signs, and after it the other that is still accepted. */
  secrets(): readonly [string, ...string[]]
  /** Something was sealed with an unknown secret, so another process may have begun a rotation. */
  missed?(): void
  /** The secrets according to a transaction, which may know more of a rotation than this process does. */
  secretsIn?(db: Reader): Promise<readonly [string, ...string[]]>
}

/** A keyring with one secret. */
export function keyringOf(secret: string): Keyring {
  const secrets = [secret] as const
  return { secrets: () => secrets }
}
