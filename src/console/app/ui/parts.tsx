/** Small parts that many screens have. */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { forPeople } from '../words/refusals.ts'
import { ApiFault } from '../api/requests.ts'
import { shortcut } from './shortcut.ts'
import { t } from '../words/words.ts'

/** A notice that content is loading. It appears only if loading takes long enough for users to wonder. */
export function Loading() {
  return (
    <p className="loading" role="status">
      {t('common.loading')}
    </p>
  )
}

/** Whether a request fails the next time too. */
const isForGood = (error: Error): boolean => error instanceof ApiFault && [403, 404].includes(error.status)

/**
 * A notice that something could not be shown, and the reason.
 * @param retry tries again; by default, the requests that have failed are sent again
 */
export function Failure({
  title,
  error,
  retry,
}: {
  title: string
  error?: Error | null
  retry?: () => void
}) {
  const client = useQueryClient()
  const isFailed = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const
  const canRead = error && !isForGood(error) && client.getQueryCache().findAll(isFailed).length > 0
  const again = retry ?? (canRead ? () => void client.refetchQueries(isFailed) : undefined)
  return (
    <section className="failure" role="alert">
      <h1>{title}</h1>
      {error && <p>{forPeople(error)}</p>}
      {again && (
        <Button className="button" onPress={again}>
          {t('common.try-again')}
        </Button>
      )}
    </section>
  )
}

/** The result of a query, while it is loading and when it fails. */
export function Loaded<T>({
  query,
  title,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch(): unknown }
  title: string
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <Failure title={title} error={query.error} retry={() => void query.refetch()} />
  return <Loading />
}

/** Where the screen is, beside the name of the product. */
export function Trail({ items }: { items: { title: string; to?: string }[] }) {
  const [place, setPlace] = useState<Element | null>(null)
  const last = items.at(-1)?.title
  useEffect(() => setPlace(document.querySelector('#trail')), [])
  useEffect(() => {
    document.title = last === undefined ? 'Lectern' : `${last} · Lectern`
  }, [last])
  if (!place) return null
  return createPortal(
    <nav aria-label={t('common.you-are-here')} className="trail">
      {items.map(({ title, to }, i) => (
        <span key={`${i} ${to ?? ''}`}>
          <span aria-hidden="true">/</span>
          {to === undefined ? <b>{title}</b> : <Link href={to}>{title}</Link>}
        </span>
      ))}
    </nav>,
    place,
  )
}

/** Links beside each other. On a narrow screen they are one line, which scrolls to the link of the current screen. */
export function LinkRow({
  label,
  kind,
  children,
}: {
  label: string
  kind: 'links' | 'tabs' | 'screen-tabs'
  children: ReactNode
}) {
  const row = useRef<HTMLElement>(null)
  const [location] = useLocation()
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [location])
  return (
    <nav ref={row} aria-label={label} className={`link-row ${kind}`}>
      {children}
    </nav>
  )
}

/** A button that opens a dialog. */
export function DialogButton({
  label,
  title,
  kind = 'button',
  unable,
  letter,
  onOpenChange,
  children,
}: {
  label: ReactNode
  title: string
  kind?: string
  /** The key that presses it, such as `C`. */
  letter?: string | undefined
  onOpenChange?: (isOpen: boolean) => void
  /** The id of the text that says why it is not possible now. */
  unable?: string | undefined
  children: (close: () => void) => ReactNode
}) {
  return (
    <DialogTrigger {...(onOpenChange && { onOpenChange })}>
      <Button
        className={kind}
        isDisabled={unable !== undefined}
        aria-describedby={unable}
        ref={shortcut(letter)}
      >
        {label}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog className="dialog">
            {({ close }) => (
              <>
                <Heading slot="title">{title}</Heading>
                {children(close)}
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}

/** What is read, and can be read again. */
export interface Readable {
  error: Error | null
  isFetching: boolean
  refetch(): unknown
}

/**
 * The reason why something was refused.
 * @param error of a change, for example; it is shown before that of the query
 * @param query what could not be read: a button reads it again
 */
export function Refusal({ error = null, query }: { error?: Error | null; query?: Readable | undefined }) {
  const shown = error ?? query?.error
  if (!shown) return null
  const reason = (
    <p className="refusal" role="alert">
      {forPeople(shown)}
    </p>
  )
  if (error || !query) return reason
  return (
    <div className="actions">
      {reason}
      <Button className="small" isDisabled={query.isFetching} onPress={() => void query.refetch()}>
        {t('common.try-again')}
      </Button>
    </div>
  )
}

/** A list of the API that is read part by part. */
interface ReadableList extends Readable {
  isLoading: boolean
  hasNextPage: boolean
  fetchNextPage(): unknown
}
interface ItemList<T> extends ReadableList {
  isSuccess: boolean
  items: readonly T[]
}

/** A list: a row for each item, what it says when it is empty, and its end. */
export function Rows<T>({
  list,
  empty,
  kind = 'rows',
  children,
}: {
  list: ItemList<T>
  empty: ReactNode
  kind?: string
  children: (item: T, index: number) => ReactNode
}) {
  return (
    <>
      <EmptyHint list={list}>{empty}</EmptyHint>
      <ul className={kind}>{list.items.map(children)}</ul>
      <More list={list} />
    </>
  )
}

/** The end of a list: it is on its way, it could not be read, or it has more. */
export function More({ list }: { list: ReadableList }) {
  if (list.isLoading) return <Loading />
  if (list.error) return <Refusal query={list} />
  if (!list.hasNextPage) return null
  return (
    <Button className="button" isDisabled={list.isFetching} onPress={() => void list.fetchNextPage()}>
      {t('common.show-more')}
    </Button>
  )
}

/** The text of a button or link in a row, and for users of screen readers, what the row is about. */
export function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      {children}
      <span className="unseen"> {name}</span>
    </>
  )
}

/** The text that is shown instead of an empty list. */
export function EmptyHint({
  list,
  children,
}: {
  list: Pick<ItemList<unknown>, 'isSuccess' | 'items'>
  children: ReactNode
}) {
  return list.isSuccess && list.items.length === 0 ? <p className="hint">{children}</p> : null
}
