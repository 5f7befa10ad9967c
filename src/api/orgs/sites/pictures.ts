import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { conflict } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InSite, Uri } from '../../../model/common.ts'
import {
  PICTURE_BODY_LIMIT,
  pictureBase64,
  pictureOfRequest,
  PICTURES,
} from '../../../model/content/files/picture.ts'
import { useBlobs } from '../../../model/content/files/stored-file.ts'
import { because } from '../../../core/languages/reasons.ts'

export const uploadSitePicture = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/pictures',
  summary: 'Upload a picture for the look of a site',
  description:
    'The `url` in the response can be used in the appearance of the site, such as for `header.logo` and `favicon.icon`. The server keeps the picture with a space of the site, for as long as that space exists. The request fails with 409 if the site has no space.',
  access: onSite('create'),
  params: InSite,
  bodyLimit: PICTURE_BODY_LIMIT,
  body: Type.Object({ base64: pictureBase64('SVG, PNG, JPEG, GIF or WebP') }),
  returns: Type.Object({ url: Uri }, { title: 'SitePicture' }),
  status: 201,
  audit: 'site.picture.upload',
  async prepare({ body, blobs }) {
    const { bytes, contentType } = pictureOfRequest(body, 'body.base64', PICTURES)
    return { ...(await blobs.put(bytes)), contentType }
  },
  async handler({ tx, urls, site, prepared, audit }) {
    const { hash, size, contentType } = prepared
    const space = await tx
      .selectFrom('siteSpace')
      .innerJoin('space', 'space.id', 'siteSpace.spaceId')
      .select('space.id')
      .where('siteSpace.siteId', '=', site.id)
      .where('space.deletedAt', 'is', null)
      .orderBy('siteSpace.id')
      .executeTakeFirst()
    if (!space) throw conflict(because('site-without-space-for-picture'))
    await useBlobs(tx, space.id, [{ hash, size, contentType }])
    audit({ target: { type: 'site', id: site.id, label: site.title }, after: { hash, size, contentType } })
    return { url: urls.file(space.id, hash, `picture.${PICTURES[contentType]}`) }
  },
})
