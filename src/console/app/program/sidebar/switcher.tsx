import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components'
import { go } from '../../api/api.ts'
import type { Caller, Organization } from '../../api/types.ts'
import { Face } from '../../ui/face.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { t } from '../../words/words.ts'
import { creating } from './creating.ts'

/** The organization that the sidebar shows, and the way to the others. */
export function Switcher({
  organization,
  all,
  me,
}: {
  organization: Organization
  all: readonly Organization[]
  me: Caller
}) {
  const { id, title, urls, permissions } = organization
  return (
    <MenuTrigger>
      <Button className="side-switcher" aria-label={t('sidebar.organization-title', { title })}>
        <Face id={id} name={title} picture={urls.logo} />
        <span className="side-name">
          <bdi>{title}</bdi>
        </span>
        <PlaceSign name="both" />
      </Button>
      <Popover placement="bottom start" className="side-menu">
        <Menu className="menu">
          <MenuSection
            selectionMode="single"
            selectedKeys={[id]}
            onSelectionChange={(keys) => keys !== 'all' && [...keys].forEach((key) => go(`/o/${key}`))}
          >
            <Header className="menu-header">{t('home.organizations')}</Header>
            {all.map((one) => (
              <MenuItem key={one.id} id={one.id} textValue={one.title} className="menu-item with-face">
                <Face id={one.id} name={one.title} picture={one.urls.logo} />
                <bdi>{one.title}</bdi>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator />
          <MenuItem className="menu-item" onAction={() => go(`/o/${id}`)}>
            {t('home.all-spaces')}
          </MenuItem>
          {permissions.admin && (
            <MenuItem className="menu-item" onAction={() => go(`/o/${id}/settings`)}>
              {t('sidebar.organization-settings')}
            </MenuItem>
          )}
          {me.permissions.createOrganization && (
            <MenuItem
              className="menu-item"
              onAction={() => creating.set({ kind: 'organization', organizationId: id })}
            >
              {t('home.new-organization')}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
