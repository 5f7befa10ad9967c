/** How the sidebar is shown. The browser keeps it, and it is known before the first screen is drawn. */
import { useSyncExternalStore } from 'react'
import { store, stored } from '../api/browser-storage.ts'
import { sharedValue, useShared } from './shared-value.ts'

const OPEN_KEY = 'lectern-sidebar'
const WIDTH_KEY = 'lectern-sidebar-width'

/** The widths of the sidebar in pixels. */
export const WIDTHS = { least: 200, first: 240, most: 380, step: 20 } as const

/** Beside narrower screens, there is no room for the sidebar: it is a sheet above them. */
const WIDE = matchMedia('(width >= 64rem)')

/** The widths of the part beside the sidebar, in rem, from which screens have more columns. */
const ROOMS = [
  ['middle', 60],
  ['wide', 75],
] as const

/** Whether the user wants the sidebar beside the screens. */
export const sidebarOpen = sharedValue(stored(OPEN_KEY) !== 'closed', (isOpen) => {
  store(OPEN_KEY, isOpen ? 'open' : 'closed')
  showSidebar()
})

/** How wide it is, in pixels. */
export const sidebarWidth = sharedValue(within(Number(stored(WIDTH_KEY) ?? WIDTHS.first)), (width) => {
  store(WIDTH_KEY, width === WIDTHS.first ? undefined : String(width))
  showSidebar()
})

/** Whether the sheet is open on a narrow screen. */
export const sheetOpen = sharedValue(false)

/** A width that the sidebar can have. */
export function within(width: number): number {
  return Number.isFinite(width)
    ? Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)))
    : WIDTHS.first
}

/** Whether there is room for the sidebar beside the screens. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      WIDE.addEventListener('change', changed)
      return () => WIDE.removeEventListener('change', changed)
    },
    () => WIDE.matches,
  )
}

/** Whether the sidebar is beside the screens now. */
export function useSidebarBeside(): boolean {
  const isWide = useWide()
  return useShared(sidebarOpen) && isWide
}

/** Opens or closes the sidebar, or the sheet that takes its place. */
export function toggleSidebar(): void {
  if (!WIDE.matches) {
    sheetOpen.set(!sheetOpen.get())
    return
  }
  // What has the focus goes with the sidebar, or with the button that shows it.
  const goes = Boolean(document.activeElement?.closest('.sidebar, .side-show'))
  sidebarOpen.set(!sidebarOpen.get())
  if (goes)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('.side-show, .side-top .side-tool')?.focus(),
    )
}

/**
 * Lets the styles know the width of the sidebar, and how much room is beside it. They cannot ask for that room with a
 * container query: in browsers of 2024, a container is also the frame of what is fixed in it.
 */
export function showSidebar(): void {
  const { dataset, style } = document.documentElement
  const width = WIDE.matches && sidebarOpen.get() ? sidebarWidth.get() : 0
  if (width > 0) dataset.sidebar = 'beside'
  else delete dataset.sidebar
  style.setProperty('--sidebar', `${width}px`)
  const rooms = ROOMS.filter(([, rem]) => matchMedia(`(width >= calc(${rem}rem + ${width}px))`).matches)
  if (rooms.length > 0) dataset.room = rooms.map(([name]) => name).join(' ')
  else delete dataset.room
}

addEventListener('resize', showSidebar)
