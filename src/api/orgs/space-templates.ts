import { onOrg } from '../../access/checks/on.ts'
import { listItems, listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import { SPACE_TEMPLATES, SpaceTemplate } from '../../model/content/space-template.ts'

export const listSpaceTemplates = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/space-templates',
  summary: 'List the templates of spaces, in the order of their ids',
  description:
    'A template has pages to begin with. `POST /v1/orgs/{organizationId}/spaces` creates a space from one.',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(SpaceTemplate),
  handler: ({ page }) => listItems(SPACE_TEMPLATES, page, { key: ({ id }) => [id] }),
})
