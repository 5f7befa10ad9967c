import { Type } from 'typebox'
import { onCustomHostname, onCustomHostnameIfThere } from '../access/checks/on-hostname.ts'
import { ABSENT, route } from '../http/route.ts'
import {
  challengeName,
  CustomHost,
  CustomHostname,
  recordCheck,
  releaseHostname,
  toCustomHostname,
} from '../model/sites/custom-hostname.ts'

const InHostname = Type.Object({ hostname: CustomHost })

export const getCustomHostname = route({
  method: 'GET',
  path: '/v1/custom-hostnames/:hostname',
  summary: 'Get a custom host name of a site',
  access: onCustomHostname('read'),
  params: InHostname,
  returns: CustomHostname,
  async handler({ urls, customHostname }) {
    return toCustomHostname(urls, customHostname)
  },
})

export const dnsRevalidateCustomHostname = route({
  method: 'PATCH',
  path: '/v1/custom-hostnames/:hostname',
  summary: 'Check the DNS record of a custom host name',
  description:
    'If the record in `verification` exists, the site is served at the host name. Otherwise, it is not served there any more. The request fails with 503 if the DNS does not answer, and then nothing changes.',
  access: onCustomHostname('create'),
  params: InHostname,
  audit: 'site.custom-hostname.check',
  prepare: ({ resolveTxt, params }) => resolveTxt(challengeName(params.hostname)),
  async handler({ tx, customHostname, prepared: records, now, audit }) {
    const { hostname, challenge, isActive } = customHostname
    const isProved = records.includes(challenge)
    await recordCheck(tx, customHostname, isProved, now)
    audit({
      target: { type: 'custom-hostname', id: hostname, label: hostname },
      before: { isActive: isActive === 1 },
      after: { isActive: isProved },
    })
  },
})

export const removeCustomHostname = route({
  method: 'DELETE',
  path: '/v1/custom-hostnames/:hostname',
  summary: 'Remove a custom host name of a site',
  description: 'The site is then served at the host name of its organization only.',
  access: onCustomHostnameIfThere('create'),
  params: InHostname,
  status: 205,
  audit: 'site.custom-hostname.delete',
  async handler({ tx, found, now, audit }) {
    if (!found) return ABSENT
    const { hostname, siteId, isActive } = found.customHostname
    audit({
      target: { type: 'custom-hostname', id: hostname, label: hostname },
      before: { isActive: isActive === 1 },
    })
    if (siteId !== null) await releaseHostname(tx, siteId, now, hostname)
    return undefined
  },
})
