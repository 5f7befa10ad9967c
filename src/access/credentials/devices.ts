import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../../core/data/id.ts'
import type { Devices } from '../../http/route.ts'
import type { Keyring } from './keyring.ts'

const YEAR = 365 * 24 * 60 * 60_000
const NONCE_LENGTH = 20

/**
 * Device tokens, as the OWASP device cookies: signed, and stored nowhere. A holder gets no access, but attempts of
 * their own, so that the attempts of strangers do not lock them out.
 */
export function signedDevices(keyring: Keyring): Devices {
  const sign = (secret: string, email: string, name: string, expires: string) =>
    createHmac('sha256', secret).update(`device:${name}:${expires}:${email}`).digest('base64url')

  return {
    issue(email, now) {
      const name = randomText(NONCE_LENGTH)
      const expires = (now.getTime() + YEAR).toString(36)
      return `${name}.${expires}.${sign(keyring.secrets()[0], email, name, expires)}`
    },
    recognize(device, email, now) {
      const [name = '', expires = '', signature = ''] = device.split('.')
      const given = Buffer.from(signature)
      const isSigned = keyring.secrets().some((secret) => {
        const expected = Buffer.from(sign(secret, email, name, expires))
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      return isSigned && Number.parseInt(expires, 36) > now.getTime() ? name : undefined
    },
  }
}
