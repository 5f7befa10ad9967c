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
      label={<Named name={user.displayName}>{t('Access')}</Named>}
      title={t('What {name} can see', { name: user.displayName })}
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
      <h3>{t('Teams')}</h3>
      <Rows list={teams} empty={t('None')}>
        {({ team, member }) => (
          <li key={team.id}>
            <span>{team.title}</span>
            {member.role === 'owner' && <span className="tag">{t('Owner')}</span>}
          </li>
        )}
      </Rows>
      <h3>{t('Spaces')}</h3>
      <Rows list={spaces} empty={t('None')}>
        {({ space, permission }) => (
          <li key={space.id}>
            <Link href={`/s/${space.id}`} onClick={close}>
              {space.title || t('Untitled')}
            </Link>
            <span className="small">{roleName(permission)}</span>
          </li>
        )}
      </Rows>
      <div className="actions">
        <ConfirmButton
          label={t('Mark as a user of single sign-on')}
          question={t('Mark as a user of single sign-on?')}
          text={t('The member is shown as one who signs in by your identity provider.')}
          change={mark}
          onConfirm={(done) => mark.mutate(undefined, { onSuccess: done })}
        />
      </div>
    </>
  )
}
