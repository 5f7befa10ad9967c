import { type Static, type TSchema, Type } from 'typebox'
import { ScimFault } from '../../core/scim/fault.ts'
import { parseFilter } from '../../core/scim/filter.ts'
import { Timestamp, Uri } from '../common.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A page of results has at most so many resources. */
export const MOST_SCIM_RESULTS = 200
const DEFAULT_RESULTS = 100

const Schemas = Type.Array(Type.String())
const Meta = Type.Object({
  resourceType: Type.String(),
  created: Timestamp,
  lastModified: Timestamp,
  location: Uri,
})

/** A member of the organization, as RFC 7643, section 4.1, describes users. */
export const ScimUser = Type.Object({
  schemas: Schemas,
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  userName: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  name: Type.Optional(
    Type.Object({
      formatted: Type.Optional(Type.String()),
      givenName: Type.Optional(Type.String()),
      familyName: Type.Optional(Type.String()),
    }),
  ),
  emails: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), type: Type.String(), primary: Type.Boolean() })),
  ),
  active: Type.Optional(Type.Boolean()),
  groups: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), $ref: Uri, display: Type.String(), type: Type.String() })),
  ),
  meta: Type.Optional(Meta),
})
export type ScimUser = Static<typeof ScimUser>

/** A team of the organization, as RFC 7643, section 4.2, describes groups. */
export const ScimGroup = Type.Object({
  schemas: Schemas,
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  members: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.String(),
        display: Type.String(),
        type: Type.String(),
        $ref: Uri,
      }),
    ),
  ),
  meta: Type.Optional(Meta),
})
export type ScimGroup = Static<typeof ScimGroup>

/** A page of results (RFC 7644, section 3.4.2). */
export const scimListOf = (item: TSchema) =>
  Type.Object({
    schemas: Schemas,
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(item),
  })

const Text = Type.Optional(Type.String({ maxLength: 4000 }))

/** The attributes that a response has. */
export const ScimAttributes = Type.Object({ attributes: Text, excludedAttributes: Text })

/** The query of a list. Values out of range are corrected, as RFC 7644, section 3.4.2.4, asks for. */
export const ScimListQuery = Type.Object({
  ...ScimAttributes.properties,
  filter: Text,
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
})

/** A resource in a request. Providers send attributes that Lectern does not know, with names in any case. */
export const ScimBody = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })

/** A PATCH. */
export const ScimPatch = Type.Object({ schemas: Type.Optional(Type.Unknown()), Operations: Type.Unknown() })

/** The part of a list that a query asks for, and the comparisons of its filter. */
export function scimPageOf({
  filter,
  startIndex = 1,
  count = DEFAULT_RESULTS,
}: Static<typeof ScimListQuery>) {
  return {
    terms: filter === undefined || filter.trim() === '' ? [] : parseFilter(filter),
    offset: Math.max(1, Math.min(startIndex, 1_000_000_000)) - 1,
    limit: Math.max(0, Math.min(count, MOST_SCIM_RESULTS)),
  }
}

/** A page of results. */
export function toScimList<T>(total: number, offset: number, resources: T[]) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** Whether a response has an attribute. `id` and `schemas` are always there. */
export function showsOf({ attributes, excludedAttributes }: Static<typeof ScimAttributes>) {
  const wanted = namesIn(attributes)
  const excluded = namesIn(excludedAttributes)
  return (name: string): boolean => {
    const key = name.toLowerCase()
    if (key === 'id' || key === 'schemas') return true
    return wanted.size > 0 ? wanted.has(key) : !excluded.has(key)
  }
}

/** The attributes in a list such as `userName,name.givenName`, in lower case and without sub-attributes. */
function namesIn(list = ''): Set<string> {
  const names = list.split(',').map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:/, ''),
  )
  return new Set(names.filter(Boolean).map((name) => name.split('.', 1)[0]!))
}

/** The resource with the attributes that the request wants. */
export function onlyShown<T extends object>(resource: T, shows: (name: string) => boolean): T {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => shows(name))) as T
}

export const unknownAttribute = (path: string, known: string) =>
  new ScimFault('invalidFilter', `A filter cannot compare "${path}"; it can compare ${known}`)
