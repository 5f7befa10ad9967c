/** The list of a completion beside the caret. */
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { PageIcon } from '../../ui/icons.tsx'
import { t } from '../../words/words.ts'
import { placeOfMenu } from '../menu-place.ts'
import type { Completion } from './completions.ts'
import type { OpenCompletion } from './open-completion.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './completion.css'

/** @param placeOf the place of a sign in the window, by its place in the text; undefined if it is not shown */
export function CompletionList({
  open,
  field,
  placeOf,
  onChoose,
}: {
  open: OpenCompletion
  /** The element in which somebody types. It keeps the focus, and names the entry that Enter takes. */
  field: HTMLElement
  placeOf: (from: number) => Parameters<typeof placeOfMenu>[0] | undefined
  onChoose: (chosen: Completion) => void
}) {
  const menu = useSyncExternalStore(open.subscribe, open.menu)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const isOpen = menu !== undefined
  const at = menu?.at ?? 0
  const key = menu?.entries[at]?.key
  useEffect(() => {
    field.setAttribute('aria-autocomplete', 'list')
    return () => field.removeAttribute('aria-autocomplete')
  }, [field])
  useEffect(() => {
    if (!isOpen) return undefined
    field.setAttribute('aria-controls', id)
    field.setAttribute('aria-activedescendant', `${id}-${at}`)
    return () => {
      field.removeAttribute('aria-controls')
      field.removeAttribute('aria-activedescendant')
    }
  }, [field, id, isOpen, at])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [key])
  const place = menu && placeOf(menu.from)
  if (!menu || !place) return null
  const groups = [...Map.groupBy(menu.entries, ({ group }) => group)]
  return (
    <div
      ref={list}
      id={id}
      className="menu completion"
      role="listbox"
      aria-label={t('editor.suggestions')}
      // The list scrolls, so it can receive the focus, but a press leaves the focus in the text.
      tabIndex={0}
      onMouseDown={(event) => event.preventDefault()}
      style={placeOfMenu(place)}
    >
      {groups.map(([group, entries]) => (
        <div key={group} role="group" aria-label={t(group)}>
          <div className="menu-heading" aria-hidden="true">
            {t(group)}
          </div>
          {entries.map((one) => {
            const index = menu.entries.indexOf(one)
            return (
              <div
                key={one.key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                className="menu-item completion-item"
                onMouseDown={() => onChoose(one)}
              >
                <CompletionLook one={one} />
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function CompletionLook({ one: { look, title, detail } }: { one: Completion }) {
  return (
    <>
      <span className="completion-sign" aria-hidden="true">
        {'sign' in look && look.sign}
        {'icon' in look && <PageIcon name={look.icon} />}
        {'initial' in look && <span className="completion-initial">{look.initial}</span>}
      </span>
      <span className="completion-title">{title}</span>
      {detail !== undefined && <span className="completion-detail">{detail}</span>}
    </>
  )
}
