import { Type } from 'typebox'
import { onSpace } from '../access/on.ts'
import { invalid } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { DefaultLevelSchema, InSpace, nullable, oneOf, Uri } from '../model/common.ts'
import { LANGUAGES, Space, SpaceEmoji, SpaceTitle, toSpace } from '../model/space.ts'

export const getSpaceById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId',
  summary: 'A space',
  access: onSpace('read'),
  params: InSpace,
  query: Type.Object({
    shareKey: Type.Optional(
      Type.String({ maxLength: 512, description: 'Resolves the addresses of share-link sites' }),
    ),
  }),
  returns: Space,
  async handler({ db, at, space, role }) {
    return toSpace(at, db, space, role)
  },
})

export const updateSpaceById = route({
  method: 'PATCH',
  path: '/v1/spaces/:spaceId',
  summary: 'Change a space',
  description:
    'Absent fields stay; null clears. A space has an emoji or an icon, not both: the one given takes the place of the other.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(nullable(SpaceEmoji)),
    icon: Type.Optional(nullable(Uri)),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
    defaultLevel: Type.Optional(DefaultLevelSchema),
    language: Type.Optional(nullable(oneOf(LANGUAGES))),
  }),
  returns: Space,
  async handler({ tx, at, body, space, role, now }) {
    if (body.emoji && body.icon) throw invalid('Send "emoji" or "icon", not both')

    const updated = await tx
      .updateTable('space')
      .set({
        ...body,
        ...(body.emoji && { icon: null }),
        ...(body.icon && { emoji: null }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSpace(at, tx, updated, role)
  },
})
