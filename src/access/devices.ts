import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../core/id.ts'
import type { Devices } from '../http/route.ts'

const YEAR = 365 * 24 * 60 * 60_000
const NONCE_LENGTH = 20

/**
 * Device tokens, as the OWASP device cookies: signed, and stored nowhere. A holder gets no access, but attempts of
 * their own, so that the attempts of strangers do not lock them out.
 */
export function signedDevices(secret: string): Devices {
  const sign = (email: string, name: string, expires: string) =>
    createHmac('sha256', secret).update(`device:${name}:${expires}:${email}`).digest('base64url')

  return {
    issue(email, now) {
      const name = randomText(NONCE_LENGTH)
      const expires = (now.getTime() + YEAR).toString(36)
      return `${name}.${expires}.${sign(email, name, expires)}`
    },
    recognize(device, email, now) {
      const [name = '', expires = '', signature = ''] = device.split('.')
      const expected = Buffer.from(sign(email, name, expires))
      const given = Buffer.from(signature)
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned && Number.parseInt(expires, 36) > now.getTime() ? name : undefined
    },
  }
}
