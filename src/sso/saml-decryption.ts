/** Encrypted elements of SAML (XML Encryption 1.1), for the key of this service. */
import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import { quoted, refuse } from './sign-in-refused.ts'
import { attributeIn, childrenNamed, onlyChildNamed, SIGNATURE, type SamlNode } from './xml-nodes.ts'

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#'

/** Ciphers with their length of the key. Providers such as Microsoft Entra ID and AD FS know CBC only. */
const CIPHERS: Record<string, { name: string; bytes: number }> = {
  [`${XMLENC11}aes128-gcm`]: { name: 'aes-128-gcm', bytes: 16 },
  [`${XMLENC11}aes256-gcm`]: { name: 'aes-256-gcm', bytes: 32 },
  [`${XMLENC}aes128-cbc`]: { name: 'aes-128-cbc', bytes: 16 },
  [`${XMLENC}aes256-cbc`]: { name: 'aes-256-cbc', bytes: 32 },
}
const [GCM_VECTOR, GCM_TAG, CBC_BLOCK] = [12, 16, 16]

const OAEP = `${XMLENC11}rsa-oaep`
const OAEP_SHA1 = `${XMLENC}rsa-oaep-mgf1p`
/** The digests of OAEP. The hash of its mask must be the same, because OpenSSL has one for both. */
const DIGESTS: Record<string, string> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  [`${XMLENC}sha256`]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  [`${XMLENC}sha512`]: 'sha512',
}
const MASKS: Record<string, string> = Object.fromEntries(
  ['sha1', 'sha256', 'sha384', 'sha512'].map((hash) => [`${XMLENC11}mgf1${hash}`, hash]),
)

/** The methods in the metadata of this service, the best first. */
export const ENCRYPTION_METHODS: readonly { algorithm: string; digest?: string; mask?: string }[] = [
  ...Object.keys(CIPHERS).map((algorithm) => ({ algorithm })),
  { algorithm: OAEP, digest: `${XMLENC}sha256`, mask: `${XMLENC11}mgf1sha256` },
  { algorithm: OAEP_SHA1, digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
]

/**
 * The text of an element that is encrypted for this service, such as an `EncryptedAssertion`. Encryption proves nothing
 * about the sender, so the text needs a signature, or must come from text that has one.
 * @param privateKey in PEM
 * @throws SignInRefused
 */
export function decryptedText(encrypted: SamlNode, privateKey: string): string {
  const data = onlyChildNamed(encrypted, XMLENC, 'EncryptedData')
  const algorithm = algorithmOf(data)
  const cipher = Object.hasOwn(CIPHERS, algorithm) ? CIPHERS[algorithm] : undefined
  if (!cipher) return refuse(`The encryption ${quoted(algorithm)} is not accepted`)
  const [info] = childrenNamed(data, SIGNATURE, 'KeyInfo')
  // The key is in the data or beside it.
  const keys = [encrypted, ...(info ? [info] : [])].flatMap((at) => childrenNamed(at, XMLENC, 'EncryptedKey'))
  const [encryptedKey, ...more] = keys
  if (!encryptedKey || more.length > 0) return refuse('An encrypted element must have one encrypted key')
  const hash = oaepHash(encryptedKey)
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const key = privateDecrypt({ key: privateKey, padding, oaepHash: hash }, cipherBytes(encryptedKey))
    if (key.length !== cipher.bytes) throw new Error(`The key has ${key.length} bytes`)
    const bytes = cipher.name.endsWith('gcm')
      ? openGcm(cipher.name as 'aes-128-gcm', key, cipherBytes(data))
      : openCbc(cipher.name, key, cipherBytes(data))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // One reason for all, so that the log of a server does not become an oracle either.
    return refuse('An encrypted element cannot be decrypted with the key of this service')
  }
}

function oaepHash(encryptedKey: SamlNode): string {
  const algorithm = algorithmOf(encryptedKey)
  if (algorithm !== OAEP && algorithm !== OAEP_SHA1)
    refuse(`The encryption of the key, ${quoted(algorithm)}, is not accepted`)
  const method = onlyChildNamed(encryptedKey, XMLENC, 'EncryptionMethod')
  if (childrenNamed(method, XMLENC, 'OAEPparams').length > 0)
    refuse('The encryption of the key has parameters')
  const [digest] = childrenNamed(method, SIGNATURE, 'DigestMethod')
  const [mask] = algorithm === OAEP ? childrenNamed(method, XMLENC11, 'MGF') : []
  const digestName = digest ? DIGESTS[digest.getAttribute('Algorithm')] : 'sha1'
  const maskName = mask ? MASKS[mask.getAttribute('Algorithm')] : 'sha1'
  if (digestName === undefined || digestName !== maskName)
    return refuse(
      `The encryption of the key has the digest ${quoted(digest?.getAttribute('Algorithm'))} with another mask`,
    )
  return digestName
}

const algorithmOf = (element: SamlNode) =>
  attributeIn(onlyChildNamed(element, XMLENC, 'EncryptionMethod'), 'Algorithm') ?? ''

function cipherBytes(element: SamlNode): Buffer {
  const data = onlyChildNamed(element, XMLENC, 'CipherData')
  return Buffer.from(onlyChildNamed(data, XMLENC, 'CipherValue').textContent ?? '', 'base64')
}

function openGcm(name: 'aes-128-gcm', key: Buffer, bytes: Buffer): Buffer {
  const vector = bytes.subarray(0, GCM_VECTOR)
  const decipher = createDecipheriv(name, key, vector, { authTagLength: GCM_TAG })
  decipher.setAuthTag(bytes.subarray(-GCM_TAG))
  return Buffer.concat([decipher.update(bytes.subarray(GCM_VECTOR, -GCM_TAG)), decipher.final()])
}

/** The last byte is the length of the padding, whose other bytes are arbitrary (XML Encryption 1.1, section 5.2). */
function openCbc(name: string, key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(name, key, bytes.subarray(0, CBC_BLOCK)).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(bytes.subarray(CBC_BLOCK)), decipher.final()])
  const padding = padded.at(-1) ?? 0
  if (padding < 1 || padding > CBC_BLOCK || padding > padded.length) throw new Error('The padding is wrong')
  return padded.subarray(0, padded.length - padding)
}
