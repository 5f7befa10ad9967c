import { sharedValue } from '../../ui/shared-value.ts'

/** Whether the palette is open. */
export const paletteOpen = sharedValue(false)

/** The keys that open the palette, as people write them. */
export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
