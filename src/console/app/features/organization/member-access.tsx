/** The teams and the spaces that a member of an organization can access. */
import { Link } from 'wouter'
import { useChange, useList } from '../../api/api.ts'
import { ConfirmButton } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import type { User } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { roleName } from '../../words/role-names.ts'
import type { MemberPath } from '../../api/paths.ts'

/** A button that shows the teams and the spaces of a member. @param path of the member */
export function MemberAccess({ path, user }: { path: MemberPath; user: User }) {
  return (
    <DialogButton
      label={<Named name={user.displayName}>{t('common.access')}</Named>}
      title={t('organization.name-can-see', { name: user.displayName })}
      kind="small quiet"
    >
      {(close) => <Reached path={path} close={close} />}
    </DialogButton>
  )
}

function Reached({ path, close }: { path: MemberPath; close: () => void }) {
  const teams = useList(`${path}/teams`)
  const spaces = useList(`${path}/spaces`)
  const mark = useChange(`POST ${path}/sso`)
  return (
    <>
      <h3>{t('common.teams')}</h3>
      <Rows list={teams} empty={t('common.none')}>
        {({ team, member }) => (
          <li key={team.id}>
            <span>{team.title}</span>
            {member.role === 'owner' && <span className="tag">{t('organization.owner')}</span>}
          </li>
        )}
      </Rows>
      <h3>{t('common.spaces')}</h3>
      <Rows list={spaces} empty={t('common.none')}>
        {({ space, permission }) => (
          <li key={space.id}>
            <Link href={`/s/${space.id}`} onClick={close}>
              {space.title || t('common.untitled')}
            </Link>
            <span className="small">{roleName(permission)}</span>
          </li>
        )}
      </Rows>
      <div className="actions">
        <ConfirmButton
          label={t('organization.mark-user-single-sign')}
          question={t('organization.mark-user-single-sign-question')}
          text={t('organization.member-shown-one-signs')}
          change={mark}
          onConfirm={(done) => mark.mutate(undefined, { onSuccess: done })}
        />
      </div>
    </>
  )
}
