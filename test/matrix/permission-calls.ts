/** A valid request for every operation on grants. */
import type { Make } from './makers.ts'
import type { Things } from './things.ts'

/**
 * Grants on a space, a collection or a site: their user and team, and the bodies that change them.
 * @param make the parameters of the path; the last is the id of the target
 */
export function permissions(
  kind: 'spaces' | 'collections' | 'sites',
  name: string,
  make: (t: Things) => Promise<Record<string, string>>,
): Record<string, Make> {
  const ofGranted =
    (grantee: 'user' | 'team', body?: unknown): Make =>
    async (t) => {
      const [target, id] = [await make(t), grantee === 'user' ? await t.member() : await t.team()]
      await t.grant(kind, Object.values(target).at(-1) ?? '', { [`${grantee}s`]: [id] })
      return { params: { ...target, [`${grantee}Id`]: id }, body }
    }
  const on: Make = async (t) => ({ params: await make(t) })
  return {
    [`inviteTo${name}`]: async (t: Things) => ({
      params: await make(t),
      body: { users: [await t.member()], teams: [await t.team()], role: 'read' },
    }),
    [`listUserPermissionsIn${name}`]: on,
    [`listTeamPermissionsIn${name}`]: on,
    [`listPermissionsAggregateIn${name}`]: on,
    [`updateUserPermissionIn${name}`]: ofGranted('user', { role: 'edit' }),
    [`updateTeamPermissionIn${name}`]: ofGranted('team', { role: 'edit' }),
    [`removeUserFrom${name}`]: ofGranted('user'),
    [`removeTeamFrom${name}`]: ofGranted('team'),
  }
}
