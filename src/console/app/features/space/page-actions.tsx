import { lazy, Suspense, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { ImportForm } from '../../import-export/import-dialog.tsx'
import { go, useApi } from '../../api/api.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { Loading } from '../../ui/parts.tsx'
import type { PageEntry, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { DownloadForm } from '../../import-export/download.tsx'

const SaveTemplateForm = lazy(async () => ({
  default: (await import('./save-template.tsx')).SaveTemplateForm,
}))

/** The actions for a page of a space besides reading and editing it. */
export function PageActions({ space, page }: { space: Space; page: PageEntry }) {
  const [open, setOpen] = useState<'download' | 'import' | 'template'>()
  const mayEdit = space.permissions.edit
  const organization = useApi(`/orgs/${space.organization}`)
  const mayKeep = organization.data?.permissions.createContent === true && page.type === 'document'
  const close = () => setOpen(undefined)
  const act = (name: string) => {
    if (name === 'download' || name === 'import' || name === 'template') setOpen(name)
    else go(`/s/${space.id}/~/pages/${page.id}/${name}`)
  }
  return (
    <>
      <MenuTrigger>
        <Button
          className="button page-actions"
          aria-label={t('common.actions-for-title', { title: page.title })}
        >
          ⋯
        </Button>
        <Popover placement="bottom end">
          <Menu className="menu" onAction={(name) => act(String(name))}>
            <MenuItem id="history" className="menu-item">
              {t('common.history-page')}
            </MenuItem>
            <MenuItem id="links" className="menu-item">
              {t('common.links-page')}
            </MenuItem>
            <MenuItem id="download" className="menu-item">
              {t('common.download-now')}
            </MenuItem>
            {mayKeep && (
              <MenuItem id="template" className="menu-item">
                {t('page-template.save')}
              </MenuItem>
            )}
            {mayEdit && page.type === 'document' && (
              <MenuItem id="import" className="menu-item">
                {t('space.import-below-page')}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {open === 'template' && (
        <OpenDialog title={t('page-template.save')} onClose={close}>
          <Suspense fallback={<Loading />}>
            <SaveTemplateForm space={space} page={page} close={close} />
          </Suspense>
        </OpenDialog>
      )}
      {open === 'download' && (
        <OpenDialog title={t('common.download')} onClose={close}>
          <DownloadForm
            of={{
              base: `/spaces/${space.id}`,
              page: page.id,
              archive: mayEdit ? `/spaces/${space.id}/content/export` : undefined,
            }}
            close={close}
          />
        </OpenDialog>
      )}
      {open === 'import' && (
        <OpenDialog title={t('space.import-below-title', { title: page.title })} onClose={close}>
          <ImportForm
            organizationId={space.organization}
            into={{ spaceId: space.id, page: page.id, isProposed: space.editMode === 'locked' }}
            close={close}
          />
        </OpenDialog>
      )}
    </>
  )
}
