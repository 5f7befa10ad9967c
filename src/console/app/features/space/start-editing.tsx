import { Button } from 'react-aria-components'
import { go, useChange } from '../../api/api.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'
import type { Space } from '../../api/types.ts'
import { beginAtPointed, beginWriting } from '../../editor/saving/opening.ts'
import { allowsDirectEdits, noteDirectEdit } from '../../proposals/direct-edit.ts'
import { ContinueDraft, useMyDraft } from '../../proposals/my-draft.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { shortcut } from '../../ui/shortcut.ts'
import { SplitButton } from '../../ui/split-button.tsx'
import { t } from '../../words/words.ts'

/** Opens a change request of the caller, and the page in it. In a space that allows it, Done merges it. */
export function StartEditing({ space, path }: { space: Space; path: string }) {
  const { id } = space
  const open = useChange(`POST /spaces/${id}/change-requests`, [`/spaces/${id}/change-requests`])
  const draft = useMyDraft(id)
  const isDirect = allowsDirectEdits(space)
  const start = (kind: 'direct' | 'proposal') =>
    open.mutate(
      // The author names it later, when there are changes.
      {},
      {
        onSuccess: ({ number }) => {
          const base: ChangeRequestPath = `/spaces/${id}/change-requests/${number}`
          if (kind === 'direct') noteDirectEdit(base)
          const place = { spaceId: id, number: String(number) }
          beginAtPointed(place)
          beginWriting(place, path)
          // The editor opens at the block that the address names.
          go(`/s/${id}/~/changes/${number}/edit/${path}${location.hash}`)
        },
      },
    )
  const proposing = {
    id: 'propose',
    title: t('space.propose-a-change'),
    onChoose: () => start('proposal'),
  }
  return (
    <>
      {draft && (
        <ContinueDraft
          draft={draft}
          spaceId={id}
          path={path}
          onOpen={() => beginAtPointed({ spaceId: id, number: String(draft.number) })}
        />
      )}
      <SplitButton label={t('space.other-ways-to-edit')} choices={isDirect ? [proposing] : []}>
        <Button
          className="button"
          ref={shortcut('E')}
          isDisabled={open.isPending}
          onPress={() => start(isDirect ? 'direct' : 'proposal')}
        >
          {t('common.edit')}
        </Button>
      </SplitButton>
      <Refusal error={open.error} />
    </>
  )
}
