import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Conflict } from '../../api/api.ts'
import { t } from '../../words/words.ts'
import type { ConflictChoice } from './saving.ts'

const shown = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1)

/**
 * Shows what two writers have changed, and lets this one choose. It takes no focus: the writer may be in the middle of a
 * word, and goes on writing.
 */
export function ConflictNotice({
  conflicts,
  onChoose,
}: {
  conflicts: readonly Conflict[]
  onChoose: (choice: ConflictChoice) => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)
  const choose = (choice: ConflictChoice) => () => {
    setBusy(true)
    void onChoose(choice).finally(() => setBusy(false))
  }
  const isDeleted = conflicts.some(({ kind }) => kind === 'deleted')
  return (
    <section className="conflict-notice" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t('editor.somebody-else-changed-same')}</h2>
      {isDeleted && <p>{t('editor.somebody-else-deleted-page')}</p>}
      {conflicts.map(({ theirs, mine }, i) => (
        <div key={i} className="versions">
          <section>
            <h3>{t('common.your-text')}</h3>
            <pre tabIndex={0}>{shown(mine) || t('editor.deleted')}</pre>
          </section>
          <section>
            <h3>{t('editor.text-others')}</h3>
            <pre tabIndex={0}>{shown(theirs) || t('editor.deleted')}</pre>
          </section>
        </div>
      ))}
      {!isDeleted && (
        <div className="actions">
          <Button className="button main" isDisabled={isBusy} onPress={choose('mine')}>
            {t('editor.keep-yours')}
          </Button>
          <Button className="button" isDisabled={isBusy} onPress={choose('theirs')}>
            {t('editor.take-theirs')}
          </Button>
          <Button className="button" isDisabled={isBusy} onPress={choose('both')}>
            {t('editor.keep-both')}
          </Button>
        </div>
      )}
    </section>
  )
}
