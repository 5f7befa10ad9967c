/** The conflicts of a change request that are resolved, and whose choice can be taken back. */
import { Button } from 'react-aria-components'
import { useChange } from '../../../api/api.ts'
import { Named, Refusal } from '../../../ui/parts.tsx'
import { t } from '../../../words/words.ts'
import { nameOfField } from '../../../diff/page-settings.ts'
import { By } from '../../../ui/by.tsx'
import type { ConflictPlace, OpenConflict } from '../../../api/review-types.ts'
import type { ChangeRequestPath } from '../../../api/paths.ts'

/** Returns the subject of a conflict, to show to users. */
export function whatOf({ kind, field, entry, name }: ConflictPlace): string {
  if (entry !== undefined) return t('change-request.the-field-field', { field: t(nameOfField(entry)) })
  if (kind === 'body') return t('change-request.part-text')
  if (kind === 'place') return t('change-request.place-page')
  if (kind === 'existence') return t('change-request.one-side-deleted-other')
  const label = t(nameOfField(field ?? ''))
  return name === undefined ? t('change-request.the-field-field', { field: label }) : `${label}: ${name}`
}

/** The resolved conflicts, each with a way back. */
export function ResolvedConflicts({
  base,
  conflicts,
  mayUndo,
}: {
  base: ChangeRequestPath
  conflicts: readonly OpenConflict[]
  mayUndo: boolean
}) {
  const reopen = useChange(({ id }: OpenConflict) => `POST ${base}/conflicts/${id}/reopen` as const, [base])
  if (conflicts.length === 0) return null
  return (
    <section>
      <h2>{t('change-request.settled')}</h2>
      <p className="hint">{t('change-request.choice-can-undone-until')}</p>
      <ul className="plain">
        {conflicts.map((one) => {
          const title = one.target.title ?? t('common.untitled')
          return (
            <li key={one.id} className="heading">
              <div>
                <b>{title}</b> <span className="faint">{whatOf(one)}</span>
                <br />
                {one.resolvedBy && <By user={one.resolvedBy} at={one.resolvedAt ?? ''} did={chosenIn(one)} />}
              </div>
              {mayUndo && (
                <Button className="small" isDisabled={reopen.isPending} onPress={() => reopen.mutate(one)}>
                  <Named name={title}>{t('common.undo')}</Named>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Refusal error={reopen.error} />
    </section>
  )
}

function chosenIn({ resolution: { side } = {} }: OpenConflict): string {
  if (side === undefined) return t('change-request.wrote-another-version')
  return side === 'primary'
    ? t('change-request.used-version-space')
    : t('change-request.kept-version-change-request')
}
