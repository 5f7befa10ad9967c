import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Button, I18nProvider, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Link, Route, Switch } from 'wouter'
import { Palette } from './palette.tsx'
import { go, useApi } from '../api/api.ts'
import { useFocusOnNewScreen } from '../ui/kept-focus.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { ROUTES } from './routes.tsx'
import { LeftTexts } from '../editor/together/left-texts.tsx'
import type { Caller } from '../api/types.ts'
import { keepLanguage, language, t } from '../words/words.ts'

const ICON = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The frame of all screens. */
export function Shell() {
  useFocusOnNewScreen()
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
      <header className="app-top">
        <Link href="/" className="brand">
          <img src={ICON} alt="" width="26" height="26" /> <span className="brand-name">Lectern</span>
        </Link>
        <div id="trail" />
        <Palette />
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
    </I18nProvider>
  )
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
