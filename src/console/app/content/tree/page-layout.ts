/** The display names of the settings of the layout of a page, and of their values. */
import type { PageLayout } from '../../../../core/document/model.ts'
import type { PlainId } from '../../words/message-ids.ts'

/** The switches of the layout, in the order of what they show on the page. */
export const LAYOUT_PARTS: readonly (readonly [
  name: Exclude<keyof PageLayout, 'width' | 'coverSize' | 'coverMask'>,
  label: PlainId,
])[] = [
  ['cover', 'common.cover'],
  ['title', 'common.title'],
  ['description', 'common.description'],
  ['tags', 'common.tags'],
  ['tableOfContents', 'field.navigation-site'],
  ['outline', 'field.contents-page'],
  ['anchors', 'field.links-headings'],
  ['pagination', 'field.links-pages-before-after'],
  ['metadata', 'field.date-last-change'],
  ['actions', 'field.actions-such-copying-page'],
]

/** The values of a setting, each with its label. */
type Choices<Setting extends keyof PageLayout> = readonly (readonly [
  value: NonNullable<PageLayout[Setting]>,
  label: PlainId,
])[]

export const PAGE_WIDTHS: Choices<'width'> = [
  ['default', 'field.easy-to-read'],
  ['wide', 'field.wide'],
]

export const COVER_SIZES: Choices<'coverSize'> = [
  ['hero', 'field.wide-text'],
  ['full', 'field.wide-window'],
  ['background', 'field.behind-the-title'],
]

export const COVER_MASKS: Choices<'coverMask'> = [
  ['none', 'field.sharp-edges'],
  ['radial', 'field.edges-fade-out'],
]
