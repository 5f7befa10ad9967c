import { cacheTags } from '../core/web/cache-tags.ts'
import { revalidate } from '../model/revalidation.ts'
import { Type } from 'typebox'
import { demand, findSpace, needPlace, onSpace, onSpaceIfThere, onSpaceOrTrash } from '../access/checks/on.ts'
import { conflict, invalid } from '../http/errors.ts'
import { ABSENT, route } from '../http/route.ts'
import {
  DefaultLevelSchema,
  Id,
  InSpace,
  nullable,
  oneOf,
  ShareKeyQuery,
  WebUri,
  withUpdatedAt,
} from '../model/common.ts'
import { duplicate } from '../model/content/duplicate.ts'
import { keepAccess } from '../model/access/grant.ts'
import { moveIndexing } from '../model/content/search-task.ts'
import { checkedRules, rulesOf, SpaceMergeRules } from '../model/places/merge-rules.ts'
import { changeWithin } from '../model/access/change-within.ts'
import { moveDestination } from '../model/places/destination.ts'
import { Position } from '../model/places/place.ts'
import { onReadableSpace } from '../model/sites/published/on-reader.ts'
import { languageColumns, LanguageTagField } from '../model/places/space-language.ts'
import { LANGUAGES } from '../core/languages/content-languages.ts'
import { asVisitor, Space, SpaceEmoji, SpaceTitle, toSpace } from '../model/places/space.ts'
import { needTargetPlace, transferThings, transferAuditNote } from '../model/access/transfer.ts'
import { trashSpaces } from '../model/access/trash.ts'
import { because } from '../core/languages/reasons.ts'

export const getSpaceById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId',
  summary: 'Get a space',
  access: onReadableSpace('shareKey'),
  readers: true,
  params: InSpace,
  query: Type.Object(ShareKeyQuery),
  returns: Space,
  async handler({ db, urls, space, role, reading }) {
    const opened = reading && { siteId: reading.open.site.id, key: reading.open.visit.key }
    const found = await toSpace(urls, db, space, role, opened)
    return role === null ? asVisitor(found) : found
  },
})

export const updateSpaceById = route({
  method: 'PATCH',
  path: '/v1/spaces/:spaceId',
  summary: 'Update a space',
  description:
    'Fields that are not sent keep their values; `null` clears a field. A space has an emoji or an icon, so setting one clears the other. A caller who sets a `defaultLevel` that would exclude them keeps their role by a direct grant. Changing merge rules requires `admin` on the space, and so does setting `editMode` to `live` if the space has merge rules.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(nullable(SpaceEmoji)),
    icon: Type.Optional(nullable(WebUri)),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
    defaultLevel: Type.Optional(DefaultLevelSchema),
    language: Type.Optional(nullable(oneOf(LANGUAGES))),
    languageTag: Type.Optional(nullable(LanguageTagField)),
    mergeRules: Type.Optional(SpaceMergeRules),
  }),
  returns: Space,
  async handler({ tx, me, urls, body: { mergeRules, ...body }, space, role, now }) {
    if (body.emoji && body.icon) throw invalid(because('emoji-or-icon'))
    const { id, organizationId } = space
    const thing = { kind: 'space', id } as const
    const unlocks = body.editMode === 'live' && space.editMode !== 'live'
    if (mergeRules || (unlocks && (await rulesOf(tx, space)).length > 0)) demand(role, 'admin', 'on-space')

    const changes = {
      ...body,
      ...languageColumns(body),
      ...(body.emoji && { icon: null }),
      ...(body.icon && { emoji: null }),
      ...(mergeRules && { mergeRules: await checkedRules(tx, organizationId, mergeRules) }),
    }
    const update = async () => {
      const updated = await tx
        .updateTable('space')
        .set(withUpdatedAt(space, changes, now))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await revalidate(tx, now, cacheTags.space(id))
      const kept = await keepAccess(tx, me, thing, { organizationId, role, now })
      return toSpace(urls, tx, updated, kept)
    }
    const sameLevel = body.defaultLevel === undefined || body.defaultLevel === space.defaultLevel
    return sameLevel ? update() : changeWithin(tx, { thing, role }, update)
  },
})

export const duplicateSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/duplicate',
  summary: 'Duplicate a space with its content, files and settings',
  description:
    'The copy has no history. It is placed at the end of the same collection or top level. Its pages and files get new ids, and links between them point into the copy. The grants are those of the original.',
  access: onSpace('create'),
  params: InSpace,
  returns: Space,
  status: 201,
  async handler({ tx, me, urls, space, role, organizationRole, now, newId }) {
    const { parent } = space
    await needPlace(tx, me, { organizationRole }, parent)
    const copy = await duplicate(tx, space, { userId: me.userId, now, newId })
    return toSpace(urls, tx, copy, role)
  },
})

export const moveSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/move',
  summary: 'Move a space within its place, into a collection, or to the top level',
  description:
    'Without `parent`, the space stays in its collection; `null` means the top level. Without `position`, it is placed at the end. The request fails with 403 if it would give a user a role above that of the caller, or take such a role away. It fails with 409 if the space is there already.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({ parent: Type.Optional(nullable(Id)), position: Type.Optional(Position) }),
  returns: Space,
  async handler({ tx, me, urls, body, space, role, organizationRole, now }) {
    const { id } = space
    const thing = { kind: 'space', id } as const
    const to = await moveDestination(tx, { ...me, organizationRole }, { ...space, ...thing }, body)
    const move = () =>
      tx
        .updateTable('space')
        .set({ ...to, updatedAt: now.toISOString() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    const moved = to.parent === space.parent ? await move() : await changeWithin(tx, { thing, role }, move)
    const found = await findSpace(tx, me, id)
    return toSpace(urls, tx, moved, found?.role ?? null)
  },
})

export const transferSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/transfer',
  summary: 'Transfer a space to another organization',
  description:
    'The caller must be an administrator of both organizations. The space is placed at the end of the top level. Its grants, invite links and custom-field values are deleted, and so are review requests to users who are not members of the new organization. The request fails with 409 if the space belongs to the organization already, and with 412 while it is part of a site.',
  access: onSpace('admin'),
  params: InSpace,
  body: Type.Object({ organization: Id }),
  returns: Space,
  async handler({ tx, me, urls, body, space, organizationRole, now, audit }) {
    const { id, organizationId } = space
    const to = await needTargetPlace(tx, me, { organizationId, organizationRole }, body.organization)
    const lost = await transferThings(tx, { collections: [], spaces: [id] }, to.organizationId, now)
    await moveIndexing(tx, { spaceIds: [id], organizationId: to.organizationId, now })
    audit(transferAuditNote(space, to.organizationId, lost))
    const moved = await tx
      .updateTable('space')
      .set({ parent: to.parent, position: to.position })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSpace(urls, tx, moved, 'admin')
  },
})

export const deleteSpaceById = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId',
  summary: 'Move a space to the trash',
  description: 'The space can be restored for 7 days. Then it is permanently removed.',
  access: onSpaceIfThere('create'),
  params: InSpace,
  status: 205,
  async handler({ tx, enqueue, space, now }) {
    if (!space) return ABSENT
    return trashSpaces(tx, enqueue, [space.id], now)
  },
})

export const restoreSpace = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/restore',
  summary: 'Restore a space from the trash',
  description:
    'A space can be restored for 7 days after it was deleted. It returns to its collection, or, if that was deleted, to the place of the collection. The request fails with 409 if the space is not in the trash.',
  access: onSpaceOrTrash('create'),
  params: InSpace,
  returns: Space,
  async handler({ tx, urls, space, role, now }) {
    if (space.deletedAt === null) throw conflict(because('not-in-trash'))
    const restored = await tx
      .updateTable('space')
      .set({ deletedAt: null, updatedAt: now.toISOString() })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSpace(urls, tx, restored, role)
  },
})
