import { onlineManager, useQueryClient } from '@tanstack/react-query'
import {
  Component,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { Button, I18nProvider, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Link, Route, Switch } from 'wouter'
import { Palette, PaletteButton } from './palette/palette-button.tsx'
import { keyMapOpen, useShortcuts } from './keys/shortcuts.ts'
import { creating } from './sidebar/creating.ts'
import { usePlaceHere } from './sidebar/here.ts'
import { Sidebar } from './sidebar/sidebar.tsx'
import { sheetOpen, sidebarOpen, toggleSidebar, useWide } from '../ui/sidebar-state.ts'
import { go, useApi } from '../api/api.ts'
import { readAgain } from '../api/use-events.ts'
import { useFocusOnNewScreen } from '../ui/kept-focus.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { useShared } from '../ui/shared-value.ts'
import { PlaceSign } from '../ui/signs.tsx'
import { ROUTES } from './routes.tsx'
import { LeftTexts } from '../editor/together/left-texts.tsx'
import type { Caller } from '../api/types.ts'
import { shortcut } from '../ui/shortcut.ts'
import { keepLanguage, language, t } from '../words/words.ts'

const KeyMap = lazy(async () => ({ default: (await import('./keys/key-map.tsx')).KeyMap }))

const ICON = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The frame of all screens. */
export function Shell() {
  useFocusOnNewScreen()
  useNews()
  const { data: me } = useApi('/user')
  const client = useQueryClient()
  const [spoken, setSpoken] = useState(language)
  useEffect(() => {
    const follow = async (ofAccount: string | undefined) => {
      const before = language
      const now = await keepLanguage(ofAccount)
      setSpoken(now)
      // What was read before names people in the other language.
      if (now !== before) await client.invalidateQueries()
    }
    if (me) void follow(me.language)
  }, [me, client])
  return (
    // Everything is drawn again in another language.
    <I18nProvider key={spoken} locale={spoken}>
      <a className="skip" href="#main">
        {t('app.skip-content')}
      </a>
      <div className="app-frame">
        <Sidebar me={me} />
        <div className="app-column">
          <header className="app-top">
            <SidebarButton />
            <div id="trail" />
            {me && <AccountMenu me={me} />}
          </header>
          <div id="main" role="main" tabIndex={-1}>
            <OfflineLine />
            {me && <LeftTexts />}
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Switch>
                  {ROUTES.map(([pattern, Screen]) => (
                    <Route key={pattern} path={pattern}>
                      {(params) => <Screen params={params as Record<string, string>} />}
                    </Route>
                  ))}
                  <Route>
                    <Failure title={t('app.there-no-screen-here')} />
                  </Route>
                </Switch>
              </Suspense>
            </Boundary>
          </div>
        </div>
      </div>
      <Palette />
      <Keys />
    </I18nProvider>
  )
}

/** Where the sidebar is not shown: the button that opens it, the way home, and the palette. */
function SidebarButton() {
  const isWide = useWide()
  const isOpen = useShared(sidebarOpen)
  const isSheet = useShared(sheetOpen)
  if (isWide && isOpen) return null
  return (
    <>
      <Button
        className="quiet side-show"
        aria-label={t('sidebar.show')}
        // Beside the screens, the sidebar has another button that hides it.
        {...(!isWide && { 'aria-expanded': isSheet })}
        ref={shortcut('Control+\\')}
        onPress={toggleSidebar}
      >
        <PlaceSign name="panel" />
      </Button>
      <Link href="/" className="brand">
        <img src={ICON} alt="" width="26" height="26" /> <span className="brand-name">Lectern</span>
      </Link>
      <PaletteButton />
    </>
  )
}

/** The keys that work on every screen, and their map. */
function Keys() {
  const { organizationId } = usePlaceHere()
  const { data } = useApi(organizationId && `/orgs/${organizationId}`)
  const mayCreate = organizationId !== undefined && data?.permissions.createContent === true
  const create = useMemo(
    () => (mayCreate ? () => creating.set({ kind: 'space', organizationId }) : undefined),
    [mayCreate, organizationId],
  )
  useShortcuts(create)
  return useShared(keyMapOpen) ? (
    <Suspense>
      <KeyMap />
    </Suspense>
  ) : null
}

/** There is no stream of events of a user, so the console asks for what waits. */
const ASK_EVERY_MS = 30_000

/** Reads again what waits for the user, on whatever screen. */
function useNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void readAgain(client, ['/user/notifications'])
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [client])
}

/** Without a network, screens show what they have read before, and nothing else. */
function OfflineLine() {
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
  return (
    <p className={isOnline ? 'unseen' : 'offline-line'} role="status">
      {isOnline ? '' : t('app.there-no-network-console')}
    </p>
  )
}

function AccountMenu({ me }: { me: Caller }) {
  return (
    <MenuTrigger>
      <Button className="quiet account" aria-label={`${me.displayName} · ${t('common.your-account')}`}>
        <span className="avatar" aria-hidden="true" data-letter={me.displayName.slice(0, 1)} />
        <span className="wide-only">{me.displayName}</span>
        <span className="unseen">{t('common.your-account')}</span>
      </Button>
      <Popover placement="bottom end">
        <Menu className="menu" onAction={(key) => key === 'out' && signOut()}>
          <MenuItem className="menu-item" onAction={() => go('/profile')}>
            {t('common.profile')}
          </MenuItem>
          <MenuItem href="/app/me" className="menu-item">
            {t('common.your-account')}
          </MenuItem>
          {me.permissions.administerInstallation && (
            <MenuItem className="menu-item" onAction={() => go('/installation')}>
              {t('installation.installation')}
            </MenuItem>
          )}
          <Separator />
          <MenuItem id="out" className="menu-item">
            {t('app.sign-out')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Signing out is a form of the server, which ends the session and its cookie. */
function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}

/** Shows what went wrong on a screen instead of an empty page. */
class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <Failure
        title={t('app.this-screen-failed')}
        error={error}
        retry={() => this.setState({ error: undefined })}
      />
    )
  }
}
