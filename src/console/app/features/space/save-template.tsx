/** Keeps a page as a template of the organization. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isRecord } from '../../../../core/data/is-record.ts'
import type { Document } from '../../../../core/document/model.ts'
import { api, type ApiFault } from '../../api/api.ts'
import type { PageEntry, Space } from '../../api/types.ts'
import { LineField } from '../../ui/fields.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { tellDone } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'

/** The kinds of references that are to something in a space. */
const IN_SPACE = new Set<unknown>(['page', 'anchor', 'file', 'reusable-content', 'tag'])

/**
 * A part of a document whose references mean the same in another space. A reference to a heading of the page itself stays in
 * the page.
 */
function fromAnywhere(part: unknown, space: string): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => fromAnywhere(one, space))
  if (!isRecord(part)) return part
  const isInSpace = IN_SPACE.has(part.kind) && part.space === undefined
  if (isInSpace && (part.kind !== 'anchor' || part.page !== undefined)) return { ...part, space }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fromAnywhere(value, space)]))
}

export function SaveTemplateForm({
  space: { id, organization },
  page,
  close,
}: {
  space: Space
  page: PageEntry
  close: () => void
}) {
  const client = useQueryClient()
  const [title, setTitle] = useState(page.title)
  const [description, setDescription] = useState(page.description ?? '')
  const save = useMutation<void, ApiFault>({
    async mutationFn() {
      const document = await api(`GET /spaces/${id}/content/page/${page.id}/document`)
      const sent = { document: fromAnywhere(document, id) as Document }
      const { markdown } = await api(`POST /spaces/${id}/content/document`, sent)
      const emoji = page.emoji ?? ''
      await api(`POST /orgs/${organization}/page-templates`, { title, description, emoji, markdown })
      await client.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => String(path).includes('/page-templates'),
      })
    },
    onSuccess: () => {
      tellDone(t('page-template.kept', { title }))
      close()
    },
  })
  return (
    <EditForm change={save} action={t('page-template.save')} onSubmit={() => save.mutate()} close={close}>
      <p className="hint">{t('page-template.save-about')}</p>
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField label={t('common.description')} value={description} onChange={setDescription} />
    </EditForm>
  )
}
