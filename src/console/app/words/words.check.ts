/** Texts that the compiler has to refuse. If it accepts one, it reports the line above it. */
import type { Label } from './message-ids.ts'
import { t } from './words.ts'

declare const label: Label
declare const name: string

// Only the compiler reads this function. Nothing calls it.
void (() => {
  t('common.save')
  t(label)
  t('common.count-more-changes', { count: 2 })
  // @ts-expect-error There is no such text.
  t('common.saves')
  // @ts-expect-error A text that people write is no id.
  t(name)
  // @ts-expect-error The value is missing.
  t('common.count-more-changes')
  // @ts-expect-error The number of a plural is no text.
  t('common.count-more-changes', { count: name })
  // @ts-expect-error The value has another name.
  t('common.count-more-changes', { number: 2 })
  // @ts-expect-error The text has no values.
  t('common.save', { name })
})
