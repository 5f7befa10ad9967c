/** The webhook of a connection: its address and secret to copy, and where each host wants them. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange } from '../../../api/api.ts'
import type { Schemas } from '../../../api/operations/schemas.ts'
import { ChoiceField, Part, Passed } from '../../../ui/fields.tsx'
import { ConfirmButton } from '../../../ui/forms.tsx'
import { Refusal } from '../../../ui/parts.tsx'
import { Values } from '../../../ui/values.tsx'
import { ago, t } from '../../../words/words.ts'

const HOSTS = [
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['gitea', 'Gitea, Forgejo'],
  ['bitbucket', 'Bitbucket'],
] as const

type Host = (typeof HOSTS)[number][0]

const stepsOf = (host: Host) =>
  ({
    github: t('space.webhook-steps-github'),
    gitlab: t('space.webhook-steps-gitlab'),
    gitea: t('space.webhook-steps-gitea'),
    bitbucket: t('space.webhook-steps-bitbucket'),
  })[host]

/** The host of a repository, by its address; Gitea and Forgejo have any. */
function hostAt(address: string): Host {
  const name = URL.canParse(address) ? new URL(address).hostname : ''
  return HOSTS.find(([host]) => name.includes(host))?.[0] ?? 'gitea'
}

/** The webhook of a connection, so that a push starts a sync at once. */
export function WebhookPart({
  spaceId,
  connection: { url, webhook },
}: {
  spaceId: string
  connection: Schemas['GitConnection']
}) {
  const path = `/spaces/${spaceId}/git/connection` as const
  const create = useChange(`POST ${path}/webhook`, [path])
  const remove = useChange(`DELETE ${path}/webhook`, [path])
  const [host, setHost] = useState(hostAt(url))
  const made = webhook && create.data
  return (
    <Part title={t('space.webhook')}>
      <p className="hint">{t('space.webhook-explained')}</p>
      {webhook && (
        <Values
          rows={[
            [t('space.webhook-address'), <Passed key="address" text={webhook.url} />],
            [
              t('space.webhook-secret'),
              made ? <Passed key="secret" text={made.secret} /> : t('space.webhook-secret-shown-once'),
            ],
            [
              t('space.webhook-received'),
              webhook.receivedAt === undefined ? t('space.webhook-never') : ago(webhook.receivedAt),
            ],
          ]}
        />
      )}
      {made && (
        <>
          <p role="status">{t('space.webhook-copy-now')}</p>
          <ChoiceField label={t('space.webhook-host')} value={host} onChange={setHost} options={HOSTS} />
          <p>{stepsOf(host)}</p>
        </>
      )}
      <div className="actions">
        {webhook ? (
          <>
            <ConfirmButton
              label={t('space.webhook-replace')}
              question={t('space.webhook-replace-question')}
              text={t('space.webhook-replace-explained')}
              change={create}
              onConfirm={(close) => create.mutate(undefined, { onSuccess: close })}
            />
            <ConfirmButton
              label={t('space.webhook-delete')}
              question={t('space.webhook-delete-question')}
              text={t('space.webhook-delete-explained')}
              change={remove}
              onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
            />
          </>
        ) : (
          <Button className="button" isDisabled={create.isPending} onPress={() => create.mutate(undefined)}>
            {t('space.webhook-create')}
          </Button>
        )}
      </div>
      <Refusal error={create.error ?? remove.error} />
    </Part>
  )
}
