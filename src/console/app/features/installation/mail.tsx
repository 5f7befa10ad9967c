/** The state of the mail server, with a form that sends a test e-mail. */
import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { useChange } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { LineField, Part } from '../../ui/fields.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import { Values } from '../../ui/values.tsx'
import { When } from './values.tsx'

export function Mail({
  mail: { configured, sentAt, failedAt, error },
}: {
  mail: Schemas['Installation']['mail']
}) {
  return (
    <Part title={t('installation.mail')}>
      <Values
        rows={[
          [
            t('installation.mail-server'),
            configured ? t('installation.set-up') : t('installation.not-set-up'),
          ],
          [t('installation.last-sent'), <When key="sent" at={sentAt} />],
          [t('installation.last-failure'), <When key="failed" at={failedAt} />],
          ...(error === undefined ? [] : [[t('installation.error'), error] as const]),
        ]}
      />
      {configured && <MailTest />}
    </Part>
  )
}

function MailTest() {
  const [email, setEmail] = useState('')
  const test = useChange('POST /installation/mail/test', ['/installation'])
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (!test.isPending) test.mutate(email ? { email } : {})
      }}
    >
      <LineField
        label={t('installation.mail-test-recipient')}
        hint={t('installation.mail-test-hint')}
        type="email"
        value={email}
        onChange={setEmail}
      />
      <Refusal error={test.error} />
      <div className="actions">
        <Button type="submit" className="button" data-pending={test.isPending || undefined}>
          {t('installation.mail-test-send')}
        </Button>
      </div>
      <div role="status">
        {test.isPending && <p className="hint">{t('installation.mail-test-waits')}</p>}
        {test.data && !test.isPending && <Outcome of={test.data} />}
      </div>
    </Form>
  )
}

function Outcome({ of: { email, fault, advice } }: { of: Schemas['MailTest'] }) {
  if (!fault) return <p>{t('installation.mail-test-accepted', { email })}</p>
  return (
    <ul className="findings">
      <li className="problem">
        <b>{t('installation.problem')}</b>
        <span>
          {forPeople(fault)} {advice && forPeople(advice)}
        </span>
      </li>
    </ul>
  )
}
