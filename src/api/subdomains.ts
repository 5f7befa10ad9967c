import { type Static, Type } from 'typebox'
import { onSubdomain } from '../access/checks/on-hostname.ts'
import type { Row } from '../db/schema.ts'
import { route } from '../http/route.ts'
import { oneOf } from '../model/common.ts'

const Subdomain = Type.Object(
  {
    object: oneOf(['subdomain']),
    subdomain: Type.String(),
    target: Type.Object({ type: oneOf(['organization']), organization: Type.String() }),
    isActive: Type.Boolean(),
  },
  { title: 'Subdomain' },
)

export const getSubdomain = route({
  method: 'GET',
  path: '/v1/subdomains/:subdomain',
  summary: 'Get the subdomain at which the sites of an organization are served',
  access: onSubdomain(),
  params: Type.Object({
    subdomain: Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
      'x-pattern':
        'have 3 to 32 letters from a to z, digits and "-", and begin and end with a letter or digit',
    }),
  }),
  returns: Subdomain,
  async handler({ organization, params }) {
    return toSubdomain(params.subdomain, organization)
  },
})

function toSubdomain(subdomain: string, { id }: Row<'organization'>): Static<typeof Subdomain> {
  return {
    object: 'subdomain',
    subdomain,
    target: { type: 'organization', organization: id },
    isActive: true,
  }
}
