import { useApi } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { Part } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { Values } from '../../ui/values.tsx'
import { bytes, number, When, WideTable } from './values.tsx'

type Measured = Schemas['InstallationSizes']

/** The size of the database and the files, by the kind of data and by organization. */
export function Sizes() {
  const query = useApi('/installation/sizes')
  return (
    <Part title={t('common.size')}>
      <Loaded query={query} title={t('installation.sizes-cannot-shown')}>
        {(sizes) => (
          <>
            <p className="hint">
              {t('installation.measured')} <When at={sizes.measuredAt} />
            </p>
            <Values
              rows={[
                [t('installation.database'), bytes(sizes.databaseBytes)],
                [t('common.files'), `${bytes(sizes.blobs.bytes)} (${number(sizes.blobs.count)})`],
                ...sizes.kinds.map(
                  ({ kind, rows, isAtLeast }) =>
                    [kindNames()[kind], `${number(rows)}${isAtLeast ? '+' : ''}`] as const,
                ),
              ]}
            />
            <Organizations organizations={sizes.organizations} />
          </>
        )}
      </Loaded>
    </Part>
  )
}

const kindNames = (): Record<Measured['kinds'][number]['kind'], string> => ({
  documents: t('installation.rows-documents'),
  'page-trees': t('installation.rows-page-trees'),
  revisions: t('installation.rows-revisions'),
  files: t('installation.rows-files'),
  search: t('installation.rows-search'),
  'audit-events': t('installation.rows-audit-events'),
  'space-events': t('installation.rows-space-events'),
  notifications: t('common.notifications'),
  'visitor-events': t('installation.rows-visitor-events'),
  'change-requests': t('common.change-requests'),
  comments: t('installation.rows-comments'),
})

function Organizations({ organizations }: { organizations: Measured['organizations'] }) {
  return (
    <WideTable label={t('common.organization')}>
      <table className="values">
        <thead>
          <tr>
            <th scope="col">{t('common.organization')}</th>
            <th scope="col">{t('common.spaces')}</th>
            <th scope="col">{t('installation.rows-documents')}</th>
            <th scope="col">{t('common.files')}</th>
            <th scope="col">{t('installation.size-files')}</th>
          </tr>
        </thead>
        <tbody>
          {organizations.map(({ id, title, spaces, documents, files, fileBytes }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>{number(spaces)}</td>
              <td>{number(documents)}</td>
              <td>{number(files)}</td>
              <td>{bytes(fileBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
