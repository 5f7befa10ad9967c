import type { Party } from '../core/runtime/party.ts'

/** What a party has in a queue. */
export interface PartyLoad {
  party: Party
  /** The items of the user that wait. */
  user: number
  /** The items for the organization that wait. */
  organization: number
  /** The items of the user that are under way. */
  running: number
}

/** Whether one party has more than another: by its user, then by its organization, then by what is under way. */
export function isHeavier(one: PartyLoad, other: PartyLoad): boolean {
  return (one.user - other.user || one.organization - other.organization || one.running - other.running) > 0
}

/**
 * Whether an item of a party that waits gives way to a new item of another. It does if the new item's user then has no
 * more than the other user had before. If both would only change places, their organizations decide in the same way, and
 * then what is under way. So parties that have as much as each other never displace each other in turn.
 */
export function givesWay(waiting: PartyLoad, newcomer: PartyLoad): boolean {
  const isSameUser = waiting.party.user === newcomer.party.user
  const byUser = isSameUser ? 0 : newcomer.user + 1 - waiting.user
  if (byUser !== 0) return byUser < 0
  const isSameOrganization =
    waiting.party.organization === newcomer.party.organization &&
    (isSameUser || waiting.party.organization !== undefined)
  const byOrganization = isSameOrganization ? 0 : newcomer.organization + 1 - waiting.organization
  if (byOrganization !== 0) return byOrganization < 0
  return newcomer.running < waiting.running
}
