import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import { LineField, Part } from '../../ui/fields.tsx'
import { PersonField } from '../../ui/person-field.tsx'
import { ConfirmButton, CreateButton, EditForm } from '../../ui/forms.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { DialogButton, Named, Refusal, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { TeamPath } from '../../api/paths.ts'

type OrganizationTeam = Schemas['Team']

/** The teams of an organization. */
export function TeamsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const teams = useList(`/orgs/${organizationId}/teams`)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.teams')}
      links={[
        ['people', t('common.members')],
        ['teams', t('common.teams')],
      ]}
      actions={({ permissions }) => permissions.admin && <NewTeam organizationId={organizationId} />}
    >
      {({ permissions }) => (
        <Part title={t('organization.all-teams')}>
          <Rows list={teams} empty={t('organization.there-no-team-yet')}>
            {(team) => (
              <TeamRow
                key={team.id}
                organizationId={organizationId}
                team={team}
                isAdmin={permissions.admin}
              />
            )}
          </Rows>
        </Part>
      )}
    </OrganizationFrame>
  )
}

function NewTeam({ organizationId }: { organizationId: string }) {
  const [title, setTitle] = useState('')
  const create = useChange(`PUT /orgs/${organizationId}/teams`)
  return (
    <CreateButton
      label={t('organization.new-team')}
      kind="button main"
      create={create}
      body={{ title }}
      onCreated={() => setTitle('')}
    >
      <LineField label={t('common.name')} value={title} onChange={setTitle} isRequired autoFocus />
    </CreateButton>
  )
}

function TeamRow({
  organizationId,
  team: { id, title, members, spaces, permissions },
  isAdmin,
}: {
  organizationId: string
  team: OrganizationTeam
  isAdmin: boolean
}) {
  const path = `/orgs/${organizationId}/teams/${id}` as const
  const remove = useChange(`DELETE ${path}`)
  return (
    <li>
      <span className="name">
        <span>{title}</span>
        <span>{t('organization.members-members-spaces-spaces', { members, spaces })}</span>
      </span>
      <span className="row-actions">
        <DialogButton label={<Named name={title}>{t('common.members')}</Named>} title={title} kind="small">
          {(close) => (
            <>
              <TeamMembers path={path} organizationId={organizationId} canChange={permissions.admin} />
              <div className="actions">
                <Button className="button" onPress={close}>
                  {t('common.done')}
                </Button>
              </div>
            </>
          )}
        </DialogButton>
        {isAdmin && (
          <>
            <RenameTeam path={path} title={title} />
            <ConfirmButton
              label={t('common.delete')}
              name={title}
              question={t('organization.delete-team-name', { name: title })}
              text={t('organization.members-lose-shared-team')}
              change={remove}
              onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
            />
          </>
        )}
      </span>
    </li>
  )
}

function RenameTeam({ path, title }: { path: TeamPath; title: string }) {
  const [name, setName] = useState(title)
  const rename = useChange(`PATCH ${path}`)
  return (
    <DialogButton
      label={<Named name={title}>{t('common.rename')}</Named>}
      title={t('organization.rename-name', { name: title })}
      kind="small quiet"
    >
      {(close) => (
        <EditForm
          change={rename}
          action={t('common.save')}
          close={close}
          onSubmit={() => rename.mutate({ title: name }, { onSuccess: close })}
        >
          <LineField label={t('common.name')} value={name} onChange={setName} isRequired autoFocus />
        </EditForm>
      )}
    </DialogButton>
  )
}

function TeamMembers({
  path,
  organizationId,
  canChange,
}: {
  path: TeamPath
  organizationId: string
  canChange: boolean
}) {
  const members = useList(`${path}/members`)
  const change = useChange(`PUT ${path}/members`)
  return (
    <>
      <Rows list={members} empty={t('organization.nobody-is-here')}>
        {({ organization: { user }, team: { role } }) => (
          <li key={user.id}>
            <span>
              {user.displayName}
              {role === 'owner' && <span className="tag">{t('organization.owner')}</span>}
            </span>
            {canChange && (
              <span className="row-actions">
                <Button
                  className="small quiet"
                  isDisabled={change.isPending}
                  onPress={() =>
                    change.mutate({
                      memberships: { [user.id]: { role: role === 'owner' ? 'member' : 'owner' } },
                    })
                  }
                >
                  <Named name={user.displayName}>
                    {role === 'owner' ? t('organization.make-a-member') : t('organization.make-an-owner')}
                  </Named>
                </Button>
                <Button
                  className="small quiet"
                  isDisabled={change.isPending}
                  onPress={() => change.mutate({ remove: [user.id] })}
                >
                  <Named name={user.displayName}>{t('common.remove')}</Named>
                </Button>
              </span>
            )}
          </li>
        )}
      </Rows>
      {canChange && (
        <PersonField
          organizationId={organizationId}
          label={t('organization.add-a-person')}
          onChange={(user) => user && change.mutate({ add: [user.id] })}
          without={members.items.map(({ organization }) => organization.user.id)}
        />
      )}
      <Refusal error={change.error} />
    </>
  )
}
