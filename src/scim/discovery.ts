import { Type } from 'typebox'
import { onProvisioning } from '../access/checks/on-provisioning.ts'
import { missing } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import {
  GROUP_SCHEMA,
  MOST_SCIM_RESULTS,
  scimListOf,
  toScimList,
  USER_SCHEMA,
} from '../model/scim/resources.ts'
import { because } from '../core/languages/reasons.ts'

/** The forms of these responses are those of RFC 7643, sections 5 to 7. */
const Described = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

export const getScimServiceProviderConfig = route({
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What this server supports of SCIM',
  access: onProvisioning(),
  returns: Described,
  async handler({ urls }) {
    return {
      schemas: [CONFIG_SCHEMA],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: MOST_SCIM_RESULTS },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'SCIM token',
          description: 'The SCIM token of the organization, as a bearer token (RFC 6750)',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: urls.scim('/ServiceProviderConfig') },
    }
  },
})

export const listScimResourceTypes = route({
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  summary: 'The types of resources',
  access: onProvisioning(),
  returns: scimListOf(Described),
  async handler({ urls }) {
    const types = resourceTypes(urls)
    return toScimList(types.length, 0, types)
  },
})

export const getScimResourceType = route({
  method: 'GET',
  path: '/scim/v2/ResourceTypes/:name',
  summary: 'A type of resources',
  access: onProvisioning(),
  params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
  returns: Described,
  async handler({ urls, params }) {
    const found = resourceTypes(urls).find(({ id }) => id === params.name)
    if (!found) throw missing(because('scim-type-unknown'))
    return found
  },
})

export const listScimSchemas = route({
  method: 'GET',
  path: '/scim/v2/Schemas',
  summary: 'The schemas of resources',
  access: onProvisioning(),
  returns: scimListOf(Described),
  async handler({ urls }) {
    const schemas = resourceSchemas(urls)
    return toScimList(schemas.length, 0, schemas)
  },
})

export const getScimSchema = route({
  method: 'GET',
  path: '/scim/v2/Schemas/:schema',
  summary: 'A schema of resources',
  access: onProvisioning(),
  params: Type.Object({ schema: Type.String({ maxLength: 255 }) }),
  returns: Described,
  async handler({ urls, params }) {
    const found = resourceSchemas(urls).find(({ id }) => id === params.schema)
    if (!found) throw missing(because('scim-schema-unknown'))
    return found
  },
})

function resourceTypes(urls: Urls) {
  return (['User', 'Group'] as const).map((name) => ({
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? 'Members of the organization' : 'Teams of the organization',
    schema: name === 'User' ? USER_SCHEMA : GROUP_SCHEMA,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: urls.scim(`/ResourceTypes/${name}`) },
  }))
}

interface Attribute {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  description: string
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: 'readOnly' | 'readWrite' | 'immutable'
  uniqueness?: 'none' | 'server'
  canonicalValues?: string[]
  referenceTypes?: string[]
  subAttributes?: object[]
}

const attribute = (name: string, more: Attribute) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

function resourceSchemas(urls: Urls) {
  const schemaOf = (id: string, name: string, description: string, attributes: object[]) => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: urls.scim(`/Schemas/${id}`) },
  })
  return [
    schemaOf(USER_SCHEMA, 'User', 'A member of the organization', USER_ATTRIBUTES),
    schemaOf(GROUP_SCHEMA, 'Group', 'A team of the organization', GROUP_ATTRIBUTES),
  ]
}

const USER_ATTRIBUTES = [
  attribute('userName', {
    description: 'The name of the user at the provider; unique in the organization',
    required: true,
    uniqueness: 'server',
  }),
  attribute('externalId', { description: 'The id of the user at the provider', caseExact: true }),
  attribute('displayName', { description: 'The name to show' }),
  attribute('name', {
    type: 'complex',
    description: 'The parts of the name',
    subAttributes: [
      attribute('formatted', { description: 'The whole name' }),
      attribute('givenName', { description: 'The given name' }),
      attribute('familyName', { description: 'The family name' }),
    ],
  }),
  attribute('emails', {
    type: 'complex',
    description: 'The e-mail address of the account. If there are several, the primary one',
    multiValued: true,
    subAttributes: [
      attribute('value', { description: 'The address' }),
      attribute('type', { description: 'Always "work"' }),
      attribute('primary', { type: 'boolean', description: 'Always true' }),
    ],
  }),
  attribute('active', { type: 'boolean', description: 'Whether the user has access to the organization' }),
  attribute('groups', {
    type: 'complex',
    description: 'The teams of the user. To change them, change the members of the groups',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', { description: 'The id of the group', mutability: 'readOnly', caseExact: true }),
      attribute('$ref', {
        type: 'reference',
        description: 'The URL of the group',
        mutability: 'readOnly',
        caseExact: true,
        referenceTypes: ['Group'],
      }),
      attribute('display', { description: 'The name of the group', mutability: 'readOnly' }),
      attribute('type', {
        description: 'Always "direct", because a team has no teams in it',
        mutability: 'readOnly',
        canonicalValues: ['direct'],
      }),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', { description: 'The name of the team', required: true }),
  attribute('externalId', { description: 'The id of the group at the provider', caseExact: true }),
  attribute('members', {
    type: 'complex',
    description: 'The members of the team',
    multiValued: true,
    subAttributes: [
      attribute('value', { description: 'The id of the user', mutability: 'immutable', caseExact: true }),
      attribute('display', { description: 'The name of the user', mutability: 'readOnly' }),
      attribute('type', { description: 'Always "User"', mutability: 'immutable' }),
      attribute('$ref', { type: 'reference', description: 'The URL of the user', mutability: 'immutable' }),
    ],
  }),
]
