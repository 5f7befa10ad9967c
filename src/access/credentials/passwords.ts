import { randomBytes, timingSafeEqual } from 'node:crypto'
import { tally } from '../../core/data/tally.ts'
import { unavailable } from '../../http/errors.ts'
import { networksOf, partyOf } from '../../http/limits/networks.ts'
import type { TaskKind } from '../../threads/pool.ts'
import { knownPasswordThreads, passwordThreads } from '../../threads/threads.ts'
import type { HashSettings, HashTask } from './password-hash.ts'
import { because } from '../../core/languages/reasons.ts'

// The second of the recommended settings of RFC 9106, 4, with the smaller memory that the OWASP password storage
// guide gives for it: 19 MiB, two passes.
const SETTINGS: HashSettings = { memory: 19_456, passes: 2, parallelism: 1 }
const LENGTH = 32

const HASH: TaskKind<HashTask, Uint8Array> = {
  module: new URL('./password-hash.ts', import.meta.url),
  name: 'argon2id',
  timeMs: 10_000,
}
/** How many passwords of one network or device are hashed or wait, and how many of all clients that nobody knows. */
const PARTY_MOST = 16
const STRANGERS_MOST = 96
const RETRY_S = 5

/** The client that sends a password. */
export interface PasswordSender {
  ip: string
  /** The name of a device from which the user signed in before. */
  device?: string | undefined
}

/** The stored form of a password: an argon2id hash with its salt and its settings, so that the settings can change. */
export async function hashPassword(password: string, sender: PasswordSender): Promise<string> {
  const salt = randomBytes(16)
  return toText(salt, await derived(password, salt, SETTINGS, sender))
}

function toText(salt: Buffer, hash: Uint8Array): string {
  const { memory, passes, parallelism } = SETTINGS
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`
}

const PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
const nobodys = toText(randomBytes(16), randomBytes(LENGTH))

/**
 * Whether a password matches the stored one. It takes as long if none is stored, so that timing reveals nothing.
 * @throws 503 if too many passwords wait
 */
export async function isPassword(
  stored: string | null | undefined,
  password: string,
  sender: PasswordSender,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PATTERN.exec(stored ?? nobodys) ?? []
  const expected = Buffer.from(hash, 'base64')
  const settings = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await derived(password, Buffer.from(salt, 'base64'), settings, sender)
  return timingSafeEqual(given, expected) && typeof stored === 'string'
}

/** The passwords in the threads and their queue, by the networks of strangers and by known devices. */
const ofStrangers = tally()
const ofDevices = tally()

let refused = 0

/** The passwords that are hashed or wait, of strangers and of known devices, and how many were refused since the start. */
export const passwordQueue = () => ({ strangers: ofStrangers.total(), devices: ofDevices.total(), refused })

const pendingOf = ({ device }: PasswordSender) => (device === undefined ? ofStrangers : ofDevices)

const senderName = ({ ip, device }: PasswordSender) => device ?? partyOf(networksOf(ip))

/**
 * Refuses a password that would have to wait behind too many others. A refusal before the attempt is counted takes
 * nothing from the attempts of the user.
 * @throws 503
 */
export function needRoomForPassword(sender: PasswordSender): void {
  const isFull = sender.device === undefined && ofStrangers.total() >= STRANGERS_MOST
  if (!isFull && pendingOf(sender).of(senderName(sender)) < PARTY_MOST) return
  refused++
  throw unavailable(because('too-many-passwords', { seconds: RETRY_S }), RETRY_S)
}

/**
 * Hashes a password in a thread. Networks take turns, so only a network that sends many passwords waits for them. Known
 * devices wait for no stranger. The same text typed on another keyboard is the same password (NFKC, as RFC 8265 has it).
 */
async function derived(
  password: string,
  nonce: Buffer,
  settings: HashSettings,
  sender: PasswordSender,
): Promise<Uint8Array> {
  needRoomForPassword(sender)
  const task: HashTask = { message: password.normalize('NFKC'), nonce, tagLength: LENGTH, ...settings }
  const user = senderName(sender)
  const threads = sender.device === undefined ? passwordThreads : knownPasswordThreads
  const leave = pendingOf(sender).enter(user)
  try {
    return await threads.run(HASH, task, { party: { user } })
  } finally {
    leave()
  }
}
