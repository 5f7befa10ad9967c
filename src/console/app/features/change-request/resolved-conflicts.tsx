/** The conflicts of a change request that are resolved, and whose choice can be taken back. */
import { Button } from 'react-aria-components'
import { useChange } from '../../api/api.ts'
import { Named, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { nameOfField } from '../../diff/page-settings.ts'
import { By } from '../../ui/by.tsx'
import type { ConflictPlace, OpenConflict } from '../../api/review-types.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'

/** Returns the subject of a conflict, to show to users. */
export function whatOf({ kind, field, entry, name }: ConflictPlace): string {
  if (entry !== undefined) return t('The field “{field}”', { field: t(nameOfField(entry)) })
  if (kind === 'body') return t('A part of the text')
  if (kind === 'place') return t('The place of the page')
  if (kind === 'existence') return t('One side deleted it, the other changed it')
  const label = t(nameOfField(field ?? ''))
  return name === undefined ? t('The field “{field}”', { field: label }) : `${label}: ${name}`
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
      <h2>{t('Settled')}</h2>
      <p className="hint">
        {t('A choice can be undone until this change request is updated from the space or merged.')}
      </p>
      <ul className="plain">
        {conflicts.map((one) => {
          const title = one.target.title ?? t('Untitled')
          return (
            <li key={one.id} className="heading">
              <div>
                <b>{title}</b> <span className="faint">{whatOf(one)}</span>
                <br />
                {one.resolvedBy && <By user={one.resolvedBy} at={one.resolvedAt ?? ''} did={chosenIn(one)} />}
              </div>
              {mayUndo && (
                <Button className="small" isDisabled={reopen.isPending} onPress={() => reopen.mutate(one)}>
                  <Named name={title}>{t('Undo')}</Named>
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
  if (side === undefined) return t('wrote another version')
  return side === 'primary'
    ? t('used the version of the space')
    : t('kept the version of this change request')
}
