import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Keyring, keyringOf } from '../access/credentials/keyring.ts'
import { sealedBy } from '../access/credentials/sealing.ts'
import { hashSecret } from '../access/credentials/tokens.ts'
import { type Config, ConfigError } from './config.ts'
import { randomText } from '../core/data/id.ts'
import type { Database, Reader, Tx } from '../db/schema.ts'
import { writePrivately } from './setup.ts'

/** How often a server looks whether a rotation has begun or ended. */
const LOOK_EVERY_MS = 1000
const SECRET_LENGTH = 48

/** Facts about the installation, by their names in the table `instance`. */
const FINGERPRINT = 'secret'
const ROTATION = 'secret-rotation'

/** One secret of a rotation: its fingerprint, and the secret itself, sealed with the other one. */
interface RotatedSecret {
  fingerprint: string
  sealed: string
}

/** A rotation as the database stores it. Whoever has one of its secrets can read the other. */
interface Rotation {
  /** While it is `announced`, servers accept the new secret. Once it is `begun`, they also seal and sign with it. */
  phase: 'announced' | 'begun'
  startedAt: string
  from: RotatedSecret
  to: RotatedSecret
}

/** Both secrets of a rotation. */
export interface OpenRotation extends Pick<Rotation, 'phase' | 'startedAt'> {
  from: string
  to: string
}

/** The keyring of a process that follows rotations by other processes. */
export interface LiveKeyring extends Keyring {
  /** The rotation that is under way. */
  rotation(): OpenRotation | undefined
  /** Reads the state of the rotation from the database again. @throws ConfigError if the secret is not that of the database */
  reload(): Promise<void>
  /** Looks for changes until `stop`. @param report receives errors; the keyring then stays as it is */
  follow(report: (error: unknown) => void): { stop(): void }
}

/** The secret of this machine: LECTERN_SECRET, or that in the data folder; undefined if there is none. */
function ownSecret({ secret, data }: Pick<Config, 'secret' | 'data'>): string | undefined {
  const file = join(data, 'secret')
  return secret ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
}

/** Where the secret of this machine is, and whether it is that of the database. */
export interface SecretState {
  /** `LECTERN_SECRET`, or the path of the file; undefined if this machine has no secret. */
  place: string | undefined
  /** Whether other users of the machine can read the file. */
  isOpen: boolean
  /** Whether it is a secret of the database. A new database has any. */
  matches: boolean
  /** Since when the secret is being rotated. */
  rotatesSince: string | undefined
}

/** Compares the secret of this machine with that of the database, and changes nothing. */
export async function secretState(
  db: Reader | undefined,
  config: Pick<Config, 'secret' | 'data'>,
): Promise<SecretState> {
  const own = ownSecret(config)
  const file = join(config.data, 'secret')
  const isFile = config.secret === undefined && existsSync(file)
  const { fingerprint, rotation } = db ? await readFacts(db) : { fingerprint: '', rotation: undefined }
  const known = [fingerprint, rotation?.from.fingerprint, rotation?.to.fingerprint]
  return {
    place: isFile ? file : own && 'LECTERN_SECRET',
    isOpen: isFile && (statSync(file).mode & 0o077) !== 0,
    matches: fingerprint === '' || (own !== undefined && known.includes(fingerprintOf(own))),
    rotatesSince: rotation?.startedAt,
  }
}

/** A random secret. */
export const newSecret = () => randomText(SECRET_LENGTH)

/** Replaces the secret in the data folder. At every moment, the file has the earlier secret or the new one. */
export function replaceSecret(data: string, secret: string): void {
  const file = join(data, 'secret')
  // Two commands at once have files of their own.
  const written = `${file}.new-${randomText(8)}`
  try {
    writePrivately(written, secret)
    sync(written)
    renameSync(written, file)
  } finally {
    rmSync(written, { force: true })
  }
  sync(data)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The database stores a fingerprint of the secret, because another one would invalidate all that is signed or sealed. */
const fingerprintOf = (secret: string) => hashSecret(`fingerprint:${secret}`)

/**
 * The keyring for the secret of this machine: LECTERN_SECRET, or the one in the data folder. A new database gets it as its
 * secret; if there is none, a random one with mode 0600.
 * @throws ConfigError if it is neither the secret of the database nor one of its rotation
 */
export async function openKeyring(
  db: Database,
  config: Pick<Config, 'secret' | 'data'>,
): Promise<LiveKeyring> {
  const known = ownSecret(config)
  const isNew = (await readFacts(db.read)).fingerprint === ''
  if (known === undefined && !isNew) throw foreignSecret()
  const own = known ?? newSecret()
  if (known === undefined) writePrivately(join(config.data, 'secret'), own)
  if (isNew)
    await db.write((tx) =>
      tx
        .insertInto('instance')
        .values({ name: FINGERPRINT, value: fingerprintOf(own) })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  let state = { secrets: [own] as readonly [string, ...string[]], rotation: undefined } as State
  let reloading: Promise<void> | undefined
  let report: (error: unknown) => void = () => {}

  const stateIn = async (reader: Reader) => resolve([...state.secrets, own], await readFacts(reader))
  const reload = async () => {
    state = await stateIn(db.read)
  }
  /** Many callers that miss a key at once share one look. */
  const look = () => {
    reloading ??= reload()
      .catch((error: unknown) => report(error))
      .finally(() => (reloading = undefined))
  }
  await reload()

  return {
    secrets: () => state.secrets,
    rotation: () => state.rotation,
    missed: look,
    secretsIn: async (reader) => (await stateIn(reader)).secrets,
    reload,
    follow(receive) {
      report = once(receive)
      const timer = setInterval(look, LOOK_EVERY_MS).unref()
      return { stop: () => clearInterval(timer) }
    },
  }
}

/** Passes on an error whose message differs from the last one's. */
function once(receive: (error: unknown) => void): (error: unknown) => void {
  let last: string | undefined
  return (error) => {
    const message = String(error)
    if (message !== last) receive(error)
    last = message
  }
}

interface State {
  secrets: readonly [string, ...string[]]
  rotation: OpenRotation | undefined
}

interface Facts {
  fingerprint: string
  rotation: Rotation | undefined
}

async function readFacts(db: Reader): Promise<Facts> {
  const rows = await db
    .selectFrom('instance')
    .selectAll()
    .where('name', 'in', [FINGERPRINT, ROTATION])
    .execute()
  const facts = new Map(rows.map(({ name, value }) => [name, value]))
  const rotation = facts.get(ROTATION)
  return {
    fingerprint: facts.get(FINGERPRINT) ?? '',
    rotation: rotation === undefined ? undefined : (JSON.parse(rotation) as Rotation),
  }
}

/** Returns the state that follows from the secrets that this process knows and from the facts in the database. */
function resolve(known: string[], { fingerprint, rotation }: Facts): State {
  const find = (wanted: string) => known.find((secret) => fingerprintOf(secret) === wanted)
  if (!rotation) {
    const secret = find(fingerprint)
    if (secret === undefined) throw foreignSecret()
    return { secrets: [secret], rotation: undefined }
  }

  const { from, to, phase, startedAt } = rotation
  const [earlier, later] = [find(from.fingerprint), find(to.fingerprint)]
  const fromSecret = earlier ?? (later && opened(later, from.sealed))
  const toSecret = later ?? (earlier && opened(earlier, to.sealed))
  if (fromSecret === undefined || toSecret === undefined) throw foreignSecret()
  return {
    secrets: phase === 'begun' ? [toSecret, fromSecret] : [fromSecret, toSecret],
    rotation: { phase, startedAt, from: fromSecret, to: toSecret },
  }
}

const foreignSecret = () =>
  new ConfigError([
    'LECTERN_SECRET differs from the secret of this database. Set LECTERN_SECRET to the secret that was set before, or to the new one if "lectern rotate-secret" has replaced it, or copy the file "secret" from the earlier data folder',
  ])

const opened = (secret: string, sealed: string) => sealedBy(keyringOf(secret)).open(sealed, ROTATION)
const sealedWith = (secret: string, text: string) => sealedBy(keyringOf(secret)).seal(text, ROTATION)

/** Announces a new secret to all servers. Does nothing if another process has just announced one. */
export async function announceRotation(tx: Tx, from: string, to: string, now: Date): Promise<void> {
  const rotation: Rotation = {
    phase: 'announced',
    startedAt: now.toISOString(),
    from: { fingerprint: fingerprintOf(from), sealed: sealedWith(to, from) },
    to: { fingerprint: fingerprintOf(to), sealed: sealedWith(from, to) },
  }
  await tx
    .insertInto('instance')
    .values({ name: ROTATION, value: JSON.stringify(rotation) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes the new secret the one that seals and signs. @returns whether it was not yet */
export async function beginRotation(tx: Tx): Promise<boolean> {
  const { rotation } = await readFacts(tx)
  if (rotation?.phase !== 'announced') return false
  const begun: Rotation = { ...rotation, phase: 'begun' }
  await setFact(tx, ROTATION, JSON.stringify(begun))
  await setFact(tx, FINGERPRINT, rotation.to.fingerprint)
  return true
}

/** Forgets the earlier secret. @returns whether it was known */
export async function endRotation(tx: Tx): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('instance').where('name', '=', ROTATION).executeTakeFirst()
  return numDeletedRows > 0n
}

async function setFact(tx: Tx, name: string, value: string): Promise<void> {
  await tx.updateTable('instance').set({ value }).where('name', '=', name).execute()
}
