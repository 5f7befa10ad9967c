/** The webhooks of git hosts: who may announce a push, and of which branch. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../core/data/is-record.ts'

/** The headers of a request, in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The event that a signed request announces. */
export type AnnouncedEvent =
  /** `branches` is undefined if any branch may have changed. */
  | { kind: 'push'; branches: readonly string[] | undefined; defaultBranch: string | undefined }
  /** An event that changes no branch, such as the test that a host sends when a webhook is created. */
  | { kind: 'other' }

/** The headers that name an event, with their values for a push. */
const PUSH_EVENTS: Readonly<Record<string, string>> = {
  'x-github-event': 'push',
  'x-gitea-event': 'push',
  'x-forgejo-event': 'push',
  'x-gitlab-event': 'Push Hook',
  'x-event-key': 'repo:push',
}
/** The headers with an HMAC-SHA-256 of the body, in hexadecimal. */
const SIGNATURES = ['x-hub-signature-256', 'x-hub-signature', 'x-gitea-signature', 'x-forgejo-signature']

/** Checks the body of a request piece by piece, so that none has to be kept. */
export interface WebhookCheck {
  take(piece: Buffer): void
  /** Whether the request has the secret, or a signature that was made with it. */
  isSigned(): boolean
}

/** Begins to check a request: GitHub, Gitea, Forgejo and Bitbucket sign the body, and GitLab sends the secret. */
export function checkWebhook(headers: Headers, secret: string): WebhookCheck {
  const hmac = createHmac('sha256', secret)
  return {
    take: (piece) => void hmac.update(piece),
    isSigned() {
      const made = hmac.digest('hex')
      const isSame = (given: string, wanted: string) => timingSafeEqual(digestOf(given), digestOf(wanted))
      const token = headerText(headers['x-gitlab-token'])
      if (token !== undefined && isSame(token, secret)) return true
      return SIGNATURES.some((name) => {
        const given = headerText(headers[name])
        return given !== undefined && isSame(given.replace(/^sha256=/, '').toLowerCase(), made)
      })
    },
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
const headerText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

/**
 * Returns the event that a request announces.
 * @param body the JSON of the request; undefined if it was too long to be kept, and then every branch may have changed
 */
export function announcedBy(headers: Headers, body: string | undefined): AnnouncedEvent {
  const [header, push] = Object.entries(PUSH_EVENTS).find(([name]) => headers[name] !== undefined) ?? []
  if (header === undefined || headers[header] !== push) return { kind: 'other' }
  const payload = body === undefined ? undefined : parsedPayload(body)
  const branches = pushedBranches(payload)
  // A push of tags alone.
  if (branches?.length === 0) return { kind: 'other' }
  return { kind: 'push', branches, defaultBranch: defaultBranchIn(payload) }
}

/** Whether an event is a push that may change a branch. @param branch undefined for the main branch */
export function changesBranch(event: AnnouncedEvent, branch: string | undefined): boolean {
  if (event.kind === 'other') return false
  const wanted = branch ?? event.defaultBranch
  return wanted === undefined || event.branches === undefined || event.branches.includes(wanted)
}

/** The branches that a push has changed; undefined if the payload does not name any refs. */
function pushedBranches(payload: unknown): string[] | undefined {
  if (!isRecord(payload)) return undefined
  const { ref, push } = payload
  if (typeof ref === 'string') return /^refs\/heads\/(.+)$/.exec(ref)?.slice(1) ?? []
  const changes: unknown = isRecord(push) ? push['changes'] : undefined
  if (!Array.isArray(changes)) return undefined
  // Bitbucket names every ref of a push. `new` is null for a ref that was deleted.
  return changes.flatMap((change: unknown) => {
    const named: unknown = isRecord(change) ? (change['new'] ?? change['old']) : undefined
    return isRecord(named) && named['type'] === 'branch' && typeof named['name'] === 'string'
      ? [named['name']]
      : []
  })
}

function defaultBranchIn(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined
  for (const field of ['repository', 'project']) {
    const named = payload[field]
    const branch = isRecord(named) ? named['default_branch'] : undefined
    if (typeof branch === 'string') return branch
  }
  return undefined
}

/** The payload of a body: JSON, or a form whose field `payload` is JSON, as GitHub sends if its webhook has that content type. */
function parsedPayload(body: string): unknown {
  try {
    const json = body.startsWith('payload=') ? new URLSearchParams(body).get('payload') : body
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}
