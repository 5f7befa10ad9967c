import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

// The second of the recommended settings of RFC 9106, 4, with the smaller memory that the OWASP password storage
// guide gives for it: 19 MiB, two passes.
const SETTINGS = { memory: 19_456, passes: 2, parallelism: 1 }
const LENGTH = 32

/** The stored form of a password: an argon2id hash with its salt and its settings, so that the settings can change. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derived(password, salt, SETTINGS)
  const { memory, passes, parallelism } = SETTINGS
  const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`
}

const PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
let nobodys: Promise<string> | undefined

/** Whether a password matches the stored one. It takes as long if none is stored, so that timing reveals nothing. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobodys ??= hashPassword(randomBytes(16).toString('hex'))
  const [, memory, passes, parallelism, salt = '', hash = ''] = PATTERN.exec(stored ?? (await nobodys)) ?? []
  const expected = Buffer.from(hash, 'base64')
  const given = await derived(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(given, expected) && typeof stored === 'string'
}

/** The same text typed on another keyboard is the same password (NFKC, as RFC 8265 has it). */
async function derived(password: string, nonce: Buffer, settings: typeof SETTINGS): Promise<Buffer> {
  return derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: LENGTH, ...settings })
}
