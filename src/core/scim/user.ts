import { isRecord } from '../data/is-record.ts'
import { ScimFault } from './fault.ts'
import type { FilterTerm } from './filter.ts'
import type { Assignment } from './patch.ts'

const LONGEST_TEXT = 255

/** The changes that a request makes to a user, without attributes that Lectern does not store. */
export interface UserChanges {
  userName?: string
  externalId?: string | null
  displayName?: string | null
  formatted?: string | null
  givenName?: string | null
  familyName?: string | null
  /** The e-mail address for work, or the first one. */
  address?: string
  active?: boolean
}

/** Reads what assignments change of a user. @throws ScimFault for a value of the wrong type */
export function userChangesOf(assignments: Assignment[]): UserChanges {
  const changes: UserChanges = {}
  for (const assignment of assignments) change(changes, assignment)
  return changes
}

function change(changes: UserChanges, { op, attribute, sub, where, value }: Assignment): void {
  const isRemoved = op === 'remove'
  switch (attribute) {
    case 'username':
      if (isRemoved) throw required('userName')
      changes.userName = trimmedText('userName', value) ?? missing('userName')
      break
    case 'active':
      if (isRemoved) throw required('active')
      changes.active = flagOf(value)
      break
    case 'externalid':
      changes.externalId = isRemoved ? null : trimmedText('externalId', value)
      break
    case 'displayname':
      changes.displayName = isRemoved ? null : trimmedText('displayName', value)
      break
    case 'name':
      if (sub !== undefined) changeName(changes, sub, isRemoved ? null : value)
      else if (isRemoved) Object.assign(changes, { formatted: null, givenName: null, familyName: null })
      else
        for (const [key, inner] of Object.entries(sentRecord('name', value))) changeName(changes, key, inner)
      break
    case 'emails': {
      const address = isRemoved ? undefined : workAddress(sub, where, value)
      if (address !== undefined) changes.address = address
      break
    }
    default:
  }
}

function changeName(changes: UserChanges, name: string, value: unknown): void {
  const key = (['formatted', 'givenName', 'familyName'] as const).find(
    (one) => one.toLowerCase() === name.toLowerCase(),
  )
  if (key) changes[key] = trimmedText(`name.${key}`, value)
}

/** The address for work of `emails`, of one of them, or of `emails[type eq "work"].value`. */
function workAddress(sub: string | undefined, where: FilterTerm[] = [], value: unknown): string | undefined {
  const isOther = where.some(
    ({ path, value: wanted }) => path === 'type' && String(wanted).toLowerCase() !== 'work',
  )
  if (isOther) return undefined
  if (sub === 'value') return trimmedText('emails.value', value) ?? undefined
  if (sub !== undefined) return undefined
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  const emails = list.filter(isRecord)
  const chosen =
    emails.find(({ primary }) => primary === true || String(primary).toLowerCase() === 'true') ??
    emails.find(({ type }) => String(type).toLowerCase() === 'work') ??
    emails[0]
  return chosen ? (trimmedText('emails.value', chosen.value) ?? undefined) : undefined
}

/** A text without spaces around it; null for null and for a text of spaces. */
function trimmedText(path: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string' || value.length > LONGEST_TEXT)
    throw new ScimFault('invalidValue', `"${path}" must be a text of at most ${LONGEST_TEXT} characters`)
  return value.trim() || null
}

/** Entra ID sends `"False"`. */
function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw new ScimFault('invalidValue', '"active" must be true or false')
}

function sentRecord(path: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new ScimFault('invalidValue', `"${path}" must be an object`)
}

const required = (path: string) => new ScimFault('mutability', `"${path}" cannot be removed`)

function missing(path: string): never {
  throw new ScimFault('invalidValue', `"${path}" must not be empty`)
}
