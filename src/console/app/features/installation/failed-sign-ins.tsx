import { useApi } from '../../api/api.ts'
import { Part } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { language, t } from '../../words/words.ts'
import { number, When, WideTable } from './values.tsx'

/** The failed sign-ins of the last day, by network and by hour. */
export function FailedSignIns() {
  const query = useApi('/installation/failed-sign-ins')
  return (
    <Part title={t('installation.failed-sign-ins')}>
      <Loaded query={query} title={t('installation.sign-ins-cannot-shown')}>
        {({ total, networks, hours }) => (
          <>
            <p className="hint">{t('installation.count-failed-sign-ins', { count: total })}</p>
            {networks.length > 0 && (
              <WideTable label={t('installation.failed-sign-ins')}>
                <table className="values">
                  <thead>
                    <tr>
                      <th scope="col">{t('installation.network')}</th>
                      <th scope="col">{t('installation.failed-sign-ins')}</th>
                      <th scope="col">{t('installation.last-hour')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {networks.map(({ network, count, lastHour }) => (
                      <tr key={network}>
                        <th scope="row">{network}</th>
                        <td>{number(count)}</td>
                        <td>
                          <When at={lastHour} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <table className="values">
                  <thead>
                    <tr>
                      <th scope="col">{t('installation.hour')}</th>
                      <th scope="col">{t('installation.failed-sign-ins')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {hours.map(({ hour, count }) => (
                      <tr key={hour}>
                        <th scope="row">
                          {new Date(hour).toLocaleString(language, {
                            dateStyle: 'short',
                            timeStyle: 'short',
                          })}
                        </th>
                        <td>{number(count)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </WideTable>
            )}
          </>
        )}
      </Loaded>
    </Part>
  )
}
