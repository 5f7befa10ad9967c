/** Responses about people in an existing client: organizations, members, teams, invitations, users. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, judged } from '../client.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({}, { mail: mailbox() })
const { ada, organizationId } = world
const bob = await world.person('Bob', 'edit')
const guest = await world.person('Guest', null)
const client = clientOf(world)
const orgs = judged(client, 'orgs')

test('organizations, for administrators, guests and new members', async () => {
  await world.db.write((tx) =>
    tx
      .insertInto('account')
      .values({
        userId: bob.id,
        passwordHash: null,
        emailVerifiedAt: new Date().toISOString(),
        updatedAt: '',
      })
      .execute(),
  )
  const changes = {
    title: 'Acme',
    emailDomains: ['example.com'],
    defaultRole: 'read',
    logo: 'https://a.example/l.png',
  }
  const changed = await orgs('updateOrganizationById', organizationId, changes)
  assert.deepEqual([changed.title, changed.defaultRole], ['Acme', 'read'])
  await orgs('getOrganizationById', organizationId)
  for (const person of [ada, guest]) {
    const theirs = judged(clientOf(world, person), 'orgs')
    assert.equal((await theirs('getOrganizationById', organizationId)).id, organizationId)
    assert.equal((await theirs('listOrganizationsForAuthenticatedUser')).items.length, 1)
    await theirs('updateOrganizationMemberLastSeenAt', organizationId)
  }

  const domains = judged(clientOf(world, bob), 'emailDomains')
  assert.equal((await domains('getOrganizationsForEmailDomain', 'example.com')).organizations.length, 1)
  const stranger = await world.person('Stranger')
  await world.db.write((tx) =>
    tx
      .insertInto('account')
      .values({
        userId: stranger.id,
        passwordHash: null,
        emailVerifiedAt: new Date().toISOString(),
        updatedAt: '',
      })
      .execute(),
  )
  const theirs = judged(clientOf(world, stranger), 'orgs')
  await theirs('joinOrganization', organizationId)
  assert.equal((await theirs('getOrganizationById', organizationId)).title, 'Acme')
})

test('members, with their spaces and teams', async () => {
  await orgs('createSpace', organizationId, { title: 'Read by members' })
  await orgs('createOrganizationTeam', organizationId, { title: 'Writers', members: [bob.id] })
  const listed = await orgs('listMembersInOrganizationById', organizationId, { sort: 'joinedAt', limit: 2 })
  assert.equal(listed.items.length, 2)
  await orgs('listMembersInOrganizationById', organizationId, { page: listed.next.page, role: 'edit' })
  await orgs('listMembersInOrganizationById', organizationId, { role: 'guest', search: 'gue' })

  const member = await orgs('getMemberInOrganizationById', organizationId, bob.id)
  assert.deepEqual([member.role, member.teams], ['edit', 1])
  const changed = await orgs('updateMemberInOrganizationById', organizationId, bob.id, { role: 'create' })
  assert.equal(changed.role, 'create')
  assert.equal((await orgs('setUserAsSsoMemberForOrganization', organizationId, bob.id)).sso, true)
  assert.equal((await orgs('listSpacesForOrganizationMember', organizationId, bob.id)).items.length, 1)
  assert.equal((await orgs('listTeamsForOrganizationMember', organizationId, bob.id)).items.length, 1)

  const leaving = await world.person('Leaving', 'read')
  await orgs('removeMemberFromOrganizationById', organizationId, leaving.id)
  await orgs('removeMemberFromOrganizationById', organizationId, leaving.id)
  await assert.rejects(client.orgs.getMemberInOrganizationById(organizationId, leaving.id))
})

test('teams and their members', async () => {
  const team = await orgs('createOrganizationTeam', organizationId, { title: 'Readers', members: [bob.id] })
  assert.equal((await orgs('getTeamInOrganizationById', organizationId, team.id)).members, 1)
  const renamed = await orgs('updateTeamInOrganizationById', organizationId, team.id, { title: 'Editors' })
  assert.equal(renamed.title, 'Editors')
  await orgs('listTeamsInOrganizationById', organizationId, { search: 'edit', owner: bob.id })
  assert((await orgs('listTeamsInOrganizationById', organizationId)).items.length > 0)

  await orgs('addMemberToOrganizationTeamById', organizationId, team.id, ada.id, { role: 'owner' })
  const change = { add: [guest.id], remove: [bob.id], memberships: { [ada.id]: { role: 'member' } } }
  await orgs('updateMembersInOrganizationTeam', organizationId, team.id, change)
  const { items } = await orgs('listTeamMembersInOrganizationById', organizationId, team.id)
  assert.deepEqual(
    items.map((one: { organization: { id: string } }) => one.organization.id).toSorted(),
    [ada.id, guest.id].toSorted(),
  )
  await orgs('deleteMemberFromOrganizationTeamById', organizationId, team.id, guest.id)
  await orgs('deleteMemberFromOrganizationTeamById', organizationId, team.id, guest.id)
  await orgs('removeTeamFromOrganizationById', organizationId, team.id)
  await orgs('removeTeamFromOrganizationById', organizationId, team.id)
})

test('invite links to an organization, a space and a collection, and invitations by e-mail', async () => {
  const space = await orgs('createSpace', organizationId, { title: 'Invited to' })
  const collection = await orgs('createCollection', organizationId, { title: 'Invited to' })
  const bodies = [
    { role: 'read' },
    { level: 'edit', space: space.id },
    { level: 'edit', collection: collection.id },
  ]
  const joining = judged(clientOf(world, await world.person('Joining')), 'orgs')
  for (const body of bodies) {
    const link = await orgs('createOrganizationInvite', organizationId, body)
    await orgs('getOrganizationInviteLink', organizationId, link.id)
    await joining('joinOrganizationWithInvite', organizationId, link.id)
    const changes = 'role' in body ? { role: 'comment' } : { level: 'comment' }
    await orgs('updateOrganizationInviteById', organizationId, link.id, changes)
    if ('role' in body)
      assert.equal((await orgs('listOrganizationInviteLinks', organizationId)).items[0].id, link.id)
    await orgs('deleteOrganizationInviteById', organizationId, link.id)
    await orgs('deleteOrganizationInviteById', organizationId, link.id)
  }

  const emails = ['new@example.org', { email: 'other@example.org', role: 'review' }]
  const sent = await orgs('inviteUsersToOrganization', organizationId, { emails, role: 'read' })
  assert.deepEqual([sent.invited, sent.users.length], [2, 2])
})

test('users: the caller and others', async () => {
  const me = await judged(client, 'user')('getAuthenticatedUser')
  const users = judged(client, 'users')
  const changes = { displayName: 'Ada L.', photoURL: 'https://a.example/ada.png' }
  assert.equal((await users('updateUserById', me.id, changes)).displayName, 'Ada L.')
  assert.equal((await users('getUserById', me.id)).photoURL, changes.photoURL)
  assert.equal((await users('getUserById', bob.id)).id, bob.id)
  const seen = await judged(clientOf(world, guest), 'users')('getUserById', bob.id)
  assert.equal(seen.email, undefined)
})
