/** The palette: the way to everything by the keyboard. It is loaded when somebody first opens it. */
import { type KeyboardEvent as KeyPress, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  Autocomplete,
  Dialog,
  Input,
  ListBox,
  ListBoxItem,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { useLocation } from 'wouter'
import { go, useApi, useList } from '../../api/api.ts'
import type { Organization, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { spaceScreens } from '../../places/space-screens.ts'
import { type Action, actionsOfScreen } from './palette-actions.ts'
import { paletteOpen } from './palette-state.ts'

const close = () => paletteOpen.set(false)

/** The palette, which is open for as long as it is shown. */
export function PaletteDialog() {
  const client = useQueryClient()
  // Before the dialog is there: it hides the screen.
  const [actions] = useState(() => actionsOfScreen(client))
  return (
    <ModalOverlay className="overlay" isDismissable isOpen onOpenChange={close}>
      <Modal className="modal">
        <Dialog className="palette" aria-label={t('app.go-to')}>
          {/* The field would clear its text first. */}
          <div onKeyDownCapture={(event) => event.key === 'Escape' && close()}>
            <Choices actions={actions} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
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

function Choices({ actions }: { actions: Action[] }) {
  const [text, setText] = useState('')
  const query = useDeferredValue(text).trim()
  const { items: places, isLooking } = useDestinations(query)
  const doable = actions.filter((one) => fitsWords(query, one))
  // Before somebody types, the palette shows what can be done on the screen, and then where one can go.
  const items: (Destination | Action)[] =
    query === '' ? [...doable.filter(isOfScreen), ...places] : [...places, ...doable]
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
            <small>
              {item.kind} {'keys' in item && item.keys && <kbd>{item.keys}</kbd>}
            </small>
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  )
}

const isOfScreen = ({ kind }: Action) => kind === t('app.on-this-screen')

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
    { to: '/', title: t('sidebar.home'), kind: t('common.you') },
    { to: '/inbox', title: t('sidebar.inbox'), kind: t('common.you') },
    { to: '/drafts', title: t('sidebar.my-drafts'), kind: t('common.you') },
    { to: '/profile', title: t('common.profile'), kind: t('common.you') },
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
    ['settings/glossary', t('common.glossary'), permissions.listMembers],
    ['settings/page-templates', t('page-template.templates'), permissions.listMembers],
    ['settings/sign-in', t('common.single-sign-on'), permissions.admin],
    ['audit', t('common.audit-log'), permissions.admin],
    ['trash', t('common.trash'), true],
  ]
  return all
    .filter(([, , isShown]) => isShown)
    .map(([path, title]) => ({ to: `/o/${id}/${path}`, title, kind }))
}
