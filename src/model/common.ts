import { type Static, type TSchema, Type } from 'typebox'
import { ROLES } from '../access/roles/roles.ts'
import type { Role } from '../db/schema.ts'
import { ID_PATTERN } from '../core/data/id.ts'
import type { TextValues } from '../core/languages/wording.ts'
import { REASON_SCHEMAS } from '../http/errors.ts'

/** Completes "must" in the message about a value that does not match `pattern`. */
const idWords = 'be an id: 1 to 64 letters, digits, "_" or "-"'

/** An id in a path or a body. */
export const Id = Type.String({ pattern: ID_PATTERN, 'x-pattern': idWords })
/** The pattern of an id: for the keys of an object, or with a description. */
export const idPattern = { pattern: ID_PATTERN, 'x-pattern': idWords }

/** ISO 8601 with a time zone; responses use UTC with milliseconds. `Date` cannot represent leap seconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
  'x-pattern': 'be a date and time without leap seconds, such as "2026-01-31T12:00:00Z"',
})

/** The fields with the reason of a message, beside `message`. */
export const ReasonOfMessage = {
  reason: Type.Optional(Type.Unsafe<string>(REASON_SCHEMAS.reason)),
  parameters: Type.Optional(Type.Unsafe<TextValues>(REASON_SCHEMAS.parameters)),
}

/** An absolute URL. */
export const Uri = Type.String({ format: 'uri', maxLength: 2048 })

/** Of texts and URLs that readers of a site see: a condition, which nothing would evaluate there, is refused. */
export const UNCONDITIONAL = { 'x-unconditional': true }

/** A URL that a browser may open, without a condition. */
export const WebUri = Type.String({
  format: 'uri',
  maxLength: 2048,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  'x-reason': 'not-web-url',
  ...UNCONDITIONAL,
})

/** A title or name that is not blank and has no condition. */
export const titleSchema = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: '\\S', 'x-reason': 'blank', ...UNCONDITIONAL })

/** A string enumeration. */
export function oneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** The schema, or null. It has no title, because the OpenAPI document has one schema of a title, without null. */
export function nullable<S extends TSchema>(schema: S, options: object = {}) {
  const {
    type,
    enum: values,
    title: _,
    ...rest
  } = schema as S & { type?: string; enum?: unknown[]; title?: string }
  if (typeof type !== 'string')
    return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...options })
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
    ...options,
  })
}

export const RoleSchema = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] })

/**
 * The access to a space, collection or site by default: a role, none (`null`), or that of its parent. A site inherits from
 * the organization.
 */
export const DefaultLevelSchema = Type.Unsafe<Role | 'inherit' | null>({
  type: ['string', 'null'],
  enum: [...ROLES, 'inherit', null],
})

/** The path parameters of resources in an organization. */
export const InOrganization = Type.Object({ organizationId: Id })
export const InSpace = Type.Object({ spaceId: Id })
export const InCollection = Type.Object({ collectionId: Id })
export const InSite = Type.Object({ organizationId: Id, siteId: Id })

/** The API path of a site, below `/v1`. */
export const pathOfSite = ({ organizationId, siteId }: Static<typeof InSite>) =>
  `/orgs/${organizationId}/sites/${siteId}`

/** The changes of an update with the time of it. Without any changes, the time of the last update is kept. */
export function withUpdatedAt<T extends object>(
  row: { updatedAt: string },
  changes: T,
  now: Date,
): T & { updatedAt: string } {
  const isChanged = Object.values(changes).some((value) => value !== undefined)
  return { ...changes, updatedAt: isChanged ? now.toISOString() : row.updatedAt }
}

/** Removes undefined and null fields: in responses, optional fields are absent and never null. */
export function omitNullish<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as never
}

/** A schema that refers by title to a schema that encloses it. */
export function recursive<T>(title: string) {
  return Type.Unsafe<T>({ 'x-recursive': title })
}

/** The key of a share link in the query of operations that its holders may call. */
export const ShareKeyQuery = {
  shareKey: Type.Optional(
    Type.String({
      maxLength: 512,
      description:
        'The key of a share link: the caller sees what its holders see of the site, and addresses contain the key. A key that is not valid is ignored.',
    }),
  ),
}
