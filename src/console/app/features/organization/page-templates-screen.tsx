import { useState } from 'react'
import { useChange } from '../../api/api.ts'
import type { OrganizationPath } from '../../api/paths.ts'
import { type ListedPageTemplate, usePageTemplates } from '../../editor/templates/page-templates.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { emojiText } from '../../ui/emoji-code.ts'
import { LineField } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

type TemplatesPath = `${OrganizationPath}/page-templates`

/** The templates with which pages of an organization can begin. */
export function PageTemplatesScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/page-templates` as const
  const list = usePageTemplates(organizationId)
  return (
    <OrganizationFrame id={organizationId} title={t('page-template.templates')}>
      {({ permissions }) => (
        <>
          <p className="hint">{t('page-template.templates-about')}</p>
          <Rows list={list} empty={t('page-template.none-found')}>
            {(one) => (
              <TemplateRow
                key={one.id}
                template={one}
                path={path}
                canChange={permissions.createContent && !one.builtIn}
              />
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

function TemplateRow({
  template: { id, title, description, emoji, builtIn },
  path,
  canChange,
}: {
  template: ListedPageTemplate
  path: TemplatesPath
  canChange: boolean
}) {
  const remove = useChange(`DELETE ${path}/${id}`, [path])
  return (
    <li>
      <span className="name">
        <span>
          {emoji !== '' && <span aria-hidden="true">{emojiText(emoji)} </span>}
          {title} {builtIn && <span className="tag">Lectern</span>}
        </span>
        <span>{description}</span>
      </span>
      {canChange && (
        <span className="row-actions">
          <DialogButton
            label={<Named name={title}>{t('common.edit')}</Named>}
            title={title}
            kind="small quiet"
          >
            {(close) => <TemplateForm path={path} known={{ id, title, description }} close={close} />}
          </DialogButton>
          <ConfirmButton
            label={t('common.delete')}
            name={title}
            question={t('common.delete-title', { title })}
            text={t('page-template.pages-stay')}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      )}
    </li>
  )
}

function TemplateForm({
  path,
  known,
  close,
}: {
  path: TemplatesPath
  known: Pick<ListedPageTemplate, 'id' | 'title' | 'description'>
  close: () => void
}) {
  const [title, setTitle] = useState(known.title)
  const [description, setDescription] = useState(known.description)
  const change = useChange(`PATCH ${path}/${known.id}`, [path])
  return (
    <EditForm
      change={change}
      action={t('common.save')}
      onSubmit={() => change.mutate({ title, description }, { onSuccess: close })}
      close={close}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField label={t('common.description')} value={description} onChange={setDescription} />
    </EditForm>
  )
}
