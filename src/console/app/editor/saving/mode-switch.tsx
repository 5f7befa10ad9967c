/** How far saving is, and the choice between the text of a page and its source. */
import { useEffect, useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'
import type { SaveState } from './session-machine.ts'

const SAYS: Record<SaveState['is'], PlainId> = {
  saved: 'common.saved',
  waiting: 'editor.editing',
  saving: 'editor.saving',
  offline: 'editor.offline-text-kept-browser',
  conflict: 'editor.somebody-else-changed-same',
  refused: 'editor.not-saved',
}

/** Says how far saving is. */
export function SaveLine({ state, isUploading = false }: { state: SaveState; isUploading?: boolean }) {
  return (
    <p className={`save-state ${state.is}`} role="status">
      {isUploading ? t('editor.uploading') : t(SAYS[state.is])}
    </p>
  )
}

interface ModeSwitchProps {
  mode: 'text' | 'source'
  state: SaveState
  save: () => unknown
  /** Called when the page is saved, so that the other form shows what is written in this one. */
  onSwitch: () => void
}

/** Lets the writer choose between the text of a page and its source. */
export function ModeSwitch({ mode, state, save, onSwitch }: ModeSwitchProps) {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!isLeaving || state.is === 'waiting' || state.is === 'saving') return
    setLeaving(false)
    if (state.is === 'saved') onSwitch()
    // It is called once for each state.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [isLeaving, state])
  return (
    <ToggleButtonGroup
      className="mode-switch"
      aria-label={t('editor.form-page')}
      disallowEmptySelection
      selectedKeys={[mode]}
      onSelectionChange={(keys) => {
        if (keys.has(mode)) return
        setLeaving(true)
        save()
      }}
    >
      <ToggleButton id="text" className="tool">
        {t('block.text')}
      </ToggleButton>
      <ToggleButton id="source" className="tool">
        {t('common.source')}
      </ToggleButton>
    </ToggleButtonGroup>
  )
}
