import { isRecord } from '../core/data/is-record.ts'
import { omitNullish } from '../model/common.ts'
import type { SamlName } from '../model/people/session.ts'
import { LONGEST_SUBJECT, type Person } from './person.ts'
import { quoted, refuse } from './sign-in-refused.ts'
import { personOf } from './saml-attributes.ts'

/** How far the clock of a provider may differ. */
export const SKEW_MS = 60_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** The values that an assertion must match. */
export interface Expected {
  /** The entity ID of the provider. */
  issuer: string
  /** The entity ID of this service. */
  audience: string
  /** Where this service receives responses. */
  acsURL: string
  /** The request that was sent; undefined if none was. */
  requestId: string | undefined
  now: Date
}

/** A verified assertion: its id, the person it names, and when it can be used no longer. */
export interface Asserted {
  id: string
  person: Person
  usableUntil: Date
}

/**
 * Reads an assertion whose signature was verified, and checks that it was made for this service, by this provider, as
 * the answer to this request, and for now (SAML profiles, section 4.1.4.2 and 4.1.4.3).
 * @param assertion the verified text as `xml2js` reads it, with names without prefixes
 * @throws SignInRefused
 */
export function readAssertion(assertion: unknown, expected: Expected): Asserted {
  const id = attribute(assertion, 'ID')
  if (!id) return refuse('The assertion has no ID')
  const issuer = text(onlyChild(assertion, 'Issuer')).trim()
  if (issuer !== expected.issuer)
    refuse(`The issuer of the assertion is ${quoted(issuer)}, not ${quoted(expected.issuer)}`)
  if (children(assertion, 'AuthnStatement').length === 0) refuse('The assertion states no authentication')

  checkSpan('The assertion', onlyChild(assertion, 'Conditions'), expected.now)
  checkAudience(onlyChild(assertion, 'Conditions'), expected.audience)
  for (const statement of children(assertion, 'AuthnStatement'))
    if (isOver(attribute(statement, 'SessionNotOnOrAfter'), expected.now))
      refuse('The session of the person at the provider is over')
  const subject = onlyChild(assertion, 'Subject')
  const usableUntil = checkConfirmation(onlyChild(subject, 'SubjectConfirmation'), expected)

  const nameID = onlyChild(subject, 'NameID')
  const name = text(nameID)
  const isText = isRecord(nameID) && Object.keys(nameID).every((part) => part === '_' || part === '$')
  if (!isText || name.trim() === '' || name.length > LONGEST_SUBJECT)
    refuse(`The name identifier must be text of 1 to ${LONGEST_SUBJECT} characters`)
  const person = personOf({
    nameID: name,
    format: attribute(nameID, 'Format'),
    attributes: attributesOf(assertion),
  })
  if (!person) return refuse('The name identifier is transient, and no attribute has an e-mail address')
  const sessionIndex = attribute(children(assertion, 'AuthnStatement')[0], 'SessionIndex')
  const samlName: SamlName = {
    nameID: name,
    ...omitNullish({
      format: attribute(nameID, 'Format'),
      nameQualifier: attribute(nameID, 'NameQualifier'),
      spNameQualifier: attribute(nameID, 'SPNameQualifier'),
      sessionIndex,
    }),
  }
  return { id, person: { ...person, samlName }, usableUntil: new Date(usableUntil.getTime() + SKEW_MS) }
}

function checkSpan(what: string, element: unknown, now: Date): void {
  const from = instantOf(attribute(element, 'NotBefore'))
  if (from && from.getTime() - SKEW_MS > now.getTime())
    refuse(`${what} is valid only from ${from.toISOString()} on`)
  if (isOver(attribute(element, 'NotOnOrAfter'), now)) refuse(`${what} has expired`)
}

function checkAudience(conditions: unknown, audience: string): void {
  const restrictions = children(conditions, 'AudienceRestriction')
  if (restrictions.length === 0) refuse('The assertion names no audience')
  for (const restriction of restrictions) {
    const audiences = children(restriction, 'Audience').map((one) => text(one).trim())
    if (!audiences.includes(audience))
      refuse(`The assertion is for the audience ${quoted(audiences.join(' '))}, not ${quoted(audience)}`)
  }
  for (const name of Object.keys(isRecord(conditions) ? conditions : {}))
    if (!['$', '_', 'AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'].includes(name))
      refuse(`The assertion has the unknown condition ${quoted(name)}`)
}

/** @returns when the confirmation ends */
function checkConfirmation(confirmation: unknown, { acsURL, requestId, now }: Expected): Date {
  const method = attribute(confirmation, 'Method')
  if (method !== BEARER) refuse(`The subject is confirmed by ${quoted(method)}, not as the bearer`)
  const data = onlyChild(confirmation, 'SubjectConfirmationData')
  const recipient = attribute(data, 'Recipient')
  if (recipient !== acsURL) refuse(`The recipient is ${quoted(recipient)}, not ${quoted(acsURL)}`)
  checkSpan('The confirmation of the subject', data, now)
  const until = instantOf(attribute(data, 'NotOnOrAfter'))
  if (!until) return refuse('The confirmation of the subject has no end')
  const answers = attribute(data, 'InResponseTo')
  if (answers !== requestId)
    refuse(`The assertion answers the request ${quoted(answers)}, not ${quoted(requestId)}`)
  return until
}

function attributesOf(assertion: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const statement of children(assertion, 'AttributeStatement')) {
    for (const one of children(statement, 'Attribute')) {
      const name = attribute(one, 'Name')
      if (name === undefined) continue
      found.set(name, [...(found.get(name) ?? []), ...children(one, 'AttributeValue').map(text)])
    }
  }
  return found
}

function isOver(instant: string | undefined, now: Date): boolean {
  const end = instantOf(instant)
  return end !== undefined && end.getTime() + SKEW_MS <= now.getTime()
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** A time in the form that SAML has; undefined if it is absent. @throws SignInRefused for another form */
export function instantOf(instant: string | undefined): Date | undefined {
  if (instant === undefined) return undefined
  const time = INSTANT.test(instant) ? new Date(instant) : undefined
  if (!time || Number.isNaN(time.getTime())) return refuse(`The time ${quoted(instant)} is not valid`)
  return time
}

function onlyChild(element: unknown, name: string): unknown {
  const found = children(element, name)
  if (found.length !== 1) refuse(`The assertion must have one element ${name}, but has ${found.length}`)
  return found[0]
}

function children(element: unknown, name: string): unknown[] {
  const found = isRecord(element) && Object.hasOwn(element, name) ? element[name] : undefined
  return Array.isArray(found) ? found : []
}

function attribute(element: unknown, name: string): string | undefined {
  const all = isRecord(element) ? element.$ : undefined
  const value = isRecord(all) && Object.hasOwn(all, name) ? all[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The text of an element without others inside it. */
function text(element: unknown): string {
  if (typeof element === 'string') return element
  const own = isRecord(element) ? element._ : undefined
  return typeof own === 'string' ? own : ''
}
