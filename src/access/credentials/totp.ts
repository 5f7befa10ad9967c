import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { shorten } from '../../core/text/shorten.ts'

/** The parameters that all code generators support (RFC 6238, and the key URI format of their apps). */
const TIME_STEP_MS = 30_000
const DIGITS = 6
const SEED_BYTES = 20
/** How many steps the clock of a generator may be off, in both directions. */
const SKEW = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret of a generator, in base 32 (RFC 4648, section 6). */
export function newTotpSeed(): string {
  const bits = [...randomBytes(SEED_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)]!)
}

/** The code of a generator in one step of 30 seconds since 1970 (RFC 4226, section 5.3). */
export function totpCode(seed: string, step: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', seedBytes(seed)).update(message).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step at a time. */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / TIME_STEP_MS)
}

/**
 * The step whose code was sent; undefined if the code is wrong, or not newer than the last one that was accepted: an
 * observer must not be able to send a code again.
 */
export function matchingTotpStep(
  seed: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  const given = Buffer.from(code.replaceAll(/\s/g, ''))
  const step = totpStep(now)
  for (let candidate = Math.max(step - SKEW, lastStep + 1); candidate <= step + SKEW; candidate++) {
    const expected = Buffer.from(totpCode(seed, candidate))
    if (given.length === expected.length && timingSafeEqual(given, expected)) return candidate
  }
  return undefined
}

/** Apps show the account only for people, and a long address would make a QR code of very many modules. */
const LONGEST_ACCOUNT = 64

/** The address that a generator reads from a QR code or opens on a phone. @param account the user's e-mail address */
export function totpUri(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(shorten(account, LONGEST_ACCOUNT))}`
  const query = new URLSearchParams({ secret: seed, issuer }).toString().replaceAll('+', '%20')
  return `otpauth://totp/${label}?${query}`
}

function seedBytes(seed: string): Buffer {
  const bits = [...seed].map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
