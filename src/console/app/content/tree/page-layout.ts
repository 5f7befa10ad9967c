/** The display names of the settings of the layout of a page, and of their values. */
import type { PageLayout } from '../../../../core/document/model.ts'

/** The switches of the layout, in the order of what they show on the page. */
export const LAYOUT_PARTS: readonly (readonly [
  name: Exclude<keyof PageLayout, 'width' | 'coverSize'>,
  label: string,
])[] = [
  ['cover', 'Cover'],
  ['title', 'Title'],
  ['description', 'Description'],
  ['tags', 'Tags'],
  ['tableOfContents', 'Navigation of the site'],
  ['outline', 'Contents of the page'],
  ['pagination', 'Links to the pages before and after'],
  ['metadata', 'Date of the last change'],
  ['actions', 'Actions, such as copying the page'],
]

export const PAGE_WIDTHS: readonly (readonly [value: NonNullable<PageLayout['width']>, label: string])[] = [
  ['default', 'Easy to read'],
  ['wide', 'Wide'],
]

export const COVER_SIZES: readonly (readonly [value: NonNullable<PageLayout['coverSize']>, label: string])[] =
  [
    ['hero', 'As wide as the text'],
    ['full', 'As wide as the window'],
    ['background', 'Behind the title'],
  ]
