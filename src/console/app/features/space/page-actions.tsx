import { useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { ImportForm } from '../../import-export/import-dialog.tsx'
import { go } from '../../api/api.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import type { PageEntry, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { DownloadForm } from '../../import-export/download.tsx'

/** The actions for a page of a space besides reading and editing it. */
export function PageActions({ space, page }: { space: Space; page: PageEntry }) {
  const [open, setOpen] = useState<'download' | 'import'>()
  const mayEdit = space.permissions.edit
  const close = () => setOpen(undefined)
  const act = (name: string) => {
    if (name === 'download' || name === 'import') setOpen(name)
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
            {mayEdit && page.type === 'document' && (
              <MenuItem id="import" className="menu-item">
                {t('space.import-below-page')}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
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
