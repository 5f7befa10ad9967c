/** Adds pages, groups and links to a page tree. */
import { useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { ContentRef } from '../../../../core/document/model.ts'
import { useApi } from '../../api/api.ts'
import { PageTemplateField } from '../../editor/templates/page-template-field.tsx'
import type { ListedPageTemplate } from '../../editor/templates/page-templates.ts'
import { LineField } from '../../ui/fields.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { addedPage, type BatchChange, usePageChanges } from '../../content/tree/changes.ts'
import type { OutlinePage } from '../../content/tree/levels.ts'
import { LinkTargetField } from '../../pages/link-target-field.tsx'
import type { WritablePath } from '../../api/paths.ts'

type NewKind = 'page' | 'group' | 'link'

const TITLES = (): Record<NewKind, string> => ({
  page: t('editing.new-page'),
  group: t('common.new-group'),
  link: t('common.new-link'),
})

/** The buttons that add to a page tree. @param below the page that a new page was asked for, below it */
export function NewPages({
  organizationId,
  content,
  below,
  onClose,
  onAdded,
}: {
  organizationId: string
  content: WritablePath
  below: OutlinePage | undefined
  onClose: () => void
  /** Called with the id of a page that can be written. */
  onAdded: (id: string) => void
}) {
  const [asked, setAsked] = useState<NewKind>()
  const kind = below ? 'page' : asked
  const close = () => {
    setAsked(undefined)
    onClose()
  }
  return (
    <div className="actions page-actions">
      <Button className="button" onPress={() => setAsked('page')}>
        + {t('editing.new-page')}
      </Button>
      <MenuTrigger>
        <Button className="button" aria-label={t('editing.add-something-else')}>
          ▾
        </Button>
        <Popover>
          <Menu className="menu" onAction={(key) => setAsked(key as NewKind)}>
            <MenuItem id="group" className="menu-item">
              {t('common.new-group')}
            </MenuItem>
            <MenuItem id="link" className="menu-item">
              {t('common.new-link')}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {kind && (
        <OpenDialog title={TITLES()[kind]} onClose={close}>
          <NewForm
            key={kind}
            kind={kind}
            organizationId={organizationId}
            content={content}
            below={below}
            onAdded={onAdded}
            close={close}
          />
        </OpenDialog>
      )}
    </div>
  )
}

function NewForm({
  kind,
  organizationId,
  content,
  below,
  onAdded,
  close,
}: {
  kind: NewKind
  organizationId: string
  content: WritablePath
  below: OutlinePage | undefined
  onAdded: (id: string) => void
  close: () => void
}) {
  const add = usePageChanges(content)
  const [title, setTitle] = useState('')
  const [target, setTarget] = useState<ContentRef>()
  const [template, setTemplate] = useState<ListedPageTemplate>()
  const read = useApi(template && `/orgs/${organizationId}/page-templates/${template.id}`)
  const change = (): BatchChange => {
    if (kind === 'group') return { operation: 'insert_group', title }
    if (kind === 'link') return { operation: 'insert_link', title, target: target! }
    const into = below?.id ?? null
    if (!template) return { operation: 'insert_page', title, document: {}, into }
    const document = { markdown: read.data?.markdown ?? '' }
    return {
      operation: 'insert_page',
      title,
      document,
      into,
      ...(template.emoji && { emoji: template.emoji }),
    }
  }
  return (
    <EditForm
      change={add}
      action={t('common.create')}
      onSubmit={() => {
        if ((kind === 'link' && !target) || (template && !read.data)) return
        add.mutate(
          { changes: [change()], isForm: true },
          {
            onSuccess: (answer) => {
              close()
              const id = addedPage(answer)
              if (kind === 'page' && id) onAdded(id)
            },
          },
        )
      }}
      close={close}
    >
      {below && <p className="hint">{t('editing.below-title', { title: below.title })}</p>}
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      {kind === 'page' && (
        <PageTemplateField
          organizationId={organizationId}
          value={template}
          onChange={(chosen) => {
            setTemplate(chosen)
            // A title that somebody has written stays.
            if (title === '' || title === template?.title) setTitle(chosen?.title ?? '')
          }}
        />
      )}
      <Refusal query={read.error ? read : undefined} />
      {kind === 'link' && <LinkTargetField content={content} value={target} onChange={setTarget} />}
    </EditForm>
  )
}
