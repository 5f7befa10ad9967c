import { root } from './root.ts'

/** Whether the device prefers a dark theme. */
export const deviceScheme = matchMedia('(prefers-color-scheme: dark)')

/** Whether the page is dark now. */
export const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : deviceScheme.matches)
