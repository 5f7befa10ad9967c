import { useDeferredValue, useId, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button, Label, TextArea, TextField } from 'react-aria-components'
import { useMutation } from '@tanstack/react-query'
import { api, go, useApi, useChange, useList } from '../../api/api.ts'
import { ChoiceField, CopyButton, LineField, Part, Passed } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm, FieldProblem } from '../../ui/forms.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { MemberAccess } from './member-access.tsx'
import { Undelivered } from './undelivered.tsx'
import { guest, RoleField, roleOf } from '../../ui/role-field.tsx'
import { type RoleName, roleName, roleNames } from '../../words/role-names.ts'
import { DialogButton, More, Named, Refusal, Rows } from '../../ui/parts.tsx'
import { ago, t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { AnswerOf } from '../../api/typed.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type OrganizationMember = Schemas['Member']

/** The members of an organization, and how others join. */
export function PeopleScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.people')}
      links={[
        ['people', t('common.members')],
        ['teams', t('common.teams')],
      ]}
      actions={({ permissions }) => permissions.admin && <Invite organizationId={organizationId} />}
    >
      {({ permissions, inviteLinks }) => (
        <>
          <Members organizationId={organizationId} isAdmin={permissions.admin} />
          {permissions.admin && <Undelivered organizationId={organizationId} />}
          {permissions.admin && <InviteLinks organizationId={organizationId} isOn={inviteLinks} />}
        </>
      )}
    </OrganizationFrame>
  )
}

function Members({ organizationId, isAdmin }: { organizationId: string; isAdmin: boolean }) {
  const [address, setAddress] = useSearchParams()
  const search = address.get('search') ?? ''
  const role = address.get('role') ?? ''
  const filter = (next: { search?: string; role?: string }) =>
    setAddress(
      Object.entries({ search, role, ...next }).filter(([, value]) => value !== ''),
      { replace: true },
    )
  const looked = useDeferredValue(search)
  const query = new URLSearchParams({
    ...(looked.trim() === '' ? {} : { search: looked.trim() }),
    ...(role === '' ? {} : { role }),
  })
  const members = useList(`/orgs/${organizationId}/members?${query.toString()}`)
  const lastAdministrator = useLastAdministrator(isAdmin ? organizationId : undefined)
  const { data: me } = useApi('/user')
  return (
    <Part title={t('common.members')}>
      <div className="fields-row">
        <LineField
          label={t('common.name-e-mail-address')}
          type="search"
          value={search}
          onChange={(text) => filter({ search: text })}
        />
        <ChoiceField
          label={t('common.role')}
          value={role}
          onChange={(next) => filter({ role: next })}
          options={[['', t('organization.all-roles')], ...roleNames(), ['guest', t('common.guest')]]}
        />
      </div>
      <Rows list={members} empty={t('organization.nobody-is-here')}>
        {(member) => (
          <MemberRow
            key={member.id}
            organizationId={organizationId}
            member={member}
            isAdmin={isAdmin}
            isMe={member.user.id === me?.id}
            isLast={member.user.id === lastAdministrator}
          />
        )}
      </Rows>
    </Part>
  )
}

/** The id of the user without whom nobody could administer the organization, if there is only one. */
function useLastAdministrator(organizationId: string | undefined): string | undefined {
  const { items, hasNextPage } = useList(
    organizationId && `/orgs/${organizationId}/members?role=admin&limit=200`,
  )
  const able = items.filter(({ disabled }) => !disabled)
  return able.length === 1 && !hasNextPage ? able[0]?.user.id : undefined
}

function MemberRow({
  organizationId,
  member: { user, role, disabled, lastSeenAt },
  isAdmin,
  isMe,
  isLast,
}: {
  organizationId: string
  member: OrganizationMember
  isAdmin: boolean
  isMe: boolean
  /** Whether nobody else could administer the organization. */
  isLast: boolean
}) {
  const reason = useId()
  const unable = isLast ? reason : undefined
  const path = `/orgs/${organizationId}/members/${user.id}` as const
  const change = useChange(`PATCH ${path}`)
  const remove = useChange(`DELETE ${path}`)
  const name = user.displayName
  return (
    <li>
      <span className="name">
        <span>
          {name}
          {isMe && <span className="tag">{t('common.you')}</span>}
          {disabled && <span className="tag off">{t('organization.disabled')}</span>}
        </span>
        <span>
          {user.email}
          {lastSeenAt && ` · ${t('organization.active-time', { time: ago(lastSeenAt) })}`}
        </span>
      </span>
      {isAdmin ? (
        <span className="row-actions">
          <RoleField
            isBare
            label={t('common.role-of-name', { name })}
            value={role ?? ''}
            isDisabled={change.isPending}
            unable={unable}
            onChange={(option) => change.mutate({ role: roleOf(option) })}
            others={[guest()]}
          />
          <MemberAccess path={path} user={user} />
          <Button
            className="small quiet"
            isDisabled={change.isPending || isLast}
            aria-describedby={unable}
            onPress={() => change.mutate({ disabled: !disabled })}
          >
            <Named name={name}>{disabled ? t('organization.enable') : t('organization.disable')}</Named>
          </Button>
          <ConfirmButton
            label={t('common.remove')}
            name={name}
            question={t('organization.remove-name-organization', { name })}
            text={t('organization.access-ends-at-once')}
            unable={unable}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: () => (isMe ? go('') : close()) })}
          />
        </span>
      ) : (
        <span className="small">{roleName(role)}</span>
      )}
      {isLast && (
        <p id={reason} className="hint below">
          {t('organization.name-only-administrator-change', { name })}
        </p>
      )}
      {change.error && (
        <div className="below">
          <Refusal error={change.error} />
        </div>
      )}
    </li>
  )
}

function Invite({ organizationId }: { organizationId: string }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState<RoleName | ''>('edit')
  const invite = useChange(`POST /orgs/${organizationId}/invites`)
  const emails = text.split(/[\s,;]+/).filter((one) => one !== '')
  return (
    <DialogButton label={t('common.invite-people')} title={t('common.invite-people')} kind="button main">
      {(close) =>
        invite.data ? (
          <Invited
            answer={invite.data}
            close={() => {
              setText('')
              invite.reset()
              close()
            }}
          />
        ) : (
          <EditForm
            change={invite}
            action={t('organization.invite')}
            close={close}
            onSubmit={() => invite.mutate({ emails, role: roleOf(role) })}
          >
            <TextField className="field" value={text} onChange={setText} isRequired autoFocus>
              <Label>{t('organization.e-mail-addresses-one')}</Label>
              <TextArea />
              <FieldProblem />
            </TextField>
            <RoleField label={t('common.role')} value={role} onChange={setRole} others={[guest()]} />
          </EditForm>
        )
      }
    </DialogButton>
  )
}

function Invited({
  answer: { invited, links = [] },
  close,
}: {
  answer: AnswerOf<`POST ${OrganizationPath}/invites`>
  close: () => void
}) {
  return (
    <>
      <p role="status">{t('organization.count-people-invited', { count: invited })}</p>
      {links.length > 0 && (
        <>
          <p>{t('organization.server-sends-no-e')}</p>
          <ul className="rows">
            {links.map(({ email, url }) => (
              <li key={email}>
                <span>{email}</span>
                <Passed text={url} label={t('common.copy-link')} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="actions">
        <Button className="button main" onPress={close}>
          {t('common.done')}
        </Button>
      </div>
    </>
  )
}

function InviteLinks({ organizationId, isOn }: { organizationId: string; isOn: boolean }) {
  const links = useList(isOn ? `/orgs/${organizationId}/link-invites` : undefined)
  const [role, setRole] = useState<RoleName | ''>('read')
  const create = useChange(`POST /orgs/${organizationId}/link-invites`)
  const change = useMutation({
    mutationFn: ({ id, role: next }: { id: string; role: RoleName | null }) =>
      api(`PATCH /orgs/${organizationId}/link-invites/${id}`, { role: next }),
    onSuccess: () => links.refetch(),
  })
  const remove = useChange(
    ({ id }: { id: string }) => `DELETE /orgs/${organizationId}/link-invites/${id}` as const,
  )
  return (
    <Part title={t('organization.invite-links')}>
      {isOn ? (
        <>
          <p className="hint">{t('organization.everyone-such-link-can')}</p>
          <ul className="rows">
            {links.items
              .filter((one) => 'role' in one)
              .map((link) => (
                <li key={link.id}>
                  <RoleField
                    isBare
                    label={t('organization.role-new-members')}
                    value={link.role ?? ''}
                    isDisabled={change.isPending}
                    onChange={(option) => change.mutate({ id: link.id, role: roleOf(option) })}
                    others={[guest()]}
                  />
                  <span className="row-actions">
                    <CopyButton
                      text={`${location.origin}/app/join/${organizationId}#${link.id}`}
                      label={t('common.copy-link')}
                    />
                    <Button
                      className="small quiet"
                      isDisabled={remove.isPending}
                      onPress={() => remove.mutate({ id: link.id })}
                    >
                      <Named name={roleName(link.role)}>{t('common.delete')}</Named>
                    </Button>
                  </span>
                </li>
              ))}
          </ul>
          <More list={links} />
          <Refusal error={create.error ?? change.error ?? remove.error} />
          <div className="row-actions">
            <RoleField
              isBare
              label={t('organization.role-new-link')}
              value={role}
              onChange={setRole}
              others={[guest()]}
            />
            <Button
              className="button small"
              isDisabled={create.isPending}
              onPress={() => create.mutate({ role: roleOf(role) })}
            >
              {t('common.new-link')}
            </Button>
          </div>
        </>
      ) : (
        <p className="hint">{t('organization.invite-links-off-administrator')}</p>
      )}
    </Part>
  )
}
