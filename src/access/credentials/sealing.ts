import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { lru } from '../../core/data/lru.ts'
import type { Sealing } from '../../http/route.ts'
import type { Keyring } from './keyring.ts'

/** The first byte of a sealed value: 1 is one without the id of its key, as earlier versions sealed. */
const VERSION = 2
const VERSION_WITHOUT_ID = 1
/** With the version, the id fills 8 characters of base64url, so that a query can tell which key sealed a value. */
const ID_BYTES = 5
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const DERIVED_CACHE_BYTES = 256 * 1024
const DERIVED_BYTES = 256

/** The number of characters at the beginning of a sealed value that name its key. */
export const SEALED_PREFIX_LENGTH = 8

interface SealingKey {
  id: Buffer
  key: Buffer
  derive(purpose: string): string
}

/**
 * Encrypts secrets that the database stores and that are shown again, with AES-256-GCM. Its keys are derived from the
 * secrets of the installation by HKDF (RFC 5869), so a copy of the database alone does not reveal them. A sealed value
 * begins with the id of its key.
 */
export function sealedBy(keyring: Keyring): Sealing {
  const keyOf = keysOnce()
  const current = () => keyOf(keyring.secrets()[0])

  function openWith({ key }: SealingKey, bytes: Buffer, header: number, of: string): string | undefined {
    const nonceEnd = header + NONCE_BYTES
    const start = nonceEnd + TAG_BYTES
    if (bytes.length < start) return undefined
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(header, nonceEnd), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(nonceEnd, start))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString()
    } catch {
      // The tag does not match: another secret, another purpose, or changed bytes.
      return undefined
    }
  }

  return {
    seal: (text, of) => sealWith(current(), randomBytes(NONCE_BYTES), text, of),
    sealAlike(text, of) {
      const key = current()
      // As a synthetic initialization vector (RFC 5297): another text has another nonce.
      const nonce = createHmac('sha256', key.derive('nonces'))
        .update(JSON.stringify([of, text]))
        .digest()
      return sealWith(key, nonce.subarray(0, NONCE_BYTES), text, of)
    },
    open(sealed, of) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Decoding ignores characters that are too many or wrong.
      if (bytes.toString('base64url') !== sealed) return undefined
      const keys = keyring.secrets().map(keyOf)
      if (bytes[0] === VERSION_WITHOUT_ID) {
        for (const key of keys) {
          const text = openWith(key, bytes, 1, of)
          if (text !== undefined) return text
        }
        return undefined
      }
      if (bytes[0] !== VERSION) return undefined
      const header = 1 + ID_BYTES
      const key = keys.find(({ id }) => id.equals(bytes.subarray(1, header)))
      if (!key) keyring.missed?.()
      return key && openWith(key, bytes, header, of)
    },
    derive: (purpose) => current().derive(purpose),
    deriveAll: (purpose) => keyring.secrets().map((secret) => keyOf(secret).derive(purpose)),
    async deriveAllIn(db, purpose) {
      const secrets = (await keyring.secretsIn?.(db)) ?? keyring.secrets()
      return secrets.map((secret) => keyOf(secret).derive(purpose))
    },
  }
}

function sealWith({ id, key }: SealingKey, nonce: Buffer, text: string, of: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(of))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The first characters of every value that is sealed with the current secret of a keyring. */
export function sealedPrefix(keyring: Keyring): string {
  return sealedBy(keyring).seal('', '').slice(0, SEALED_PREFIX_LENGTH)
}

/** Derives the keys of each secret once, because deriving one costs more than using it. */
function keysOnce(): (secret: string) => SealingKey {
  const known = new Map<string, SealingKey>()

  return (secret) => {
    const before = known.get(secret)
    if (before) return before
    const derive = (purpose: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, '', `lectern ${purpose}`, length))
    const derived = lru<string>(DERIVED_CACHE_BYTES)
    const key: SealingKey = {
      id: derive('key id', ID_BYTES),
      key: derive('sealing', KEY_BYTES),
      derive(purpose) {
        const cached = derived.get(purpose)
        if (cached !== undefined) return cached
        const text = derive(purpose, KEY_BYTES).toString('base64url')
        derived.set(purpose, text, DERIVED_BYTES)
        return text
      },
    }
    known.set(secret, key)
    return key
  }
}
