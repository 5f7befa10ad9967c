import { isRecord } from '../core/data/is-record.ts'
import { hashSecret } from '../access/credentials/tokens.ts'
import { appendAuditEvent } from '../model/audit/chain.ts'
import { recorded } from '../model/audit/payload.ts'
import type { Signing } from '../model/audit/signing.ts'
import { logsOfUser } from '../model/audit/user-event.ts'
import type { Tx } from '../db/schema.ts'
import type { AuditNote, Caller, Route } from '../http/route.ts'

/** A change, with the request that made it. */
export interface AuditedChange {
  me: Caller
  now: Date
  ip: string
  requestId: string
  params: Record<string, string>
  body: unknown
  subject: Record<string, unknown>
  answer: unknown
  /** The details that the handler added, if any. */
  note: AuditNote
}

type Fields = Record<string, unknown>

/** Actions that no route performs. */
const OWN_ACTIONS = [
  { id: 'account.recovery.link', label: 'Make a link of the operator' },
  { id: 'account.recovery.sign-in', label: 'Sign in with a link of the operator' },
  { id: 'account.sso.sign-in', label: 'Sign in by single sign-on' },
  { id: 'account.sso.sign-out', label: 'Sign out by single sign-on' },
  { id: 'instance.set-up', label: 'Set up the installation' },
  { id: 'space.git.sync', label: 'Sync a space with its repository' },
  { id: 'space.purge', label: 'Permanently remove a space from the trash' },
]

/** The id of one of these is a secret to join with. The log holds a hash of it, which still distinguishes them. */
const TYPES_WITH_CODES = new Set(['invite', 'link-invite'])
const ALIAS_LENGTH = 16

/** Every action of the audit log: one for each route that is not a GET. */
export function auditActions(routes: { name: string; route: Route }[]): { id: string; label: string }[] {
  const labels = new Map(OWN_ACTIONS.map(({ id, label }) => [id, label]))
  for (const { name, route } of routes) {
    const id = actionOf(route, name)
    if (id !== undefined && !labels.has(id)) labels.set(id, route.summary)
  }
  return [...labels]
    .map(([id, label]) => ({ id, label }))
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/**
 * The action of a route: the nouns of its path and the verb of its name. `PATCH /v1/spaces/:spaceId`, `updateSpaceById`,
 * is `space.update`. A test holds the complete list, so that no action changes with a path or a name unnoticed.
 * @returns undefined for a route that changes nothing
 */
function actionOf(route: Route, name: string): string | undefined {
  if (route.method === 'GET' || route.audit === false) return undefined
  if (route.audit !== undefined) return route.audit
  const verb = /^[a-z]+/.exec(name)?.[0] ?? name
  return [...thingsOf(route, verb), verb].join('.')
}

/** The nouns of a path, outermost first. `organization` is included only if it is the only one. */
function thingsOf(route: Route, verb: string): string[] {
  const words = route.path.split('/').filter((word) => word && word !== 'v1' && !word.startsWith(':'))
  const things = words.map(singular).filter((thing, i) => i > 0 || thing !== 'org')
  if (things.at(-1) === verb) things.pop()
  return things.length > 0 ? things : ['organization']
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

/** The organization whose log records a change, as far as it is known before the change. */
export function organizationOf(
  subject: Record<string, unknown>,
  params: Record<string, string>,
): string | undefined {
  const rows = Object.values(subject).filter(isRecord)
  const organization = subject.organization as { id?: string } | undefined
  const owner = rows.find(({ organizationId }) => typeof organizationId === 'string')?.organizationId
  return organization?.id ?? (owner as string | undefined) ?? params.organizationId
}

/** Writes a change to the audit log, in the transaction of the change. */
export async function writeAudit(
  tx: Tx,
  signing: Signing,
  route: Route,
  name: string,
  change: AuditedChange,
): Promise<void> {
  const action = actionOf(route, name)
  if (action === undefined || change.note.isRecorded || isEmptyPatch(route, change)) return

  const { now, note, subject } = change
  const me = note.userId === undefined ? change.me : { ...change.me, userId: note.userId }
  const target = note.target ?? auditedTarget(route, name, { ...change, me })
  const row = subject[camel(target.type)]
  const before = note.before ?? (isRecord(row) && row.id === target.id ? row : undefined)
  const answer = isRecord(change.answer) ? change.answer : {}
  const after =
    note.after ?? (route.method === 'DELETE' ? undefined : { ...auditFields(change.body), ...answer })
  const codes = TYPES_WITH_CODES.has(target.type)
  const [then, since] = codes ? [withoutId(before), withoutId(after)] : [before, after]
  const event = {
    occurredAt: now.toISOString(),
    action,
    ...(await actorOf(tx, me)),
    tokenId: me.tokenId || null,
    source: callerSource(me),
    ip: change.ip,
    requestId: change.requestId,
    targetType: target.type,
    targetId: codes ? hashSecret(target.id).slice(0, ALIAS_LENGTH) : target.id,
    targetLabel: target.label ?? null,
    payload: JSON.stringify(recorded(then, since, Object.keys(auditFields(change.body)))),
  }
  for (const organizationId of note.organizations ?? (await logsOf(tx, { ...change, me }))) {
    await appendAuditEvent(tx, signing, organizationId, event)
  }
}

/** Whether a change has no fields. It changes nothing, so there is nothing to log. */
function isEmptyPatch({ method }: Route, { body }: AuditedChange): boolean {
  return method === 'PATCH' && isRecord(body) && Object.keys(body).length === 0
}

/** The logs of a change. A change to a user's own account is logged in every organization of the user. */
async function logsOf(tx: Tx, { me, subject, params, answer }: AuditedChange): Promise<string[]> {
  const known = organizationOf(subject, params)
  if (known !== undefined) return [known]
  if (isRecord(answer) && answer.object === 'organization') return [String(answer.id)]
  // The provider of one organization must not write into the logs of others.
  if (me.organizationId !== undefined) return [me.organizationId]

  return logsOfUser(tx, me.userId)
}

/** The target of a change: the resource in the response, or else the last one in the path. */
function auditedTarget(route: Route, name: string, { me, params, answer, subject }: AuditedChange) {
  const things = thingsOf(route, /^[a-z]+/.exec(name)?.[0] ?? name)
  if (isRecord(answer) && typeof answer.id === 'string') {
    const type = typeof answer.object === 'string' ? answer.object : (things.at(-1) ?? 'organization')
    return { type, id: answer.id, label: labelOf(answer) }
  }

  const words = route.path.split('/')
  const last = words.findLastIndex((word) => word.startsWith(':'))
  if (last === -1) return { type: 'user', id: me.userId, label: undefined }
  const type = singular(words[last - 1] ?? '').replace(/^org$/, 'organization')
  return { type, id: params[words[last]?.slice(1) ?? ''] ?? '', label: labelOf(subject[camel(type)]) }
}

function labelOf(thing: unknown): string | undefined {
  if (!isRecord(thing)) return undefined
  const label = thing.title || thing.name || thing.displayName || thing.subject
  return typeof label === 'string' ? label : undefined
}

async function actorOf(tx: Tx, { userId, tokenId, isProvisioner }: Caller) {
  if (isProvisioner) return { actorType: 'integration', actorId: tokenId, actorLabel: 'SCIM' }
  // A request without a token, to a URL that contains a secret.
  if (!userId) return { actorType: 'system', actorId: 'anonymous', actorLabel: null }
  const user = await tx.selectFrom('user').select('displayName').where('id', '=', userId).executeTakeFirst()
  return { actorType: 'user', actorId: userId, actorLabel: user?.displayName ?? null }
}

const callerSource = ({ session, isProvisioner }: Caller) =>
  session ? 'ui' : isProvisioner ? 'integration' : 'api'

const withoutId = (fields: object | undefined) => fields && { ...fields, id: undefined }

const auditFields = (value: unknown): Fields => (isRecord(value) ? value : {})

const camel = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
