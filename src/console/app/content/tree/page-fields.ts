/** The fields of a page beside its title and text. */
import type { ContentRef } from '../../../../core/document/model.ts'
import { useApi } from '../../api/api.ts'
import { pageFieldsAt } from '../../api/page-place.ts'
import type { PageEntry } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { type BatchChange, usePageChanges } from './changes.ts'

export interface PageCover {
  ref?: ContentRef
  refDark?: ContentRef
  yPos: number
  height?: number
}

/** Settings of how a page looks. */
export interface PageLook {
  width: 'default' | 'wide'
  coverSize: 'hero' | 'full' | 'background'
  cover: boolean
  title: boolean
  description: boolean
  tableOfContents: boolean
  outline: boolean
  pagination: boolean
  metadata: boolean
  tags?: boolean
  actions?: boolean
}

export type VariableValues = Record<string, string | number | boolean>

/** A page with all its fields. */
export interface FullPage extends PageEntry {
  linkTitle?: string
  condition?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  layout?: PageLook
  cover?: PageCover
  tags?: { tag: string; primary?: boolean }[]
  variables?: VariableValues
  target?: ContentRef
}

/** Values to set; null removes one. */
export type FieldValues = { [K in keyof FullPage]?: FullPage[K] | null }

/** The fields of a page, without its text. */
export function usePageFields(content: string, id: string | undefined) {
  return useApi<FullPage>(id && pageFieldsAt(content, id))
}

/** The values of fields that are not set. */
const UNSET: FieldValues = { hidden: false, noIndex: false, noRobotsIndex: false }

/** Sets fields of a page, and offers to set them back. */
export function useFieldChanges(content: `/${string}`) {
  const send = usePageChanges(content)
  const update = (id: string, values: FieldValues): BatchChange[] => [
    { operation: 'update_page', page: id, ...values },
  ]
  return {
    ...send,
    /** @param onSaved given by a form, which stays open until then */
    set(page: FullPage, values: FieldValues, onSaved?: () => void) {
      const before = Object.fromEntries(
        Object.keys(values).map((name) => {
          const field = name as keyof FullPage
          return [field, page[field] ?? UNSET[field] ?? null]
        }),
      )
      send.mutate(
        {
          changes: update(page.id, values),
          done: t('“{title}” was changed', { title: page.title }),
          undo: () => update(page.id, before),
          isSave: true,
          isForm: onSaved !== undefined,
        },
        { ...(onSaved && { onSuccess: onSaved }) },
      )
    },
  }
}
