/** The jobs of the installation: a table with filters, and buttons to run failed ones again. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { ChoiceField, Part } from '../../ui/fields.tsx'
import { ConfirmButton } from '../../ui/forms.tsx'
import { Named, Refusal, Rows } from '../../ui/parts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import { number, When } from './values.tsx'

type Job = Schemas['Job']
type State = Job['state'] | ''

const STATES: readonly State[] = ['failed', 'waiting', 'running', '']
const CHANGED = ['/installation']

export function Jobs({ totals }: { totals: Schemas['Installation']['jobs'] }) {
  const [state, setState] = useState<State>('failed')
  const [kind, setKind] = useState('')
  const query = new URLSearchParams({ limit: '50' })
  if (state) query.set('state', state)
  if (kind) query.set('kind', kind)
  const jobs = useList(`/installation/jobs?${query.toString()}`)
  const retryAll = useChange('POST /installation/jobs/retry', CHANGED)
  return (
    <Part
      title={t('installation.jobs')}
      actions={
        totals.failed > 0 && (
          <Button
            className="button"
            isDisabled={retryAll.isPending}
            onPress={() => retryAll.mutate(kind ? { kind } : {})}
          >
            {t('installation.retry-all-failed')}
          </Button>
        )
      }
    >
      <p className="hint">
        {t('installation.jobs-counted', { waiting: totals.waiting, failed: totals.failed })}{' '}
        {totals.oldestDueAt !== undefined && (
          <>
            {t('installation.oldest-due')} <When at={totals.oldestDueAt} />
          </>
        )}
      </p>
      <Refusal error={retryAll.error} />
      {retryAll.data && <p role="status">{t('installation.retried-skipped', retryAll.data)}</p>}
      <div className="fields-row">
        <ChoiceField
          label={t('common.status')}
          value={state}
          onChange={setState}
          options={STATES.map((one) => [one, stateName(one)] as const)}
        />
        <ChoiceField
          label={t('common.type')}
          value={kind}
          onChange={setKind}
          options={[
            ['', t('installation.all-kinds')],
            ...totals.kinds.map(
              (one) => [one.kind, `${kindName(one.kind)} (${number(one.waiting + one.failed)})`] as const,
            ),
          ]}
        />
      </div>
      <Rows
        list={jobs}
        empty={state === 'failed' ? t('installation.no-failed-job') : t('installation.no-job')}
      >
        {(job) => <JobRow key={job.id} job={job} />}
      </Rows>
    </Part>
  )
}

function stateName(state: State): string {
  const names = {
    failed: t('installation.failed'),
    waiting: t('installation.waiting'),
    running: t('installation.running'),
    '': t('installation.all-states'),
  }
  return names[state]
}

/** The name of a kind of job; as the API has it for one that this version does not know. */
const kindName = (kind: string): string => namesOfKinds()[kind] ?? kind

const namesOfKinds = (): Record<string, string> => ({
  'check-links': t('installation.kind-check-links'),
  'check-update': t('installation.kind-check-update'),
  'end-import': t('installation.kind-end-import'),
  'expire-events': t('installation.kind-expire-events'),
  'expire-insights': t('installation.kind-expire-insights'),
  'expire-upload': t('installation.kind-expire-upload'),
  'index-search': t('installation.kind-index-search'),
  'process-openapi': t('installation.kind-process-openapi'),
  'purge-space': t('installation.kind-purge-space'),
  'refresh-openapi': t('installation.kind-refresh-openapi'),
  'remove-blob': t('installation.kind-remove-blob'),
  revalidate: t('installation.kind-revalidate'),
  'send-email': t('installation.kind-send-email'),
  'sweep-blobs': t('installation.kind-sweep-blobs'),
  'sweep-burst': t('installation.kind-sweep-burst'),
})

function JobRow({ job }: { job: Job }) {
  const { id, kind, state, attempts, error, reason, parameters, lastTriedAt, nextTryAt } = job
  const retry = useChange(`POST /installation/jobs/${id}/retry`, CHANGED)
  const remove = useChange(`DELETE /installation/jobs/${id}`, CHANGED)
  const name = kindName(kind)
  const canChange = state === 'failed' || (state === 'waiting' && attempts > 0)
  return (
    <li>
      <span className="name">
        <span>{name}</span>
        <span>
          {stateName(state)}
          {attempts > 0 && ` · ${t('installation.tried-times', { count: attempts })}`}
          {lastTriedAt !== undefined && (
            <>
              {' · '}
              {t('installation.last-try')} <When at={lastTriedAt} />
            </>
          )}
          {nextTryAt !== undefined && state === 'waiting' && (
            <>
              {' · '}
              {t('installation.next-try')} <When at={nextTryAt} />
            </>
          )}
        </span>
        {error !== undefined && (
          <span className="job-error">{forPeople({ message: error, reason, parameters })}</span>
        )}
        <Refusal error={retry.error ?? remove.error} />
      </span>
      {canChange && (
        <span className="job-actions">
          <Button
            className="small quiet"
            isDisabled={retry.isPending}
            onPress={() => retry.mutate(undefined)}
          >
            <Named name={`${name} ${id}`}>{t('installation.retry')}</Named>
          </Button>
          <ConfirmButton
            label={t('common.delete')}
            name={`${name} ${id}`}
            question={t('installation.delete-job')}
            text={t('installation.delete-job-text')}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      )}
      <details className="below">
        <summary>{t('installation.parameters')}</summary>
        <pre tabIndex={0}>{JSON.stringify({ id, kind, ...job.payload }, null, 2)}</pre>
      </details>
    </li>
  )
}
