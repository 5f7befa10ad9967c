import { isRecord } from '../data/is-record.ts'
import { ScimFault } from './fault.ts'
import type { Assignment } from './patch.ts'

const LONGEST_TEXT = 255
/** The members of a group that one request may name, and that a response lists. */
export const MOST_GROUP_MEMBERS = 10_000

/** The changes that a request makes to a group. */
export interface GroupChanges {
  displayName?: string
  externalId?: string | null
  /** Whether all members who are not in `members` leave the group. */
  replaced: boolean
  /** By the id of the user: whether they are a member afterwards. */
  members: Map<string, boolean>
}

/** Reads what assignments change of a group. @throws ScimFault for a value of the wrong type */
export function groupChangesOf(assignments: Assignment[]): GroupChanges {
  const changes: GroupChanges = { replaced: false, members: new Map() }
  for (const assignment of assignments) change(changes, assignment)
  return changes
}

function change(changes: GroupChanges, assignment: Assignment): void {
  const { op, attribute, value } = assignment
  if (attribute === 'displayname') {
    if (op === 'remove') throw new ScimFault('mutability', '"displayName" cannot be removed')
    changes.displayName = neededText('displayName', value)
  }
  if (attribute === 'externalid')
    changes.externalId = op === 'remove' ? null : neededText('externalId', value)
  if (attribute === 'members') changeMembers(changes, assignment)
}

function changeMembers(changes: GroupChanges, { op, where, value }: Assignment): void {
  const named = where
    ? where.map(({ path, value: id }) => {
        if (path === 'value' && typeof id === 'string' && where.length === 1) return id
        throw new ScimFault('invalidFilter', 'Members are named by members[value eq "<id>"]')
      })
    : memberIds(value)
  if (op === 'replace' || (op === 'remove' && named.length === 0)) {
    changes.replaced = true
    changes.members.clear()
  }
  for (const id of named) changes.members.set(id, op !== 'remove')
  if (changes.members.size > MOST_GROUP_MEMBERS)
    throw new ScimFault('tooMany', `A request names at most ${MOST_GROUP_MEMBERS} members; send several`)
}

/** The ids of `[{"value": "<id>"}]`, or of one such object. */
function memberIds(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  return list.map((one) => {
    const id = isRecord(one) ? one.value : one
    if (typeof id === 'string' && id !== '' && id.length <= LONGEST_TEXT) return id
    throw new ScimFault('invalidValue', 'A member must be an object with the id of a user as "value"')
  })
}

function neededText(path: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT) return value.trim()
  throw new ScimFault('invalidValue', `"${path}" must be a text of 1 to ${LONGEST_TEXT} characters`)
}
