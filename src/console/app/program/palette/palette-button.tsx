import { type ComponentType, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useShared } from '../../ui/shared-value.ts'
import { PlaceSign } from '../../ui/signs.tsx'
import { shortcut } from '../../ui/shortcut.ts'
import { t } from '../../words/words.ts'
import { PALETTE_KEYS, paletteOpen } from './palette-state.ts'

/** The palette and its keys: Ctrl+K or ⌘K. */
export function Palette() {
  const isOpen = useShared(paletteOpen)
  const [PaletteDialog, setDialog] = useState<ComponentType>()
  useEffect(() => {
    // The keys that follow those that open it are meant for it. A lazy component would be drawn too late for them.
    void import('./palette.tsx').then((part) => setDialog(() => part.PaletteDialog))
    const listen = (event: KeyboardEvent) => {
      // In the text of a page, the keys make a link.
      if (event.defaultPrevented) return
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey) return
      event.preventDefault()
      paletteOpen.set(!paletteOpen.get())
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return isOpen && PaletteDialog ? <PaletteDialog /> : null
}

/** Opens the palette, where the sidebar with its search is not shown. */
export function PaletteButton() {
  return (
    <Button
      className="quiet small go-to"
      ref={shortcut('Control+K Meta+K')}
      aria-label={`${t('app.go-to')} ${PALETTE_KEYS}`}
      onPress={() => paletteOpen.set(true)}
    >
      <PlaceSign name="search" />
      <span className="wide-only">
        {t('app.go-to')} <kbd>{PALETTE_KEYS}</kbd>
      </span>
    </Button>
  )
}
