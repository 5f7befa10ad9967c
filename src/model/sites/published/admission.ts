/**
 * Decides whether a reader may see a site, and as which visitor. The decision is the same for pages, for the API with a
 * site token, and for its `shareKey`.
 */
import { hash } from 'node:crypto'
import { findOnSite } from '../../../access/checks/on-site.ts'
import { findSpace } from '../../../access/checks/on.ts'
import { PREVIEW_PARAMETER, readPreviewToken } from '../../../access/visitors/preview.ts'
import { atLeast } from '../../../access/roles/roles.ts'
import { hashSecret } from '../../../access/credentials/tokens.ts'
import { readVisitorToken, type VisitorTokenReading } from '../../../access/visitors/visitor-token.ts'
import { ANONYMOUS, isOpenToAll } from '../../../access/visitors/visitors.ts'
import { isRecord } from '../../../core/data/is-record.ts'
import { prepare } from '../../../db/prepare.ts'
import type { Reader } from '../../../db/schema.ts'
import type { ReaderProof, Sealing } from '../../../http/route.ts'
import type { ClaimsSchema } from '../adaptive-schema.ts'
import { acceptedClaims } from '../claims.ts'
import { signingKeyOf } from '../publishing-auth.ts'
import { keyOfShareLink } from '../share-link.ts'
import { fileSigner } from './resolve/file-address.ts'
import type { OpenSite, ServedSite } from './open-site.ts'
import { openTo, openToEveryone } from './open-to.ts'
import { decodePath } from './resolve/resolve.ts'
import { keyIn, shareLinkWith } from './resolve/share-key.ts'
import { type SitePreview, visitOf } from './visit.ts'

const FINGERPRINT_LENGTH = 22

/** The services that the decision about a reader needs. */
export interface AdmissionServices {
  db: Reader
  sealing: Sealing
  now: () => Date
}

/** A reader's request for admission to a site. */
export interface AskedEntry {
  /** The path within the site, which can begin with the key of a share link. */
  path: string
  /** The token that the backend of the site made for the reader. */
  token?: string | undefined
  /** The claims that the reader sends without a signature. */
  unsigned?: Record<string, unknown>
  /** The token of a preview. One that is not valid is as none. */
  preview?: string | undefined
  /** Whether the reader's browser sends what proves who they are with each request for a file too. */
  sendsCookies?: boolean
}

/** The answer to a reader's request for admission to a site. */
export type SiteEntry =
  | {
      kind: 'open'
      open: OpenSite
      /** The path below that of the site, without a key. */
      path: string
      proof: ReaderProof
      /** When the proof ends, if it says so. */
      expires: Date | undefined
    }
  /** The site was shared by a link before, and everyone may see it now, or those who sign in. */
  | { kind: 'moved'; path: string }
  | { kind: 'sign-in'; path: string; fallback: string | null; reason?: 'expired' | 'invalid' }
  /** For this reader, there is no site here. */
  | { kind: 'closed' }

/** Decides whether a reader may see a site. */
export async function enter(
  services: AdmissionServices,
  place: ServedSite,
  asked: AskedEntry,
): Promise<SiteEntry> {
  const keyed = keyIn(asked.path)
  const path = keyed ? (keyed.rest ?? '') : asked.path
  const { site, published } = place
  const sendsCookies = asked.sendsCookies ?? false
  const preview = asked.preview === undefined ? undefined : await previewProof(services, place, asked.preview)
  if (preview) {
    const { proof, expires, shown } = preview
    const open = await openPreview(services, place, { proof, expires, sendsCookies }, shown)
    return open ? { kind: 'open', open, path, proof, expires } : { kind: 'closed' }
  }
  if (!published) return { kind: 'closed' }
  const isShared = site.visibility === 'share-link'
  if (!isShared && keyed) return { kind: 'moved', path }

  const { schema, key, fallback } = await authOf(services, place)
  const token = asked.token ? await readVisitorToken(asked.token, key, services.now()) : undefined
  if (site.visibility === 'visitor-auth' && !token?.ok)
    return { kind: 'sign-in', path, fallback, ...(token ? { reason: token.reason } : {}) }
  const proof: ReaderProof = {
    claims: place.adaptive
      ? acceptedClaims(schema, token?.ok ? token.claims : {}, asked.unsigned ?? {})
      : ANONYMOUS.claims,
    ...(isShared && keyed ? { keyHash: hashSecret(keyed.key) } : {}),
    ...(isSignedIn(place, token) ? { signedBy: fingerprintOf(key) } : {}),
  }
  const expires = proof.signedBy && token?.ok ? token.expires : undefined
  const open = await openFor(services, place, { proof, expires, sendsCookies })
  return open ? { kind: 'open', open, path, proof, expires } : { kind: 'closed' }
}

/** The parameters that prove who a reader is, or open a file. No other server learns them. */
const SECRETS = new Set(['jwt_token', 'access_token', PREVIEW_PARAMETER, 'shareKey', 'reader', 'signature'])

/** A segment that an address does not keep, but follows: `.` or `..`, also with space around, which can get lost. */
const UPWARD = /^[\\\p{Cc}\s]*\.{1,2}[\\\p{Cc}\s]*$/u

/**
 * The sign-in page of the backend. It returns the reader to `location`, a path within the site with the query that the
 * reader asked for. A backend that appends it to the address of the site stays on the site.
 */
export function signInAddress(fallback: string, path: string, query: URLSearchParams): string {
  const url = new URL(fallback)
  const kept = new URLSearchParams([...query].filter(([name]) => !SECRETS.has(name)))
  const within = decodePath(path)
    .split('/')
    .filter((segment) => !UPWARD.test(segment))
    .join('/')
    .replace(/^[/\\\p{Cc}\s]+/u, '')
    .replaceAll(/[%?#\\\p{Cc}]/gu, encodeURIComponent)
  url.searchParams.set('location', within + (kept.size > 0 ? `?${kept.toString()}` : ''))
  return url.href
}

/** Whether it matters for what a reader sees that their token is valid. */
function isSignedIn({ adaptive, site }: ServedSite, token: VisitorTokenReading | undefined): boolean {
  return token?.ok === true && (adaptive || site.visibility === 'visitor-auth')
}

/** A reader who asks for a site, with what they proved. */
interface ProvenReader<P extends ReaderProof = ReaderProof> {
  proof: P
  /** When the proof ends, if it says so. */
  expires: Date | undefined
  /** Whether the proof comes with each request for a file too, so that its address needs no signature. */
  sendsCookies: boolean
}

/** The site as a reader with this proof sees it now; undefined if they may not, or not any more. */
export async function openFor(
  services: AdmissionServices,
  place: ServedSite,
  reader: ProvenReader,
): Promise<OpenSite | undefined> {
  const { db, sealing, now } = services
  const { proof, expires, sendsCookies } = reader
  const { id, visibility } = place.site
  if (proof.preview !== undefined)
    return openPreview(services, place, { ...reader, proof: { ...proof, preview: proof.preview } })
  if (!place.published) return undefined

  const { schema, key: signingKey } = await authOf(services, place)
  if (proof.signedBy !== undefined && proof.signedBy !== fingerprintOf(signingKey)) return undefined
  if (visibility === 'visitor-auth' && proof.signedBy === undefined) return undefined
  const link = proof.keyHash === undefined ? undefined : await shareLinkWith(db, id, proof.keyHash)
  if (visibility === 'share-link' && !link) return undefined

  const visitor = place.adaptive ? { claims: acceptedClaims(schema, proof.claims, {}) } : ANONYMOUS
  const isOpen = isOpenToAll({ published: 1, visibility })
  if (isOpen && !place.adaptive) return openToEveryone(db, place)
  const key = visibility === 'share-link' && link ? keyOfShareLink(sealing, link) : undefined
  const visit = visitOf(visitor, { storedBy: visibility === 'visitor-auth' ? 'nobody' : 'reader', key })
  // Files need no signature if an open site shows them to readers without claims, or if a key alone opens them.
  const isSigned = visibility === 'visitor-auth' || visit.context !== ''
  if (!isSigned || sendsCookies) return openTo(db, place, visit)
  const { signFile, version } = fileSigner(
    sealing,
    id,
    { ...proof, claims: visitor.claims },
    { now: now(), expires },
  )
  return openTo(db, place, { ...visit, signFile }, version)
}

/** Reads the proof in a preview token; undefined if it is not valid for this site, or its member may not preview it. */
async function previewProof(
  { db, sealing, now }: AdmissionServices,
  { site }: ServedSite,
  token: string,
): Promise<{ proof: PreviewProof; expires: Date; shown: ShownPreview } | undefined> {
  const read = readPreviewToken(sealing, token, now())
  if (read?.siteId !== site.id || !(await mayPreview(db, site, read.userId))) return undefined
  const unsigned = isRecord(read.claims.unsigned) ? read.claims.unsigned : {}
  return {
    proof: { claims: { ...read.claims, unsigned }, preview: read.userId },
    expires: new Date(read.until),
    shown: { token, look: read.look },
  }
}

type PreviewProof = ReaderProof & { preview: string }
type ShownPreview = Pick<SitePreview, 'token' | 'look'>

async function mayPreview(
  db: Reader,
  { id: siteId, organizationId }: Pick<ServedSite['site'], 'id' | 'organizationId'>,
  userId: string,
): Promise<boolean> {
  const found = await findOnSite(db, { userId }, { organizationId, siteId })
  return found !== undefined && atLeast(found.role, 'create')
}

/** A preview shows only spaces that the member who made it can read. */
async function openPreview(
  services: AdmissionServices,
  place: ServedSite,
  { proof, expires, sendsCookies }: ProvenReader<PreviewProof>,
  shown: ShownPreview = {},
): Promise<OpenSite | undefined> {
  const { db, sealing, now } = services
  const { site } = place
  const { preview: userId } = proof
  if (!(await mayPreview(db, site, userId))) return undefined
  const { schema } = await authOf(services, place)
  const visitor = place.adaptive ? { claims: acceptedClaims(schema, proof.claims, {}) } : ANONYMOUS
  const { signFile, version } = fileSigner(sealing, site.id, proof, { now: now(), expires })
  const visit = visitOf(visitor, {
    storedBy: 'nobody',
    ...(sendsCookies ? {} : { signFile }),
    preview: { userId, of: { kind: 'site' }, ...shown },
  })
  const open = await openTo(db, place, visit, sendsCookies ? '' : version)
  const readable = await Promise.all(
    open.variants.map(async ({ spaceId }) => (await findSpace(db, { userId }, spaceId)) !== undefined),
  )
  return { ...open, variants: open.variants.filter((_, i) => readable[i]) }
}

const authRows = prepare(
  (db, argument) =>
    db
      .selectFrom('site')
      .leftJoin('sitePublishingAuth', 'sitePublishingAuth.siteId', 'site.id')
      .leftJoin('siteAdaptiveSchema', 'siteAdaptiveSchema.siteId', 'site.id')
      .select(['sitePublishingAuth.sealedKey', 'sitePublishingAuth.fallbackUrl'])
      .select('siteAdaptiveSchema.jsonSchema')
      .where('site.id', '=', argument(0)),
  ([row]) => ({
    sealedKey: row?.sealedKey ?? null,
    fallback: row?.fallbackUrl ?? null,
    schema: row?.jsonSchema ? (JSON.parse(row.jsonSchema) as ClaimsSchema) : undefined,
  }),
)

/** How readers of a site prove who they are. */
export async function authOf(
  { db, sealing }: Pick<AdmissionServices, 'db' | 'sealing'>,
  { site }: ServedSite,
) {
  const { sealedKey, fallback, schema } = await authRows(db, site.id)
  return {
    key: signingKeyOf(sealing, site.id, sealedKey === null ? undefined : { sealedKey }),
    fallback,
    schema,
  }
}

/** Names a private key without telling it: it has 256 random bits. */
function fingerprintOf(key: string): string {
  return hash('sha256', `visitor key ${key}`, 'base64url').slice(0, FINGERPRINT_LENGTH)
}
