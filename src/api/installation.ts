import { onInstallation } from '../access/checks/on-installation.ts'
import { route } from '../http/route.ts'
import { FailedSignIns, failedSignIns } from '../model/installation/failed-sign-ins.ts'
import { Installation, InstallationSizes, overviewOf } from '../model/installation/overview.ts'
import { sizesOf } from '../model/installation/sizes.ts'

export const getInstallation = route({
  method: 'GET',
  path: '/v1/installation',
  summary: 'Get the state of the installation',
  description:
    'Returns the copies of the server that run, jobs, mail, the search backlog, slow requests of the last hour, and what the health checks found. A copy reports every 30 seconds.',
  access: onInstallation(),
  returns: Installation,
  handler: ({ db, own, mail, blobs, now }) => overviewOf(db, { own, mail, blobs, now }),
})

export const getInstallationSizes = route({
  method: 'GET',
  path: '/v1/installation/sizes',
  summary: 'Get the sizes of the database and the files',
  description:
    'The server measures them at most every five minutes, and counts at most a million rows of each kind. It returns the 100 organizations with the most bytes of files.',
  access: onInstallation(),
  returns: InstallationSizes,
  handler: async ({ db, own, now }) => ({
    object: 'installation-sizes' as const,
    ...(await sizesOf(db, own, now)),
  }),
})

export const getFailedSignIns = route({
  method: 'GET',
  path: '/v1/installation/failed-sign-ins',
  summary: 'Get the failed sign-ins of the last day',
  description:
    'Counts wrong passwords by the hour, and by the network of the client: the /24 of an IPv4 address, or the /64 of an IPv6 address. It returns at most 100 networks. Copies of the server report every 30 seconds.',
  access: onInstallation(),
  returns: FailedSignIns,
  handler: ({ db, now }) => failedSignIns(db, now),
})
