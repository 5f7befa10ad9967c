import type { SamlName } from '../model/people/session.ts'
import { EMAIL_PATTERN } from '../http/validation/validate.ts'
import { shorten } from '../core/text/shorten.ts'

/** The data that a provider sends about the person who signs in. */
export interface Person {
  /** The name that the provider knows the person by. It never names another person of this provider. */
  subject: string
  /** In lower case, and verified; absent if the provider did not send one. */
  email?: string
  displayName?: string
  photoURL?: string
  /** How a SAML provider named the person. */
  samlName?: SamlName
}

const LONGEST_EMAIL = 254
const LONGEST_NAME = 64
const LONGEST_URL = 2048
/** Longer subjects would not be names. */
export const LONGEST_SUBJECT = 512

/** An e-mail address in lower case; undefined for any other text. */
export function emailIn(text: string | undefined): string | undefined {
  const email = text?.trim().toLowerCase() ?? ''
  return email.length <= LONGEST_EMAIL && EMAIL_PATTERN.test(email) ? email : undefined
}

/** A name that can be shown: one line of visible text, and at most 64 characters. */
export function nameIn(...texts: (string | undefined)[]): string | undefined {
  for (const text of texts) {
    // Line breaks, control characters and those that turn the direction of what follows.
    const line = text?.replace(/[\p{C}\p{Z}]+/gu, ' ').trim() ?? ''
    if (line !== '') return shorten(line, LONGEST_NAME).trim()
  }
  return undefined
}

/** The address of a picture. */
export function photoIn(text: string | undefined): string | undefined {
  const url = URL.parse(text?.trim() ?? '')
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.href.length <= LONGEST_URL ? url.href : undefined
}
