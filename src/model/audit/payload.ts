type Fields = Record<string, unknown>

const TEXT_MAX = 1000
const ITEMS_MAX = 100
const DEPTH_MAX = 4

/**
 * The fields whose values the audit log stores. Of any other field it stores only the name, so that a new field which
 * holds a secret is safe by default: tokens, hashes, certificates, and addresses, which can contain a key.
 */
const KEPT = new Set(
  `id object title name displayName description placeholder type options emoji language languages editMode visibility
  published hostname basename proxy adaptiveContent enabled emailDomains emailDomain useCase communityType sso ai
  inviteLinks checkExternalLinks role defaultRole defaultLevel defaultContent mergeRules level disabled readOnly expiresAt deletedAt
  organization organizationId collection collectionId parent parentId position before after space spaceId site siteId
  siteSpace siteSpaceId section sectionId team teamId user userId users teams members add remove owner owners email
  emails invited failed redundant burst revision revisionId importedResources totalResources source format kind
  size contentType path slug isDefault default draft subject status items from to permission spaces collections sites grants
  changeRequest branch commit result provider authorizedFor issuer entityID clientID signRequests allowUnsolicited trustEmails defaultTeam postedComments`.split(
    /\s+/,
  ),
)

/** Stored whole, because their keys are chosen by users. Rows hold them as JSON text. */
const WHOLE = new Set([
  'mergeRules',
  'defaultContent',
  'values',
  'options',
  'languages',
  'emailDomains',
  'terms',
])

/**
 * The payload of a change, without secrets: the fields that differ, before and after.
 * @param sent the names of the fields in the request
 */
export function recorded(before: object | undefined, after: object | undefined, sent: string[]) {
  const now = after && kept(after as Fields)
  const then = before && kept(alike(before as Fields, (after ?? {}) as Fields))
  const fields = sent.length > 0 ? { fields: sent } : {}
  if (!then || !now) return { ...(then && { before: then }), ...(now && { after: now }), ...fields }

  const changed = Object.keys(now).filter((key) => written(then[key]) !== written(now[key]))
  // A row has columns that its resource returns under other names; fields that were not sent did not change.
  const reported = changed.filter((key) => key in then || sent.includes(key))
  return { before: pick(then, reported), after: pick(now, reported), ...fields }
}

/** Their labels are an organization's. Those of tokens and passkeys are a user's own, and no concern of organizations. */
const LABELLED = new Set<unknown>(['saml-provider', 'oidc-provider'])

function kept(fields: Fields, depth = 0): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'label') return LABELLED.has(fields.object) ? [[name, bounded(value)]] : []
    if (WHOLE.has(name)) return [[name, bounded(value)]]
    // The address of a share link contains its key.
    if (name === 'urls') return []
    if (!isTree(value)) return KEPT.has(name) && value !== undefined ? [[name, bounded(value)]] : []
    const inside = depth < DEPTH_MAX ? keptInside(name, value, depth) : undefined
    return inside === undefined ? [] : [[name, inside]]
  })
  return Object.fromEntries(entries)
}

function keptInside(name: string, value: object, depth: number): unknown {
  if (Array.isArray(value)) {
    if (!KEPT.has(name)) return undefined
    return value
      .slice(0, ITEMS_MAX)
      .map((item: unknown) => (isTree(item) ? kept(item as Fields, depth + 1) : bounded(item)))
  }
  const inside = kept(value as Fields, depth + 1)
  return Object.keys(inside).length > 0 ? inside : undefined
}

function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  if (text.length <= TEXT_MAX) return value
  return typeof value === 'string' ? `${value.slice(0, TEXT_MAX)}…` : `${text.slice(0, TEXT_MAX)}…`
}

/** Converts a row's fields to those of its resource: flags to booleans, JSON text to values. */
function alike(row: Fields, resource: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const shown = resource[name]
      if (typeof shown === 'boolean' && typeof value === 'number') return [name, value === 1]
      if (WHOLE.has(name) && typeof value === 'string') return [name, JSON.parse(value)]
      return [name, value]
    }),
  )
}

/** A value as JSON, for comparison. A column's null equals a resource's empty string. */
function written(value: unknown): string {
  return JSON.stringify(value === '' ? null : (value ?? null))
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))
}

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null
