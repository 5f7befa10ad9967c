import { randomBytes, timingSafeEqual } from 'node:crypto'
import { unavailable } from '../../http/errors.ts'
import { networksOf, partyOf } from '../../http/limits/networks.ts'
import type { Party } from '../../core/runtime/party.ts'
import type { TaskKind, ThreadPool } from '../../threads/pool.ts'
import { fairShare, type Share, ShareFull } from '../../threads/shares.ts'
import { knownPasswordThreads, PASSWORD_THREADS, passwordThreads } from '../../threads/threads.ts'
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
const RETRY_S = 5

/** The client that sends a password. */
export interface PasswordSender {
  ip: string
  /**
   * The user whom the client has already proven to know, by a link that was sent to them, by a device from which they
   * signed in before, or by a session or token; or the user and the network from which they signed in before.
   */
  known?: string | undefined
  /** How many passwords the network of the client has sent in the last minutes. */
  tried?: number
}

/** Hashes passwords in the threads of one lane. */
export interface PasswordTurn {
  /** The stored form of a password. */
  hash(password: string): Promise<string>
  /** Whether a password matches the stored one. It takes as long if none is stored, so that timing reveals nothing. */
  matches(stored: string | null | undefined, password: string): Promise<boolean>
}

/** A lane in which passwords wait for threads, and how many are in it. */
interface PasswordLane {
  threads: ThreadPool
  inTurn: Share
  pending: number
}

/** One more password than there are threads has its turn: while it waits for the database, no thread is without work. */
function passwordLane(threads: ThreadPool, count: number): PasswordLane {
  return { threads, inTurn: fairShare({ atOnce: count + 1, queue: 96, queueOfParty: 16 }), pending: 0 }
}

/** The passwords of strangers never fill the lane of clients that have proven something. */
const ofKnown = passwordLane(knownPasswordThreads, 1)
/**
 * The lanes of strangers: of networks that have sent none, fewer than five, and more passwords in the last minutes. They
 * share threads, but networks that send many never fill the queue of others.
 */
const ofStrangers = [1, 5, Infinity].map((below) => ({
  below,
  lane: passwordLane(passwordThreads, PASSWORD_THREADS),
}))
let refused = 0

/** The passwords that are hashed or wait, of strangers and of known users, and how many were refused since the start. */
export const passwordQueue = () => ({
  strangers: ofStrangers.reduce((sum, { lane }) => sum + lane.pending, 0),
  known: ofKnown.pending,
  refused,
})

/**
 * Does work with passwords in its turn. Networks of strangers take turns, the largest first and then the smallest in it;
 * known users take turns apart from them. If too many wait, the newest of the network or user with the most is refused:
 * count an attempt in the turn, so that a refusal takes nothing from the attempts of the user.
 * @param signal takes back work that waits
 * @throws 503 if too many passwords wait
 */
export async function inPasswordTurn<T>(
  sender: PasswordSender,
  work: (turn: PasswordTurn) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const lane = laneOfSender(sender)
  const party = partyOfSender(sender)
  const turn: PasswordTurn = {
    async hash(password) {
      const salt = randomBytes(16)
      return toText(salt, await derived(lane, party, password, salt, SETTINGS))
    },
    async matches(stored, password) {
      const [, memory, passes, parallelism, salt = '', hash = ''] = PATTERN.exec(stored ?? nobodys) ?? []
      const settings = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const given = await derived(lane, party, password, Buffer.from(salt, 'base64'), settings)
      return timingSafeEqual(given, Buffer.from(hash, 'base64')) && typeof stored === 'string'
    },
  }
  lane.pending++
  try {
    return await lane.inTurn(party, () => work(turn), signal)
  } catch (error) {
    if (!(error instanceof ShareFull)) throw error
    refused++
    throw unavailable(because('too-many-passwords', { seconds: RETRY_S }), RETRY_S)
  } finally {
    lane.pending--
  }
}

function laneOfSender({ known, tried = 0 }: PasswordSender): PasswordLane {
  if (known !== undefined) return ofKnown
  return ofStrangers.find(({ below }) => tried < below)!.lane
}

/** A provider may assign the largest network of an address to one customer, or the smallest one in it. */
function partyOfSender({ ip, known }: PasswordSender): Party {
  if (known !== undefined) return { user: known }
  const networks = networksOf(ip)
  return { user: partyOf(networks), organization: networks[0]?.name }
}

/** Hashes a password in its turn, as an argon2id hash with its salt and settings. @throws 503 if too many wait */
export function hashPassword(password: string, sender: PasswordSender): Promise<string> {
  return inPasswordTurn(sender, ({ hash }) => hash(password))
}

function toText(salt: Buffer, hash: Uint8Array): string {
  const { memory, passes, parallelism } = SETTINGS
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`
}

const PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
const nobodys = toText(randomBytes(16), randomBytes(LENGTH))

/** The same text typed on another keyboard is the same password (NFKC, as RFC 8265 has it). */
function derived(
  { threads }: PasswordLane,
  party: Party,
  password: string,
  nonce: Buffer,
  settings: HashSettings,
): Promise<Uint8Array> {
  const task: HashTask = { message: password.normalize('NFKC'), nonce, tagLength: LENGTH, ...settings }
  return threads.run(HASH, task, { party })
}
