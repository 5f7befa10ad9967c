/** Texts that a closed tab could not save, and that the server has not accepted since. */
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { useApi } from '../../api/api.ts'
import { contentOf, pageFieldsAt, type PagePlace } from '../../api/page-place.ts'
import { stateAfter } from '../saving/session-machine.ts'
import { DialogButton, Named } from '../../ui/parts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { store } from '../../api/browser-storage.ts'
import { t } from '../../words/words.ts'
import { type RefusedText, sendLeftTexts } from './left-sending.ts'
import type { AnyPage } from '../../api/types.ts'

/** Sends the texts that closed tabs could not save, and shows those that the server does not take. */
export function LeftTexts() {
  const [location] = useLocation()
  const client = useQueryClient()
  const [texts, setTexts] = useState<RefusedText[]>([])
  useEffect(() => {
    let isGone = false
    const sendAll = async () => {
      // The screens of a change request open its pages, which send their texts themselves.
      const { refused, isAnySent } = await sendLeftTexts((place) =>
        location.startsWith(`${addressOf(place)}/`),
      )
      if (isAnySent) void client.invalidateQueries()
      if (!isGone) setTexts(refused)
    }
    const onOnline = () => void sendAll()
    onOnline()
    addEventListener('online', onOnline)
    return () => {
      isGone = true
      removeEventListener('online', onOnline)
    }
  }, [location, client])
  if (texts.length === 0) return null
  return (
    <section className="left-texts" aria-label={t('editor.text-not-saved')}>
      <ul className="rows">
        {texts.map((one) => (
          <Left
            key={one.name}
            left={one}
            onDiscard={() => {
              store(one.name, undefined)
              setTexts(texts.filter(({ name }) => name !== one.name))
            }}
          />
        ))}
      </ul>
    </section>
  )
}

const addressOf = ({ spaceId, number }: PagePlace) => `/s/${spaceId}/~/changes/${number}`

/** Why a text is not saved. */
function reasonOf(error: Error, title: string): string {
  switch (stateAfter(error).is) {
    case 'conflict':
      return t('editor.title-text-not-saved', { title })
    case 'offline':
      return t('editor.title-text-not-saved-yet', {
        title,
      })
    default:
      return t('editor.title-text-cannot-saved', {
        title,
        reason: forPeople(error),
      })
  }
}

function Left({ left: { place, unsaved, error }, onDiscard }: { left: RefusedText; onDiscard: () => void }) {
  const { number, page: id, isReusable } = place
  const { data: page, isLoading }: UseQueryResult<AnyPage> = useApi(
    isReusable ? undefined : pageFieldsAt(contentOf(place), id),
  )
  // Without the page, the text has another name, and its link leads elsewhere.
  if (isLoading) return null
  const title = page?.title ?? t('common.change-request-number', { number })
  const path = isReusable ? `/reusable/${id}` : page ? `/edit/${page.path ?? ''}` : ''
  const text = 'source' in unsaved ? unsaved.source : unsaved.entries.map((one) => wordsOf(one)).join('\n')
  return (
    <li>
      <span>
        {reasonOf(error, title)} <Link href={`${addressOf(place)}${path}`}>{t('common.open')}</Link>
      </span>
      <span className="actions">
        <DialogButton
          label={<Named name={title}>{t('common.show')}</Named>}
          title={t('editor.text-not-saved')}
          kind="small quiet"
        >
          {(close) => (
            <>
              <pre className="left-text" dir="auto" tabIndex={0}>
                {text}
              </pre>
              <div className="actions">
                <Button className="button" onPress={close}>
                  {t('common.close')}
                </Button>
                <Button className="button quiet" onPress={onDiscard}>
                  {t('common.discard')}
                </Button>
              </div>
            </>
          )}
        </DialogButton>
      </span>
    </li>
  )
}

/** A block, or a part of one. An entry that keeps a block as it is has no words. */
interface Worded {
  object?: string
  keep?: string
  leaves?: readonly { text: string }[]
  nodes?: readonly Worded[] | undefined
  fragments?: readonly Worded[] | undefined
}

/** The words of a block, each block inside it on a line. */
function wordsOf({ leaves, nodes = [], fragments = [] }: Worded): string {
  if (leaves) return leaves.map((leaf) => leaf.text).join('')
  const isLine = nodes.every(({ object }) => object !== 'block')
  return [nodes.map(wordsOf).join(isLine ? '' : '\n'), ...fragments.map(wordsOf)].filter(Boolean).join('\n')
}
