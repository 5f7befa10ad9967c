/** Inserts the text of a template at the caret. */
import { useMutation } from '@tanstack/react-query'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { api, type ApiFault } from '../../api/api.ts'
import { docOf } from '../../content/schema/convert.ts'
import { schema } from '../../content/schema/schema.ts'
import { emojiText } from '../../ui/emoji-code.ts'
import { LineField } from '../../ui/fields.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { Refusal, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { insertAllBelow } from '../commands/inserts.ts'
import { usePageTemplates } from './page-templates.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './templates.css'

export function TemplateDialog({
  view,
  spaceId,
  organizationId,
  onClose,
}: {
  view: EditorView
  spaceId: string
  organizationId: string
  onClose: () => void
}) {
  const list = usePageTemplates(organizationId)
  const [wanted, setWanted] = useState('')
  const found = list.items.filter(({ title, description }) =>
    `${title} ${description}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  const insert = useMutation<void, ApiFault, string>({
    async mutationFn(id) {
      const { markdown } = await api(`GET /orgs/${organizationId}/page-templates/${id}`)
      const { nodes } = await api(`POST /spaces/${spaceId}/content/markdown`, { markdown })
      if (view.isDestroyed) return
      // The keys of the blocks are those of no page.
      const { content } = schema.nodeFromJSON(docOf(nodes).toJSON())
      insertAllBelow(content)(view.state, view.dispatch, view)
    },
    onSuccess: onClose,
  })
  return (
    <OpenDialog title={t('page-template.insert')} onClose={onClose}>
      <LineField
        label={t('page-template.find')}
        type="search"
        value={wanted}
        onChange={setWanted}
        autoFocus
      />
      <Rows list={{ ...list, items: found }} empty={t('page-template.none-found')} kind="template-choices">
        {({ id, title, description, emoji }) => (
          <li key={id}>
            <button
              type="button"
              className="template-choice"
              disabled={insert.isPending}
              onClick={() => insert.mutate(id)}
            >
              <span aria-hidden="true">{emojiText(emoji)}</span>
              <strong>{title}</strong>
              <small>{description}</small>
            </button>
          </li>
        )}
      </Rows>
      <Refusal error={insert.error} />
    </OpenDialog>
  )
}
