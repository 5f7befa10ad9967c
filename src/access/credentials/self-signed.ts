import {
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'
import { because } from '../../core/languages/reasons.ts'
import type { Party } from '../../core/runtime/party.ts'
import { unavailable } from '../../http/errors.ts'
import { ShareFull, fairShare } from '../../threads/shares.ts'

const BITS = 2048
const YEARS = 20
/** Object identifiers in DER: sha256WithRSAEncryption (RFC 4055), and commonName (RFC 5280). */
const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const NULL = Buffer.from('0500', 'hex')
const TAG = {
  integer: 0x02,
  bits: 0x03,
  text: 0x0c,
  shortTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
}

/** A private key in PEM (PKCS #8), and a certificate of it that signs itself. */
export interface KeyAndCertificate {
  privateKey: string
  certificate: string
}

/** A key takes a thread of libuv, which reads files for everybody, for up to a second: only one is made at a time. */
const inKeys = fairShare({ atOnce: 1, queue: 50, queueOfParty: 5 })
const RETRY_S = 10

/**
 * Makes an RSA key and a certificate for it, for a caller. Callers take turns.
 * @param signal takes back a key that waits
 * @throws 503 if too many keys wait already, of all callers or of this one
 */
export async function makeKeyInTurn(
  party: Party,
  name: string,
  now: Date,
  signal: AbortSignal,
): Promise<KeyAndCertificate> {
  try {
    return await inKeys(party, () => makeKey(name, now), signal)
  } catch (error) {
    if (!(error instanceof ShareFull)) throw error
    throw unavailable(because('too-many-keys'), RETRY_S)
  }
}

/** Makes an RSA key and a certificate for it at once: no request may cause this, only a setup. */
export async function makeKey(name: string, now: Date): Promise<KeyAndCertificate> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    certificate: selfSigned(privateKey, name, now),
  }
}

/**
 * The certificate of an RSA key that signs itself (RFC 5280), as PEM. SAML uses a certificate only to carry a public key,
 * and Node cannot make one.
 */
export function selfSigned(privateKey: KeyObject, name: string, now: Date): string {
  const algorithm = der(TAG.sequence, SHA256_WITH_RSA, NULL)
  const attribute = der(TAG.sequence, COMMON_NAME, der(TAG.text, Buffer.from(name)))
  const subject = der(TAG.sequence, der(TAG.set, attribute))
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + YEARS)
  // A positive number: the first bit is 0 and the second is 1.
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40
  const body = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, serial),
    algorithm,
    subject,
    der(TAG.sequence, time(now), time(until)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  )
  const signature = der(TAG.bits, Buffer.of(0), sign('sha256', body, privateKey))
  return new X509Certificate(der(TAG.sequence, body, algorithm, signature)).toString()
}

/** A time has four digits of the year from 2050 on, and two before (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`
  return at.getUTCFullYear() < 2050
    ? der(TAG.shortTime, Buffer.from(digits.slice(2)))
    : der(TAG.time, Buffer.from(digits))
}

/** A value in DER: its tag, its length, its parts (ITU-T X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag), Buffer.from(size), content])
}
