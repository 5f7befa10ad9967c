/** The users and teams that have access to a space, a collection or a site, and the form that gives access. */
import { type ReactNode, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../api/api.ts'
import { More, Named, Refusal } from '../ui/parts.tsx'
import type { User } from '../api/types.ts'
import { t } from '../words/words.ts'
import { Part } from '../ui/fields.tsx'
import { type Chosen, PersonField } from '../ui/person-field.tsx'
import { noAccess, RoleField, roleOf } from '../ui/role-field.tsx'
import { type RoleName, roleName } from '../words/role-names.ts'
import type { Schemas } from '../api/operations/schemas.ts'
import type { CollectionPath, SitePath, SpacePath } from '../api/paths.ts'

/** A space, a collection or a site, and whether the user may change who has access. */
export interface SharedPlace<Path extends PlacePath = PlacePath> {
  path: Path
  organization: string
  /** Whether it is in a collection, whose roles it then has. */
  isInCollection: boolean
  defaultLevel: RoleName | 'inherit' | null
  canChange: boolean
}

type PlacePath = SpacePath | CollectionPath | SitePath

/** A team that has access. */
export type SharedTeam = Schemas['Team']

/** Gives a person or a team a role on a place. Guests, who cannot look for members, do not see it. */
export function GiveAccess({ place }: { place: SharedPlace }) {
  const { data } = useApi(`/orgs/${place.organization}`)
  return data?.permissions.listMembers ? <AccessForm place={place} /> : null
}

function AccessForm({ place: { path, organization } }: { place: SharedPlace }) {
  const [who, setWho] = useState<Chosen>()
  const field = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<RoleName | ''>('edit')
  const give = useChange(`POST ${path}/permissions`)
  return (
    <Part title={t('place.give-access')}>
      <div className="fields-row">
        <PersonField
          organizationId={organization}
          label={t('place.person-or-team')}
          value={who}
          onChange={setWho}
          withTeams
          field={field}
        />
        <RoleField label={t('common.role')} value={role} onChange={setRole} others={[noAccess()]} />
        <Button
          className="button main"
          isDisabled={!who || give.isPending}
          onPress={() =>
            who &&
            give.mutate(
              { ...(who.kind === 'team' ? { teams: [who.id] } : { users: [who.id] }), role: roleOf(role) },
              {
                onSuccess: () => {
                  setWho(undefined)
                  // The button waits for the next choice, which is made here.
                  setTimeout(() => field.current?.focus())
                },
              },
            )
          }
        >
          {t('place.give-access')}
        </Button>
      </div>
      <Refusal error={give.error} />
      <p className="hint">
        {t('place.can-choose-members-organization')}{' '}
        <Link href={`/o/${organization}/people`}>{t('common.invite-people')}</Link>
      </p>
    </Part>
  )
}

/** The access that was granted on the place itself. */
export function Grants({ place }: { place: SharedPlace }) {
  const { path, canChange } = place
  const users = useList(`${path}/permissions/users`)
  const teams = useList(`${path}/permissions/teams`)
  const level = useChange(`PATCH ${path}`)
  return (
    <Part title={t('place.shared-here')}>
      {canChange && (
        <RoleField
          label={t('place.all-other-members')}
          value={place.defaultLevel ?? ''}
          isDisabled={level.isPending}
          onChange={(option) =>
            level.mutate({ defaultLevel: option === 'inherit' ? 'inherit' : roleOf(option) })
          }
          others={[
            [
              'inherit',
              place.isInCollection ? t('place.collection-around') : t('place.as-in-the-organization'),
              path.startsWith('/orgs/')
                ? t('place.members-role-organization')
                : t('place.members-role-collection-around'),
            ],
            noAccess(),
          ]}
        />
      )}
      <Refusal error={level.error} />
      {users.isSuccess && teams.isSuccess && users.items.length + teams.items.length === 0 && (
        <p className="hint">{t('place.nobody-been-given-role')}</p>
      )}
      <ul className="rows">
        {teams.items.map(({ team, permission }) => (
          <GrantRow
            key={team.id}
            path={`${path}/permissions/teams/${team.id}`}
            name={t('common.team-name', { name: team.title })}
            role={permission}
            canChange={canChange}
          />
        ))}
        {users.items.map(({ user, permission }) => (
          <GrantRow
            key={user.id}
            path={`${path}/permissions/users/${user.id}`}
            name={user.displayName}
            role={permission}
            canChange={canChange}
          />
        ))}
      </ul>
      <More list={teams} />
      <More list={users} />
    </Part>
  )
}

function GrantRow({
  path,
  name,
  role,
  canChange,
}: {
  path: `${PlacePath}/permissions/${'users' | 'teams'}/${string}`
  name: string
  role: RoleName | null
  canChange: boolean
}) {
  const change = useChange(`PATCH ${path}`)
  const revoke = useChange(`DELETE ${path}`)
  return (
    <li>
      <span>{name}</span>
      {canChange ? (
        <span className="row-actions">
          <RoleField
            isBare
            label={t('common.role-of-name', { name })}
            value={role ?? ''}
            isDisabled={change.isPending}
            onChange={(option) => change.mutate({ role: roleOf(option) })}
            others={[noAccess()]}
          />
          <Button
            className="small quiet"
            isDisabled={revoke.isPending}
            onPress={() => revoke.mutate(undefined)}
          >
            <Named name={name}>{t('common.remove')}</Named>
          </Button>
        </span>
      ) : (
        <span className="small">{roleName(role, t('common.no-access'))}</span>
      )}
      {(change.error ?? revoke.error) && (
        <div className="below">
          <Refusal error={change.error ?? revoke.error} />
        </div>
      )}
    </li>
  )
}

/**
 * Everyone who can access the place.
 * @param reason says why somebody has their role
 * @param canExplain whether the viewer may know why a user has their role
 */
export function Everybody<Path extends PlacePath>({
  place,
  title,
  reason,
  canExplain = () => true,
}: {
  place: SharedPlace<Path>
  title: string
  reason?: (user: User, item: Accessing<Path>) => ReactNode
  canExplain?: (user: User) => boolean
}) {
  const path: PlacePath = place.path
  const all = useList(`${path}/permissions/aggregate`)
  const [asked, setAsked] = useState<string>()
  return (
    <Part title={title}>
      <ul className="rows">
        {all.items.map((item) => {
          const { user, permission } = item
          return (
            <li key={user.id}>
              <span className="name">
                <span>{user.displayName}</span>
                {user.email && <span>{user.email}</span>}
              </span>
              <span className="row-actions">
                <span>{roleName(permission, t('common.no-access'))}</span>
                {reason && place.canChange && canExplain(user) && (
                  <Button
                    className="small quiet"
                    aria-expanded={asked === user.id}
                    onPress={() => setAsked(asked === user.id ? undefined : user.id)}
                  >
                    <Named name={user.displayName}>{t('place.why')}</Named>
                  </Button>
                )}
              </span>
              {asked === user.id && <div className="below">{reason?.(user, item as Accessing<Path>)}</div>}
            </li>
          )
        })}
      </ul>
      <More list={all} />
    </Part>
  )
}

/** What the API says of a user who can access a place. That of a site has the origin of the role. */
type Accessing<Path extends PlacePath> = Path extends SitePath
  ? Schemas['UserSitePermission']
  : Schemas['UserPermission']
