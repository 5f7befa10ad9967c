import { Type } from 'typebox'
import { demand, findSpace, needPlace, onSpace, onSpaceIfThere, onSpaceOrTrash } from '../access/on.ts'
import { conflict, invalid } from '../http/errors.ts'
import { GONE, route } from '../http/route.ts'
import { DefaultLevelSchema, Id, InSpace, nullable, oneOf, WebUri } from '../model/common.ts'
import { duplicate } from '../model/duplicate.ts'
import { keepAccess } from '../model/grant.ts'
import { checkedRules, rulesOf, SpaceMergeRules } from '../model/merge-rules.ts'
import { changeWithin } from '../model/change-within.ts'
import { endOf, moveTo, Position } from '../model/place.ts'
import { LANGUAGES, Space, SpaceEmoji, SpaceTitle, toSpace } from '../model/space.ts'
import { needTarget, transferThings, transferTold } from '../model/transfer.ts'
import { trashSpaces } from '../model/trash.ts'

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
    'Absent fields stay; null clears. A space has an emoji or an icon, not both: the one given takes the place of the other. Whoever sets a level that would shut themselves out keeps their role by a direct grant. Merge rules are changed by administrators of the space, and so is what would go around them: making a space `live` that has some.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(nullable(SpaceEmoji)),
    icon: Type.Optional(nullable(WebUri)),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
    defaultLevel: Type.Optional(DefaultLevelSchema),
    language: Type.Optional(nullable(oneOf(LANGUAGES))),
    mergeRules: Type.Optional(SpaceMergeRules),
  }),
  returns: Space,
  async handler({ tx, me, at, body: { mergeRules, ...body }, space, role, now }) {
    if (body.emoji && body.icon) throw invalid('Send "emoji" or "icon", not both')
    const { id, organizationId } = space
    const thing = { kind: 'space', id } as const
    const unlocks = body.editMode === 'live' && space.editMode !== 'live'
    if (mergeRules || (unlocks && (await rulesOf(tx, space)).length > 0))
      demand(role, 'admin', 'on this space')

    const update = async () => {
      const updated = await tx
        .updateTable('space')
        .set({
          ...body,
          ...(body.emoji && { icon: null }),
          ...(body.icon && { emoji: null }),
          ...(mergeRules && { mergeRules: await checkedRules(tx, organizationId, mergeRules) }),
          updatedAt: now.toISOString(),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const kept = await keepAccess(tx, me, thing, { organizationId, role, now })
      return toSpace(at, tx, updated, kept)
    }
    const sameLevel = body.defaultLevel === undefined || body.defaultLevel === space.defaultLevel
    return sameLevel ? update() : changeWithin(tx, { thing, role }, update)
  },
})

export const duplicateSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/duplicate',
  summary: 'Copy a space: content, files and settings, without its history',
  description:
    'The copy is at the end of the same place. Everything in it has new ids, and links in it lead to the copy. Who may do what is as on the original.',
  access: onSpace('create'),
  params: InSpace,
  returns: Space,
  status: 201,
  async handler({ tx, me, at, space, role, organizationRole, now, newId }) {
    const { organizationId, parent } = space
    await needPlace(tx, me, { organizationId, organizationRole }, parent)
    const copy = await duplicate(tx, space, { userId: me.userId, now, newId })
    return toSpace(at, tx, copy, role)
  },
})

export const moveSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/move',
  summary: 'Move a space into a collection, or to the top level',
  description:
    'An absent `parent` keeps it where it is, null is the top level. Without a `position` it goes to the end. 403 if that would give somebody a role above the caller’s own, or take one from them; 409 if it is there already.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({ parent: Type.Optional(nullable(Id)), position: Type.Optional(Position) }),
  returns: Space,
  async handler({ tx, me, at, body, space, role, organizationRole, now }) {
    const { id, organizationId } = space
    const thing = { kind: 'space', id } as const
    const parent = body.parent === undefined ? space.parent : body.parent
    await needPlace(tx, me, { organizationId, organizationRole }, parent)
    const place = { organizationId, parent }
    const position = await moveTo(tx, { ...me, organizationRole }, thing, place, body.position)
    if (position === undefined) throw conflict('The space is there already')

    const move = () =>
      tx
        .updateTable('space')
        .set({ parent, position, updatedAt: now.toISOString() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    const moved = parent === space.parent ? await move() : await changeWithin(tx, { thing, role }, move)
    const found = await findSpace(tx, me, id)
    return toSpace(at, tx, moved, found?.role ?? null)
  },
})

export const transferSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/transfer',
  summary: 'Transfer a space to another organization',
  description:
    'For administrators of both. It goes to the end of the top level; grants, invite links and custom-field values of the old organization stay behind. 409 if it is there already, 412 while it is part of a site.',
  access: onSpace('admin'),
  params: InSpace,
  body: Type.Object({ organization: Id }),
  returns: Space,
  async handler({ tx, me, at, body, space, organizationRole, now, audit }) {
    const { id, organizationId } = space
    const target = await needTarget(tx, me, { organizationId, organizationRole }, body.organization)
    const position = await endOf(tx, { organizationId: target.id, parent: null })
    const lost = await transferThings(tx, { collections: [], spaces: [id] }, target.id, now)
    audit(transferTold(space, target.id, lost))
    const moved = await tx
      .updateTable('space')
      .set({ parent: null, position })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSpace(at, tx, moved, 'admin')
  },
})

export const deleteSpaceById = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId',
  summary: 'Put a space into the trash',
  description: 'It can be restored for 7 days; then it is removed for good.',
  access: onSpaceIfThere('create'),
  params: InSpace,
  status: 205,
  async handler({ tx, enqueue, space, now }) {
    if (!space) return GONE
    return trashSpaces(tx, enqueue, [space.id], now)
  },
})

export const restoreSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/restore',
  summary: 'Take a space out of the trash, within 7 days',
  description:
    'It is where it was, or, if the collection it was in is deleted, where that was. 409 if it is not in the trash.',
  access: onSpaceOrTrash('create'),
  params: InSpace,
  returns: Space,
  async handler({ tx, at, space, role, now }) {
    if (space.deletedAt === null) throw conflict('The space is not in the trash')
    const restored = await tx
      .updateTable('space')
      .set({ deletedAt: null, updatedAt: now.toISOString() })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSpace(at, tx, restored, role)
  },
})
