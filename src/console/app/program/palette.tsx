/** The way to everything by the keyboard: Ctrl+K or ⌘K. */
import { useQueryClient } from '@tanstack/react-query'
import {
  type KeyboardEvent as KeyPress,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  Autocomplete,
  Button,
  Dialog,
  Input,
  ListBox,
  ListBoxItem,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { useLocation } from 'wouter'
import { go, useApi, useList } from '../api/api.ts'
import type { Organization, Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { spaceScreens } from '../places/space-frame.tsx'
import { type Action, actionsOfScreen } from './palette-actions.ts'

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

/** Opens the palette: a button for the pointer, and the keys. */
export function Palette() {
  const [actions, setActions] = useState<Action[]>()
  const client = useQueryClient()
  const setOpen = useCallback(
    (isOpen: boolean) => setActions(isOpen ? actionsOfScreen(client) : undefined),
    [client],
  )
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // In the text of a page, the keys make a link.
      if (event.defaultPrevented) return
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey) return
      event.preventDefault()
      setActions((before) => (before ? undefined : actionsOfScreen(client)))
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [client])
  return (
    <>
      <Button
        className="quiet small go-to"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={`${t('app.go-to')} ${KEYS}`}
        onPress={() => setOpen(true)}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path d="M8.5 3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4.5 4.5" />
        </svg>
        <span className="wide-only">
          {t('app.go-to')} <kbd>{KEYS}</kbd>
        </span>
      </Button>
      <ModalOverlay className="overlay" isDismissable isOpen={actions !== undefined} onOpenChange={setOpen}>
        <Modal className="modal">
          <Dialog className="palette" aria-label={t('app.go-to')}>
            {/* The field would clear its text first. */}
            <div onKeyDownCapture={(event) => event.key === 'Escape' && setOpen(false)}>
              <Choices actions={actions ?? []} close={() => setOpen(false)} />
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}

/** The keys that move in the list. */
const MOVES = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'])

/** A place that the palette leads to. */
interface Destination {
  to: string
  title: string
  kind: string
}

function Choices({ actions, close }: { actions: Action[]; close: () => void }) {
  const [text, setText] = useState('')
  const query = useDeferredValue(text).trim()
  const { items: places, isLooking } = useDestinations(query)
  const doable = query === '' ? [] : actions.filter((one) => fitsWords(query, one))
  const items: (Destination | Action)[] = [...places, ...doable]
  const keyOf = (item: Destination | Action) => ('act' in item ? item.key : item.to)
  const isChosen = useRef(false)
  const choose = (item: Destination | Action | undefined) => {
    if (!item || isChosen.current) return
    isChosen.current = true
    close()
    if ('act' in item) item.act()
    else go(item.to)
  }

  // Enter opens the first of what fits the whole text, whether it is there yet or not: React Aria would open what the list
  // showed before the last letters, or nothing. Once an arrow has moved in the list, Enter is React Aria's.
  const [wantsFirst, setWantsFirst] = useState(false)
  const hasMoved = useRef(false)
  useEffect(() => {
    if (wantsFirst && !isLooking && query === text.trim()) choose(items[0])
  })
  const onInputChange = (value: string) => {
    setText(value)
    setWantsFirst(false)
    hasMoved.current = false
  }
  const onKeyDownCapture = (event: KeyPress) => {
    if (MOVES.has(event.key)) hasMoved.current = true
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (hasMoved.current || text.trim() === '') return
    event.preventDefault()
    event.stopPropagation()
    setWantsFirst(true)
  }
  return (
    <Autocomplete inputValue={text} onInputChange={onInputChange}>
      <div onKeyDownCapture={onKeyDownCapture}>
        <SearchField aria-label={t('app.search-pages-spaces-screens')} autoFocus>
          <Input placeholder={t('app.search-pages-spaces-screens')} />
        </SearchField>
      </div>
      <ListBox
        aria-label={t('app.results')}
        items={items}
        selectionMode="none"
        onAction={(key) => choose(items.find((one) => keyOf(one) === key))}
        renderEmptyState={() => (
          <p className="none">{isLooking ? t('app.searching') : t('common.nothing-was-found')}</p>
        )}
      >
        {(item) => (
          <ListBoxItem id={keyOf(item)} textValue={item.title}>
            <span>{item.title}</span>
            <small>{item.kind}</small>
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  )
}

/** Whether a name, or what it is the name of, has all words of a text. */
const fitsWords = (query: string, { title, kind }: { title: string; kind: string }) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${title} ${kind}`.toLowerCase().includes(word))

/** Finds the destinations that match a text: screens and spaces by name, pages and change requests by content. */
function useDestinations(query: string): { items: Destination[]; isLooking: boolean } {
  const [at] = useLocation()
  const [, kind, id] = /^\/([os])\/([^/]+)/.exec(at) ?? []
  const organizations = useList('/orgs')
  const space = useApi(kind === 's' ? `/spaces/${id}` : undefined)
  const organizationId = kind === 'o' ? id : (space.data?.organization ?? organizations.items[0]?.id)
  const me = useApi('/user')
  const organization = useApi(organizationId && `/orgs/${organizationId}`)
  const spaces = useList(organizationId && `/orgs/${organizationId}/spaces?limit=1000`)
  const searched = query === '' ? undefined : organizationId && (`/orgs/${organizationId}` as const)
  const asked = encodeURIComponent(query)
  const found = useApi(searched && `${searched}/search?query=${asked}&limit=5`)
  const changes = useApi(searched && `${searched}/change-requests?query=${asked}&limit=5`)
  const people = useApi(
    organization.data?.permissions.listMembers && searched
      ? `${searched}/members?search=${asked}&limit=5`
      : undefined,
  )
  const screens = [
    ...(space.data ? screensOfSpace(space.data) : []),
    ...(organization.data ? screensOf(organization.data) : []),
    ...organizations.items.map(({ id: one, title }) => ({
      to: `/o/${one}`,
      title,
      kind: t('common.organization'),
    })),
    { to: '/', title: t('common.notifications'), kind: t('common.you') },
    ...(me.data?.permissions.administerInstallation
      ? [{ to: '/installation', title: t('installation.installation'), kind: t('common.you') }]
      : []),
  ]
  const all = [
    ...spaces.items.map(({ id: one, title }) => ({
      to: `/s/${one}`,
      title: title || t('common.untitled'),
      kind: t('common.space'),
    })),
    ...screens,
  ]
  const pages = (found.data?.items ?? []).flatMap((one) =>
    one.pages.map(({ path, title }) => ({ to: `/s/${one.id}/${path}`, title, kind: one.title })),
  )
  const proposals = (changes.data?.items ?? []).map((one) => ({
    to: `/s/${one.space}/~/changes/${one.number}`,
    title: one.subject || t('common.untitled-change'),
    kind: t('common.change-request-number', { number: one.number }),
  }))
  const named = all.filter((one) => fitsWords(query, one)).slice(0, query === '' ? 30 : 8)
  const members = (people.data?.items ?? []).map(({ user }) => ({
    to: `/o/${organizationId}/people?search=${encodeURIComponent(user.displayName)}`,
    title: user.displayName,
    kind: t('common.people'),
  }))
  const items = [...named, ...pages, ...proposals, ...members]
  return {
    // One place may be found in several ways, and a list has each address once.
    items: [...new Map(items.toReversed().map((item) => [item.to, item])).values()].toReversed(),
    isLooking: found.isFetching || changes.isFetching,
  }
}

function screensOfSpace(space: Space): Destination[] {
  return [['changes', t('common.change-requests')] as [string, string], ...spaceScreens(space)].map(
    ([path, title]) => ({ to: `/s/${space.id}/~/${path}`, title, kind: space.title }),
  )
}

function screensOf({ id, title: kind, permissions }: Organization): Destination[] {
  const all: [path: string, title: string, isShown: boolean | undefined][] = [
    ['changes', t('common.change-requests'), true],
    ['sites', t('common.sites'), permissions.listMembers],
    ['people', t('common.people'), permissions.listMembers],
    ['teams', t('common.teams'), permissions.listTeams],
    ['settings', t('common.settings'), permissions.admin],
    ['settings/fields', t('common.custom-fields'), permissions.listMembers],
    ['settings/fonts', t('common.fonts'), permissions.listMembers],
    ['openapi', t('common.openapi-specifications'), permissions.listMembers],
    ['translations', t('common.translations'), permissions.listMembers],
    ['settings/sign-in', t('common.single-sign-on'), permissions.admin],
    ['audit', t('common.audit-log'), permissions.admin],
    ['trash', t('common.trash'), true],
  ]
  return all
    .filter(([, , isShown]) => isShown)
    .map(([path, title]) => ({ to: `/o/${id}/${path}`, title, kind }))
}
