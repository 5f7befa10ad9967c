import { type Static, type TSchema, Type } from 'typebox'
import { ROLES } from '../access/roles.ts'
import type { Role } from '../db/schema.ts'
import { ID_PATTERN } from '../core/id.ts'

/** An id in a path or a body. */
export const Id = Type.String({ pattern: ID_PATTERN })

/** ISO-8601; answered in UTC with milliseconds. A leap second is none of the times that a computer knows. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
})

/** An absolute address; at most 2048 characters (api-facts, notation). */
export const Uri = Type.String({ format: 'uri', maxLength: 2048 })

/** An address that a browser may be sent to. */
export const WebUri = Type.String({ format: 'uri', maxLength: 2048, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' })

/** What a thing is called: not blank, at most so many characters. */
export const titleOf = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** One of the given words. */
export function oneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** The schema, or null. */
export function nullable<S extends TSchema>(schema: S, options: object = {}) {
  const { type, enum: values, ...rest } = schema as S & { type?: string; enum?: unknown[] }
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

/** Access that a space or collection gives by default: a role, nobody (null), or what its parent gives. */
export const DefaultLevelSchema = Type.Unsafe<Role | 'inherit' | null>({
  type: ['string', 'null'],
  enum: [...ROLES, 'inherit', null],
})

/** The path of a thing of an organization. */
export const InOrganization = Type.Object({ organizationId: Id })
export const InSpace = Type.Object({ spaceId: Id })
export const InCollection = Type.Object({ collectionId: Id })
export const InSite = Type.Object({ organizationId: Id, siteId: Id })

/** Leaves out what is undefined or null: optional fields are absent, never null (api-facts 3). */
export function present<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as never
}

/** A schema that refers to a titled one around it, by its title. */
export function recursive<T>(title: string) {
  return Type.Unsafe<T>({ 'x-recursive': title })
}
