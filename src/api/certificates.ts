import { Type } from 'typebox'
import { anyone } from '../access/checks/on.ts'
import { notFound } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { servesHost } from '../model/sites/served-hosts.ts'

export const checkCertificateDomain = route({
  method: 'GET',
  path: '/v1/certificates/ask',
  summary: 'Check that a certificate may be requested for a host name',
  description:
    'For proxies that request certificates on demand, such as Caddy with `on_demand_tls`. The response is 200 for the host of this server, the host names of organizations, and the verified custom host names of published sites; for all others, it is 404.',
  access: anyone(),
  query: Type.Object({
    domain: Type.String({ minLength: 1, maxLength: 1024, description: 'A host name without a port' }),
  }),
  returns: Type.Object({ domain: Type.String() }, { title: 'CertificateDomain' }),
  async handler({ db, urls, query: { domain } }) {
    if (!(await servesHost(db, urls, domain.toLowerCase()))) throw notFound('host name')
    return { domain }
  },
})
