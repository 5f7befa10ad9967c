import { Type } from 'typebox'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { InSpace, WebUri } from '../../model/common.ts'
import { Embed, findEmbed } from '../../model/content/embed.ts'
import { isEmbedded } from '../../model/sites/published/content/shown-embeds.ts'
import { onReadableSpace } from '../../model/sites/published/on-reader.ts'

export const getEmbedByUrlInSpace = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/embed',
  summary: 'Get what a page shows for a web address',
  description:
    'For a video or other content of a site that the server knows, `html` has a frame. For other pages, the response has their title, site and icon. The server asks the site of the address, and keeps the result for a day. A site token reads only addresses that pages embed.',
  access: onReadableSpace(),
  readers: true,
  params: InSpace,
  query: Type.Object({ url: WebUri }),
  returns: Embed,
  async handler({ db, fetch, now, space, reading, query }) {
    if (reading && !(await isEmbedded(db, reading, query.url))) throw notFound('embed')
    return findEmbed({ fetch, now }, query.url, space.organizationId)
  },
})
