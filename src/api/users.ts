import { Type } from 'typebox'
import { anyone } from '../access/checks/on.ts'
import { onUser } from '../access/checks/on-people.ts'
import { LANGUAGES } from '../core/languages/content-languages.ts'
import { isTimeZone } from '../model/people/time-zone.ts'
import { invalid, invalidField, notFound } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { Id, nullable, oneOf, titleSchema, WebUri, withUpdatedAt } from '../model/common.ts'
import { fileDownload } from '../model/content/download.ts'
import { PICTURE_BODY_LIMIT, SentPicture } from '../model/content/files/picture.ts'
import { findPhoto, storePhoto } from '../model/content/files/user-photo.ts'
import {
  changeUserSettings,
  FIRST_STEPS,
  OwnUser,
  signedPhoto,
  toOwnUser,
  toUser,
  User,
} from '../model/people/user.ts'
import { onReadableUser } from '../model/sites/published/on-reader.ts'
import { because } from '../core/languages/reasons.ts'

const OfUser = Type.Object({ userId: Id })

export const getUserById = route({
  method: 'GET',
  path: '/v1/users/:userId',
  summary: 'Get a user who shares an organization with the caller',
  description:
    'Guests see no e-mail address but their own. A site token reads the name and the picture of the users whom pages of the site mention.',
  access: onReadableUser(),
  readers: true,
  params: OfUser,
  returns: User,
  async handler({ urls, user, addressShown }) {
    return toUser(urls, user, addressShown)
  },
})

export const updateUserById = route({
  method: 'PATCH',
  path: '/v1/users/:userId',
  summary: 'Update the profile of a user',
  description:
    'Users can update only themselves. Fields that are not sent keep their values, and `null` clears a field. A picture is a `photo` that the server keeps, or a `photoURL` elsewhere; send one of them.',
  access: onUser('self'),
  params: OfUser,
  bodyLimit: PICTURE_BODY_LIMIT,
  body: Type.Object({
    displayName: Type.Optional(titleSchema(64)),
    photoURL: Type.Optional(nullable(WebUri)),
    photo: Type.Optional(nullable(SentPicture)),
    language: Type.Optional(nullable(oneOf(LANGUAGES))),
    timeZone: Type.Optional(
      nullable(
        Type.String({
          maxLength: 64,
          description: 'The name of a time zone of the IANA database, such as `Europe/Berlin`',
        }),
      ),
    ),
    firstSteps: Type.Optional(
      nullable(oneOf(FIRST_STEPS), {
        description: '`closed` hides the list of first steps in the console',
      }),
    ),
  }),
  returns: OwnUser,
  async prepare({ body: { photo, photoURL, timeZone }, blobs }) {
    if (photo !== undefined && photoURL !== undefined) throw invalid(because('photo-twice'))
    if (timeZone && !isTimeZone(timeZone))
      throw invalidField('body.timeZone', because('time-zone-unknown', { value: timeZone }))
    return photo && storePhoto(blobs, photo)
  },
  async handler({ tx, urls, user, body, prepared, now }) {
    const { displayName, photoURL, language, timeZone, firstSteps } = body
    // A client may send back the address of a picture that this server keeps.
    const isSame = photoURL !== undefined && photoURL === toUser(urls, user).photoURL
    const photoUrl = isSame ? undefined : photoURL === undefined ? prepared : photoURL
    await changeUserSettings(tx, user.id, { language, timeZone, firstSteps })
    const updated = await tx
      .updateTable('user')
      .set(withUpdatedAt(user, { displayName, photoUrl }, now))
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toOwnUser(urls, tx, updated)
  },
})

export const downloadUserPhoto = route({
  method: 'GET',
  path: '/v1/users/:userId/photo/:hash',
  summary: 'Download the picture of a user',
  description: 'No token is required. The request must carry the signature from the user’s `photoURL`.',
  access: anyone(),
  params: Type.Object({
    userId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'be a SHA-256 hash in hexadecimal' }),
  }),
  query: Type.Object({ signature: Type.String({ maxLength: 64 }) }),
  returns: 'download',
  media: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  async handler({ db, urls, blobs, conditions, params: { userId, hash }, query: { signature } }) {
    if (!urls.isSignatureOf(signedPhoto(userId, hash), signature)) throw notFound('picture')
    const photo = await findPhoto(db, blobs, userId, hash)
    if (!photo) throw notFound('picture')
    return fileDownload(blobs, photo, conditions)
  },
})
