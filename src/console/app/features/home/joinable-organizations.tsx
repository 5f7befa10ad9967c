/** Organizations that the user can join by their e-mail address. */
import { Button } from 'react-aria-components'
import { go, useApi, useChange } from '../../api/api.ts'
import { Named, Refusal } from '../../ui/parts.tsx'
import type { Organization, User } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** A list of them; nothing if there is none. @param joined the organizations of the user */
export function JoinableOrganizations({ me, joined }: { me: User; joined: readonly Organization[] }) {
  const domain = me.email?.split('@').at(-1)
  const { data } = useApi(domain && `/email-domains/${encodeURIComponent(domain)}/orgs`)
  const join = useChange(({ id }: { id: string }) => `POST /orgs/${id}/join` as const)
  const others = (data?.organizations ?? []).filter(({ id }) => joined.every((one) => one.id !== id))
  if (others.length === 0) return null
  return (
    <section aria-labelledby="joinable">
      <h2 id="joinable">{t('home.you-can-join')}</h2>
      <ul className="rows">
        {others.map(({ id, title }) => (
          <li key={id}>
            <span>{title}</span>
            <Button
              className="button small"
              isDisabled={join.isPending}
              onPress={() => join.mutate({ id }, { onSuccess: () => go(`/o/${id}`) })}
            >
              <Named name={title}>{t('home.join')}</Named>
            </Button>
          </li>
        ))}
      </ul>
      <Refusal error={join.error} />
    </section>
  )
}
