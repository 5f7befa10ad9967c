/** The fields of a page beside its title and text. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ContentRef } from '../../../../core/document/model.ts'
import { type ApiFault, useApi } from '../../api/api.ts'
import { pageFieldsAt } from '../../api/page-place.ts'
import type { AnyPage, PageEntry } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { type BatchChange, usePageChanges } from './changes.ts'
import type { ContentPath, WritablePath } from '../../api/paths.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

type DocumentPage = Extract<Schemas['Page'], { type: 'document' }>

export type PageCover = NonNullable<DocumentPage['cover']>

/** Settings of how a page looks. */
export type PageLook = DocumentPage['layout']

export type VariableValues = NonNullable<DocumentPage['variables']>

/** A page with all its fields. */
export interface FullPage
  extends
    PageEntry,
    Partial<
      Pick<
        DocumentPage,
        | 'linkTitle'
        | 'condition'
        | 'hidden'
        | 'noIndex'
        | 'noRobotsIndex'
        | 'layout'
        | 'cover'
        | 'tags'
        | 'variables'
      >
    > {
  target?: ContentRef
}

/** Values to set; null removes one. */
export type FieldValues = Omit<
  Extract<BatchChange, { operation: 'update_page' }>,
  'operation' | 'page' | 'tags'
> & { tags?: DocumentPage['tags'] | null }

/** The fields of a page, without its text. */
export function usePageFields(
  content: ContentPath,
  id: string | undefined,
): UseQueryResult<AnyPage, ApiFault> {
  return useApi(id && pageFieldsAt(content, id))
}

/** The values of fields that are not set. */
const UNSET: FieldValues = { hidden: false, noIndex: false, noRobotsIndex: false }

/** Sets fields of a page, and offers to set them back. */
export function useFieldChanges(content: WritablePath) {
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
          const field = name as keyof FieldValues & keyof FullPage
          return [field, page[field] ?? UNSET[field] ?? null]
        }),
      )
      send.mutate(
        {
          changes: update(page.id, values),
          done: t('page.title-was-changed', { title: page.title }),
          undo: () => update(page.id, before),
          isSave: true,
          isForm: onSaved !== undefined,
        },
        { ...(onSaved && { onSuccess: onSaved }) },
      )
    },
  }
}
