import { bundledThemesInfo } from 'shiki/themes'

/** The themes for code that a site can name: that of all sites in either mode, and those of Shiki. */
export const CODE_THEMES: readonly string[] = [
  'default-light',
  'default-dark',
  ...bundledThemesInfo.map(({ id }) => id),
]
