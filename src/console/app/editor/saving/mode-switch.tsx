/** How far saving is, and the choice between the text of a page and its source. */
import { useEffect, useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { t } from '../../words/words.ts'
import type { SaveState } from './save-schedule.ts'

const SAYS: Record<SaveState['is'], string> = {
  saved: 'Saved',
  waiting: 'Editing…',
  saving: 'Saving…',
  offline: 'Offline. Your text is kept in this browser.',
  conflict: 'Somebody else has changed the same text',
  refused: 'Not saved',
}

/** Says how far saving is. */
export function SaveLine({ state, isUploading = false }: { state: SaveState; isUploading?: boolean }) {
  return (
    <p className={`save-state ${state.is}`} role="status">
      {isUploading ? t('Uploading…') : t(SAYS[state.is])}
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
      aria-label={t('Form of the page')}
      disallowEmptySelection
      selectedKeys={[mode]}
      onSelectionChange={(keys) => {
        if (keys.has(mode)) return
        setLeaving(true)
        save()
      }}
    >
      <ToggleButton id="text" className="tool">
        {t('Text')}
      </ToggleButton>
      <ToggleButton id="source" className="tool">
        {t('Source')}
      </ToggleButton>
    </ToggleButtonGroup>
  )
}
