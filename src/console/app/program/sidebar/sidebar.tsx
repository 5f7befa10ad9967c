/** The sidebar: the way to every place, on every screen. */
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Button, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useLocation } from 'wouter'
import { useApi } from '../../api/api.ts'
import type { Caller, Organization } from '../../api/types.ts'
import { useRecentPages } from '../../places/recent.ts'
import { Face } from '../../ui/face.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { useShared } from '../../ui/shared-value.ts'
import { PlaceSign, type SignName } from '../../ui/signs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { shortcut } from '../../ui/shortcut.ts'
import { t } from '../../words/words.ts'
import { PALETTE_KEYS, paletteOpen } from '../palette/palette-state.ts'
import { creating } from './creating.ts'
import { FavouritePlaces } from './favourites.tsx'
import { usePlaceHere } from './here.ts'
import { Group, Place, PlaceName } from './parts.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import { sheetOpen, sidebarOpen, toggleSidebar, useWide } from '../../ui/sidebar-state.ts'
import { SitePlaces } from './site-places.tsx'
import { SpacePlaces } from './space-places.tsx'
import { Switcher } from './switcher.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './sidebar.css'

const CreateDialog = lazy(async () => ({ default: (await import('./create-dialog.tsx')).CreateDialog }))

/** The sidebar beside the screens, or on a narrow screen the sheet above them, if it is open. */
export function Sidebar({ me }: { me: Caller | undefined }) {
  const isWide = useWide()
  const isOpen = useShared(sidebarOpen)
  const isSheet = useShared(sheetOpen)
  const what = useShared(creating)
  const [at] = useLocation()
  useEffect(() => sheetOpen.set(false), [at, isWide])
  return (
    <>
      {isWide ? (
        isOpen && (
          <SideFrame>
            <Places me={me} />
            <ResizeHandle />
          </SideFrame>
        )
      ) : (
        <ModalOverlay
          className="side-overlay"
          isDismissable
          isOpen={isSheet}
          onOpenChange={(next) => sheetOpen.set(next)}
        >
          <Modal className="side-sheet">
            <Dialog aria-label={t('sidebar.label')} className="side-dialog">
              <SideFrame>
                <Places me={me} />
              </SideFrame>
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
      {what && (
        <Suspense>
          <CreateDialog what={what} />
        </Suspense>
      )}
    </>
  )
}

/** The rows that the arrows go through. */
const ROWS = 'a, button:not(.side-tool, .side-twist)'

/** The arrows go from row to row, and open and close collections. */
function SideFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event
    if (!frame.current || !(target instanceof HTMLElement) || !frame.current.contains(target)) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const rows = [...frame.current.querySelectorAll<HTMLElement>(ROWS)]
      const row = target.matches(ROWS)
        ? target
        : target.closest('.side-line')?.querySelector<HTMLElement>(ROWS)
      const next = row && rows[rows.indexOf(row) + (key === 'ArrowDown' ? 1 : -1)]
      if (!next) return
      event.preventDefault()
      next.focus()
      return
    }
    if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
    const twist = target.closest('.side-line')?.querySelector<HTMLElement>('.side-twist')
    const opens = (key === 'ArrowRight') === (getComputedStyle(frame.current).direction === 'ltr')
    if (!twist || twist.getAttribute('aria-expanded') === String(opens)) return
    event.preventDefault()
    twist.click()
  }
  return (
    <nav ref={frame} className="sidebar" aria-label={t('sidebar.label')} onKeyDown={onKeyDown}>
      {children}
    </nav>
  )
}

/** How many of the pages that were read last are in the sidebar. */
const MOST_RECENT = 4

function Places({ me }: { me: Caller | undefined }) {
  const { at, organizationId, organizations } = usePlaceHere()
  const query = useApi(organizationId && `/orgs/${organizationId}`)
  const unread = useApi('/user/notifications?unread=true&limit=1').data?.unread ?? 0
  const recent = useRecentPages(me?.id).slice(0, MOST_RECENT)
  const organization = query.data
  return (
    <>
      <div className="side-top">
        {organization && me ? (
          <Switcher organization={organization} all={organizations.items} me={me} />
        ) : (
          <span className="side-switcher" />
        )}
        <Button
          className="side-tool"
          aria-label={t('sidebar.hide')}
          ref={shortcut('Control+\\')}
          onPress={toggleSidebar}
        >
          <PlaceSign name="panel" />
        </Button>
      </div>
      <Button
        className="side-search"
        ref={shortcut('Control+K Meta+K')}
        onPress={() => {
          sheetOpen.set(false)
          paletteOpen.set(true)
        }}
      >
        <PlaceSign name="search" />
        <span className="side-name">{t('sidebar.search')}</span>
        <kbd aria-hidden="true">{PALETTE_KEYS}</kbd>
      </Button>
      <div className="side-scroll">
        <ul>
          <Item to="/" at={at} sign="home" name={t('sidebar.home')} />
          <Item to="/inbox" at={at} sign="inbox" name={t('sidebar.inbox')}>
            {unread > 0 && (
              <span className="side-count">
                <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
                <span className="unseen">{t('sidebar.count-wait', { count: unread })}</span>
              </span>
            )}
          </Item>
          <Item to="/drafts" at={at} sign="pencil" name={t('sidebar.my-drafts')} />
          {organizationId && (
            <Item
              to={`/o/${organizationId}/changes`}
              at={at}
              sign="merge"
              name={t('common.change-requests')}
            />
          )}
        </ul>
        {organization && <FavouritePlaces organizationId={organization.id} at={at} />}
        {recent.length > 0 && (
          <Group name={t('sidebar.recent')}>
            <ul>
              {recent.map(({ to, title, emoji, space }) => (
                <li key={to}>
                  <Place
                    to={to}
                    at={at}
                    sign={emoji ? <Face id={to} name={title} emoji={emoji} /> : <PlaceSign name="clock" />}
                  >
                    <PlaceName>{title}</PlaceName>
                    <span className="side-of">{space}</span>
                  </Place>
                </li>
              ))}
            </ul>
          </Group>
        )}
        {organization ? (
          <>
            <SpacePlaces organization={organization} at={at} />
            <SitePlaces organization={organization} at={at} />
          </>
        ) : organizations.isLoading || query.isLoading ? (
          <Skeleton lines={5} />
        ) : null}
        <Refusal query={query.error ? query : organizations.error ? organizations : undefined} />
      </div>
      {organization && <Foot organization={organization} at={at} />}
    </>
  )
}

function Item({
  to,
  at,
  sign,
  name,
  isAround = false,
  children,
}: {
  to: string
  at: string
  sign: SignName
  name: string
  isAround?: boolean
  children?: ReactNode
}) {
  return (
    <li>
      <Place to={to} at={at} isAround={isAround} sign={<PlaceSign name={sign} />}>
        <span className="side-name">{name}</span>
        {children}
      </Place>
    </li>
  )
}

/** The places below the others, which belong to the organization as a whole. */
function Foot({ organization: { id, permissions }, at }: { organization: Organization; at: string }) {
  const to = (path: string) => `/o/${id}/${path}`
  return (
    <ul className="side-foot">
      {permissions.listMembers && (
        <>
          <Item to={to('people')} at={at} sign="people" name={t('common.people')} isAround />
          <Item to={to('openapi')} at={at} sign="braces" name={t('common.openapi')} isAround />
        </>
      )}
      {permissions.admin ? (
        <Item to={to('settings')} at={at} sign="sliders" name={t('common.settings')} isAround />
      ) : (
        // Members who are not administrators have the trash and the custom fields there.
        <Item to={to('trash')} at={at} sign="bin" name={t('common.trash')} />
      )}
    </ul>
  )
}
