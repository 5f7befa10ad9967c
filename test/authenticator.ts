/** An authenticator for passkeys in software (WebAuthn Level 2), which can also answer wrongly. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export interface Authenticator {
  id: string
  /** Makes the credential that was asked for. */
  create(options: { challenge: string; rp: { id?: string } }, wrong?: Wrong): object
  /** Answers a challenge. */
  get(options: { challenge: string; rpId?: string }, wrong?: Wrong): object
}

/** What to do differently from what was asked. */
export interface Wrong {
  origin?: string
  rpId?: string
  challenge?: string
  flags?: number
  type?: string
  userHandle?: string
  counter?: number
  signer?: KeyObject
}

/** @param origin of the page that uses it */
export function authenticator(origin: string, userId: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let count = 0

  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, wrong: Wrong, more = 0) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wrong.counter ?? (count += 1))
    const flags = wrong.flags ?? USER_PRESENT | USER_VERIFIED
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.of(flags | more), counter])
  }

  return {
    id,
    create({ challenge, rp }, wrong = {}) {
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.from([0, credentialId.length])
      const data = Buffer.concat([
        head(rp.id ?? '', wrong, HAS_CREDENTIAL),
        Buffer.alloc(16),
        length,
        credentialId,
        key,
      ])
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, wrong).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get({ challenge, rpId = '' }, wrong = {}) {
      const client = clientData('webauthn.get', challenge, wrong)
      const data = head(rpId, wrong)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(wrong.signer ?? privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: Buffer.from(wrong.userHandle ?? userId).toString('base64url'),
        },
      }
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

// Deterministic CBOR (RFC 8949) of the few types that authenticators send.
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.of((major << 5) | 25, value >> 8, value & 255)
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])
