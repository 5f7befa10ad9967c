import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { route } from '../../http/route.ts'
import { InOrganization, oneOf } from '../../model/common.ts'

export const listAuditEventActions = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/audit-event-actions',
  summary: 'List the actions of audit events',
  access: onOrg('admin'),
  params: InOrganization,
  returns: Type.Object({
    items: Type.Array(
      Type.Object(
        { object: oneOf(['audit-event-action']), id: Type.String(), label: Type.String() },
        { title: 'AuditEventAction' },
      ),
    ),
  }),
  async handler({ auditActions }) {
    return {
      items: auditActions().map((action) => ({ object: 'audit-event-action' as const, ...action })),
    }
  },
})
