/** Copies the members by their addresses, and the teams. */
import { shorten } from '../../core/text/shorten.ts'
import { printLines } from '../print.ts'
import {
  type Copying,
  doneOnce,
  madeOnce,
  noteEarlier,
  reportLabel,
  reading,
  reportOn,
  writing,
} from './copying.ts'
import { type JsonRecord, jsonRecord, jsonRecords, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

const INVITED_AT_ONCE = 50
const LONGEST_TEAM_TITLE = 64

/**
 * Invites the members whom the target has not, with their roles. Members of the target keep their role.
 * @param invites whether anybody is invited; otherwise only those whom both have are noted
 */
export async function copyMembers(copying: Copying, invites: boolean): Promise<void> {
  const { source, target, from, to, journal } = copying
  const members = await reading(copying, 'Members', () => listed(source, `/orgs/${segment(from)}/members`))
  if (!members) return
  const path = `/orgs/${segment(to)}`
  const before = await writing(copying, 'Members', () => listed(target, `${path}/members`))
  if (!before) return
  const known = byAddress(before)
  if (!invites) return noteMembers(copying, members, known)
  const missing = members.filter((member) => {
    const email = memberAddress(member)
    if (email === undefined)
      reportOn(copying, 'unread', memberName(member), 'the source does not return the address')
    if (email === undefined || known.has(email)) return false
    if (member.disabled === true)
      reportOn(
        copying,
        'copied-differently',
        memberName(member),
        'is disabled in the source, and is not invited',
      )
    return member.disabled !== true
  })
  const uninvited = missing.filter(
    (member) => journal.target('invited', memberAddress(member) ?? '') === undefined,
  )
  for (let start = 0; start < uninvited.length; start += INVITED_AT_ONCE) {
    copying.bar.show({ label: 'Members', done: start, total: uninvited.length })
    await invite(copying, uninvited.slice(start, start + INVITED_AT_ONCE))
  }
  await noteMembers(copying, members, uninvited.length === 0 ? known : undefined)
}

async function invite(copying: Copying, members: readonly JsonRecord[]): Promise<void> {
  const { target, to, journal } = copying
  const emails = members.map((member) => ({
    email: memberAddress(member),
    role: someText(member.role) ?? null,
  }))
  const names = members.map(memberName).join(', ')
  const answer = await writing(copying, names, () =>
    target('POST', `/orgs/${segment(to)}/invites`, { emails }),
  )
  if (!answer) return
  for (const { email } of emails) journal.record('invited', email ?? '', 'yes')
  const links = jsonRecords(answer.links)
  if (links.length === 0) return
  printLines(
    'The server sends no e-mail. Send these links to the members; each works once, within seven days:',
  )
  printLines(links.map(({ email, url }) => `  ${jsonText(email)}  ${jsonText(url)}`))
}

/** Notes who is a member of the target now. */
async function noteMembers(
  copying: Copying,
  members: readonly JsonRecord[],
  known: ReadonlyMap<string, JsonRecord> | undefined,
): Promise<void> {
  const { target, to, journal } = copying
  const now = known ?? byAddress(await listed(target, `/orgs/${segment(to)}/members`))
  for (const member of members) {
    const email = memberAddress(member)
    const copy = now.get(email ?? '')
    if (email === undefined) continue
    if (copy) {
      const role = someText(member.role) ?? null
      const has = someText(copy.role) ?? null
      if (role !== has && journal.target('invited', email) === undefined)
        reportOn(
          copying,
          'copied-differently',
          memberName(member),
          `has the role ${has ?? 'guest'} in the target, not ${role ?? 'guest'}`,
        )
      journal.record('user', jsonText(jsonRecord(member.user).id), jsonText(jsonRecord(copy.user).id))
    } else if (member.disabled !== true && journal.target('invited', email) !== undefined)
      reportOn(
        copying,
        'unwritten',
        memberName(member),
        'is invited, and has no teams and roles on spaces before joining. Run the command again then',
      )
  }
}

const byAddress = (members: readonly JsonRecord[]) =>
  new Map(members.map((member) => [memberAddress(member) ?? '', member]))

const memberAddress = ({ user }: JsonRecord) => someText(jsonRecord(user).email)?.toLowerCase()

function memberName(member: JsonRecord): string {
  const { displayName, email } = jsonRecord(member.user)
  return reportLabel('Member', someText(email) ?? jsonText(displayName))
}

/** Copies the teams with the members that the target has. */
export async function copyTeams(copying: Copying): Promise<void> {
  const { source, target, from, to, journal } = copying
  const path = `/orgs/${segment(from)}/teams`
  const teams = (await reading(copying, 'Teams', () => listed(source, path))) ?? []
  const into = `/orgs/${segment(to)}/teams`
  await noteEarlier(copying, 'team', into)
  for (const [nth, team] of teams.entries()) {
    copying.bar.show({ label: 'Teams', done: nth, total: teams.length })
    const id = jsonText(team.id)
    const title = shorten(someText(team.title) ?? 'Untitled', LONGEST_TEAM_TITLE)
    const what = reportLabel('Team', title)
    const made = await madeOnce(
      copying,
      { kind: 'team', id, what },
      async () => jsonText((await target('PUT', into, { title })).id),
      async () => {
        const like = (await listed(target, into)).filter(
          (one) => one.title === title && !journal.isTaken('team', jsonText(one.id)),
        )
        return someText(like.at(-1)?.id)
      },
    )
    if (made === undefined) continue
    const members =
      (await reading(copying, what, () => listed(source, `${path}/${segment(id)}/members`))) ?? []
    for (const member of members) await copyTeamMember(copying, { id, made, what, into }, member)
  }
}

async function copyTeamMember(
  copying: Copying,
  { id, made, what, into }: { id: string; made: string; what: string; into: string },
  { organization, team }: JsonRecord,
): Promise<void> {
  const user = jsonText(jsonRecord(jsonRecord(organization).user).id)
  const copy = copying.journal.target('user', user)
  // The list of members has the reason.
  if (copy === undefined) return
  await doneOnce(copying, `member ${id}/${user}`, () =>
    writing(copying, `${what}, ${memberName(jsonRecord(organization))}`, () =>
      copying.target('PUT', `${into}/${segment(made)}/members/${segment(copy)}`, {
        role: jsonRecord(team).role === 'owner' ? 'owner' : 'member',
      }),
    ),
  )
}
