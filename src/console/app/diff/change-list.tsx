/** The list of the changes of a change request or a revision. */
import { Link } from 'wouter'
import { useApi } from '../api/api.ts'
import { Loaded } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import type { SemanticChange } from '../api/review-types.ts'
import type { ChangeRequestPath, RevisionPath } from '../api/paths.ts'

type ChangesPath = `${ChangeRequestPath | RevisionPath}/changes`

/** More changes than this are only counted. */
const SHOWN = 200

/** The changes of a list, as far as it is shown. @param path of the list below `/v1`; undefined to wait */
export const useChanges = (path: ChangesPath | undefined) => useApi(path && `${path}?limit=${SHOWN}`)

/** The changes of a list. @param path of the list below `/v1` @param diff the screen with the differences of the pages */
export function ChangeList({ path, diff }: { path: ChangesPath; diff?: string }) {
  const query = useChanges(path)
  return (
    <Loaded query={query} title={t('common.changes-cannot-shown')}>
      {({ changes, more = 0 }) => (
        <>
          {changes.length === 0 && <p className="hint">{t('common.nothing-changed-yet')}</p>}
          <ul className="plain change-list">
            {changes.map((one, i) => (
              <li key={i}>
                <Sign change={one} />
                <span>
                  {'page' in one && diff !== undefined ? (
                    <Link href={`${diff}#page-${one.page.id}`}>{one.page.title || t('common.untitled')}</Link>
                  ) : (
                    nameOf(one)
                  )}{' '}
                  <span className="faint">{whatHappened(one)}</span>
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="hint">{t('common.count-more-changes', { count: more })}</p>}
        </>
      )}
    </Loaded>
  )
}

/** The name of a changed thing. */
export function nameOf(change: SemanticChange): string {
  if ('page' in change) return change.page.title || t('common.untitled')
  if ('file' in change) return change.file.name
  if ('reusableContent' in change) return change.reusableContent.title
  return Object.keys(change.variables).join(', ')
}

/** Returns a short description of a change. */
export function whatHappened(change: SemanticChange): string {
  if (change.type === 'page_moved') {
    const { after } = change.parent
    return after ? t('diff.moved-below-title', { title: after.title }) : t('diff.moved-word')
  }
  if (change.type === 'variables_edited') return t('diff.variables-changed')
  const kind =
    'file' in change
      ? t('diff.file')
      : 'reusableContent' in change
        ? t('diff.reusable-content')
        : t('diff.page')
  if (change.type.endsWith('_created')) return t('diff.new-kind', { kind })
  if (change.type.endsWith('_deleted')) return t('diff.kind-deleted', { kind })
  return t('diff.kind-changed', { kind })
}

const SIGNS: readonly [end: string, sign: string, kind: string][] = [
  ['_created', '+', 'inserted'],
  ['_deleted', '−', 'deleted'],
  ['_moved', '↕', 'moved'],
  ['', '●', 'changed'],
]

/** A sign for the kind of a change, beside its words. */
export function Sign({ change }: { change: SemanticChange }) {
  const [, sign, kind] = SIGNS.find(([end]) => change.type.endsWith(end))!
  return (
    <span className={`sign ${kind}`} aria-hidden="true">
      {sign}
    </span>
  )
}
