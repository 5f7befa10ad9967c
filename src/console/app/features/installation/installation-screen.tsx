/** The state of the installation, for its administrators: what is wrong, what runs, how large it is, and its jobs. */
import { useApi } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { Frame, Part } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import { FailedSignIns } from './failed-sign-ins.tsx'
import { Jobs } from './jobs.tsx'
import { Mail } from './mail.tsx'
import { Sizes } from './sizes.tsx'
import { Values } from '../../ui/values.tsx'
import { bytes, number, When, WideTable } from './values.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './installation.css'

type State = Schemas['Installation']

export function InstallationScreen() {
  const query = useApi('/installation')
  return (
    <Loaded query={query} title={t('installation.cannot-shown')}>
      {(state) => (
        <Frame trail={[]} title={t('installation.installation')} label={t('installation.installation')}>
          <Checks checks={state.checks} />
          <Copies state={state} />
          <Jobs totals={state.jobs} />
          <Mail mail={state.mail} />
          <Storage state={state} />
          <Sizes />
          <SlowRequests requests={state.slowRequests} />
          <FailedSignIns />
        </Frame>
      )}
    </Loaded>
  )
}

function Checks({ checks }: { checks: State['checks'] }) {
  const levels = {
    problem: t('installation.problem'),
    warning: t('installation.warning'),
    advice: t('installation.advice'),
  }
  return (
    <Part title={t('installation.health')}>
      {checks.length === 0 && <p className="hint">{t('installation.all-well')}</p>}
      <ul className="findings">
        {checks.map((check) => (
          <li key={check.reason} className={check.level}>
            <b>{levels[check.level]}</b>
            <span>{forPeople(check)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Copies({ state: { version, newestVersion, copies } }: { state: State }) {
  return (
    <Part title={t('installation.servers')}>
      <Values
        rows={[
          [t('installation.version'), version],
          [t('installation.newest-version'), newestVersion ?? t('installation.not-looked-up')],
        ]}
      />
      <WideTable label={t('installation.servers')}>
        <table className="values">
          <thead>
            <tr>
              <th scope="col">{t('installation.machine')}</th>
              <th scope="col">{t('installation.version')}</th>
              <th scope="col">Node</th>
              <th scope="col">{t('installation.started')}</th>
              <th scope="col">{t('installation.last-seen')}</th>
            </tr>
          </thead>
          <tbody>
            {copies.map((copy) => (
              <tr key={copy.id}>
                <th scope="row">{copy.host}</th>
                <td>{copy.version}</td>
                <td>{copy.nodeVersion}</td>
                <td>
                  <When at={copy.startedAt} />
                </td>
                <td>
                  <When at={copy.seenAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </Part>
  )
}

function Storage({ state: { database, files, disk, search, backupAt } }: { state: State }) {
  return (
    <Part title={t('installation.storage')}>
      <Values
        rows={[
          [t('installation.database'), database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
          [t('common.files'), files.store === 's3' ? t('installation.bucket') : t('installation.on-disk')],
          ...(disk
            ? [
                [
                  t('installation.free-disk'),
                  t('installation.free-of', { free: bytes(disk.freeBytes), total: bytes(disk.totalBytes) }),
                ] as const,
              ]
            : []),
          [t('installation.spaces-waiting-search'), number(search.waitingSpaces)],
          [t('installation.last-backup'), <When key="backup" at={backupAt} />],
        ]}
      />
    </Part>
  )
}

function SlowRequests({ requests }: { requests: State['slowRequests'] }) {
  return (
    <Part title={t('installation.slow-requests')}>
      <p className="hint">
        {requests.length === 0 ? t('installation.no-slow-requests') : t('installation.slow-requests-hint')}
      </p>
      {requests.length > 0 && (
        <WideTable label={t('installation.slow-requests')}>
          <table className="values">
            <thead>
              <tr>
                <th scope="col">{t('installation.operation')}</th>
                <th scope="col">{t('installation.duration')}</th>
                <th scope="col">{t('common.status')}</th>
                <th scope="col">{t('common.time')}</th>
              </tr>
            </thead>
            <tbody>
              {requests.map(({ at, operation, ms, status }) => (
                <tr key={`${at} ${operation} ${ms}`}>
                  <th scope="row">
                    <code>{operation}</code>
                  </th>
                  <td>{t('installation.seconds', { seconds: ms / 1000 })}</td>
                  <td>{status}</td>
                  <td>
                    <When at={at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </Part>
  )
}
