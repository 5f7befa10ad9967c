/** The button that merges. It asks once if something is not resolved. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { ApiFault } from '../../api/api.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { CancelButton } from '../../ui/forms.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { Check } from './merge-check.tsx'
import {
  hasMore,
  readUnresolved,
  sentencesOf,
  titleOfUnresolved,
  type Unresolved,
} from './conflicts/unresolved.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'

interface Merging {
  /** The path of the change request below `/v1`. */
  base: ChangeRequestPath
  /** What is not resolved, and follows what others do. */
  unresolved: Unresolved | undefined
  /** Shows what was read just now. */
  show: (now: Unresolved) => void
  merge: () => void
}

/** Merges at once if everything is resolved, or else after a question. */
export function MergeButton({ merging, isDisabled }: { merging: Merging; isDisabled: boolean }) {
  const { base, unresolved, show, merge } = merging
  const [isAsking, setAsking] = useState(false)
  // What others did since the screen was read counts too.
  const look = useMutation<Unresolved, ApiFault>({ mutationFn: () => readUnresolved(base) })
  const press = () =>
    look.mutate(undefined, {
      onSuccess: (now) => {
        if (titleOfUnresolved(now) === undefined) return merge()
        show(now)
        setAsking(true)
      },
    })
  return (
    <>
      <Button
        className="button main"
        isDisabled={isDisabled}
        // A button that is disabled while it looks would lose the focus to which the dialog returns it.
        onPress={() => !look.isPending && press()}
      >
        {t('change-request.merge')}
      </Button>
      <Refusal error={look.error} />
      {isAsking && unresolved && (
        <Question merging={merging} unresolved={unresolved} close={() => setAsking(false)} />
      )}
    </>
  )
}

/** Names what stays open. What comes up while it is shown is named too, before it merges. */
function Question({
  merging: { base, show, merge },
  unresolved,
  close,
}: {
  merging: Merging
  unresolved: Unresolved
  close: () => void
}) {
  const [isNew, setNew] = useState(false)
  const look = useMutation<Unresolved, ApiFault>({ mutationFn: () => readUnresolved(base) })
  const confirm = () =>
    look.mutate(undefined, {
      onSuccess: (now) => {
        const isMore = hasMore(now, unresolved)
        setNew(isMore)
        if (isMore) return show(now)
        close()
        merge()
      },
    })
  const state = titleOfUnresolved(unresolved)
  return (
    <OpenDialog
      title={
        state === undefined
          ? t('change-request.everything-settled-now')
          : t('change-request.state-merge-anyway', { state })
      }
      describedBy="stays-open"
      onClose={close}
    >
      <div id="stays-open" className="stays-open" role="status">
        {isNew && <p>{t('change-request.something-added-while-were')}</p>}
        <ul className="checks">
          {sentencesOf(unresolved).map((one, at) => (
            <Check key={`${at} ${one}`} kind="info unresolved">
              {one}
            </Check>
          ))}
        </ul>
        {unresolved.suggestions.length > 0 && <p>{t('change-request.after-merge-nobody-can')}</p>}
      </div>
      <Refusal error={look.error} />
      <div className="actions">
        <Button className="button main" onPress={() => !look.isPending && confirm()}>
          {state === undefined ? t('change-request.merge') : t('change-request.merge-anyway')}
        </Button>
        <CancelButton close={close} autoFocus />
      </div>
    </OpenDialog>
  )
}
