/** Chooses the icon of a page: an emoji, or an icon of the free Font Awesome set, which sites draw. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Autocomplete, Button, Input, ListBox, ListBoxItem, SearchField } from 'react-aria-components'
import { Loading } from './parts.tsx'
import { t } from '../words/words.ts'
import { DrawnIcon, type IconDrawing, useIcons } from './icons.tsx'

/** The emoji or icon that was chosen. */
interface IconChoice {
  kind: 'emoji' | 'icon'
  text: string
}

interface Offer extends IconChoice {
  name: string
  words: string
  drawing?: IconDrawing
}

/** So many are shown at once; the others are found by their names. */
const SHOWN = 120

/** The list is large, so it is loaded when somebody chooses. */
async function readEmoji(): Promise<Offer[]> {
  const { gemoji } = await import('gemoji')
  return gemoji.map(({ emoji, description, names, tags }) => ({
    kind: 'emoji',
    text: emoji,
    name: description,
    words: [description, ...names, ...tags].join(' ').toLowerCase(),
  }))
}

/** Emoji and icons, found by their names. @param onChoose called without a choice to remove the icon */
export function IconPicker({
  hasIcon,
  onChoose,
}: {
  hasIcon: boolean
  onChoose: (choice?: IconChoice) => void
}) {
  const [kind, setKind] = useState<IconChoice['kind']>('emoji')
  const [text, setText] = useState('')
  const words = useDeferredValue(text).trim().toLowerCase().split(/\s+/)
  const emoji = useQuery({ queryKey: ['emoji'], queryFn: readEmoji, staleTime: Infinity }).data
  const icons = useIcons()
  const offers =
    kind === 'emoji'
      ? emoji
      : icons &&
        [...icons].map(([name, drawing]): Offer => ({
          kind,
          text: name,
          name,
          words: name.replaceAll('-', ' '),
          drawing,
        }))
  const found = (offers ?? [])
    .filter((one) => words.every((word) => one.words.includes(word)))
    .slice(0, SHOWN)
  return (
    <div className="icon-picker">
      <div className="actions">
        {(['emoji', 'icon'] as const).map((one) => (
          <Button key={one} className="small quiet" aria-pressed={one === kind} onPress={() => setKind(one)}>
            {one === 'emoji' ? t('block.emoji') : t('common.icons')}
          </Button>
        ))}
        {hasIcon && (
          <Button className="small quiet" onPress={() => onChoose()}>
            {t('common.remove-the-icon')}
          </Button>
        )}
      </div>
      {offers ? (
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label={t('common.search-icons')} autoFocus>
            <Input placeholder={t('common.search-icons')} />
          </SearchField>
          {/* The list itself never has the focus, so it could not be scrolled by keys. */}
          <div className="icon-scroll" role="group" aria-label={t('common.icons')} tabIndex={0}>
            <ListBox
              aria-label={t('common.icons')}
              layout="grid"
              className="icon-grid"
              items={found}
              selectionMode="none"
              onAction={(key) => {
                const one = found.find(({ text: name }) => name === key)
                if (one) onChoose(one)
              }}
              renderEmptyState={() => <p className="hint">{t('common.nothing-was-found')}</p>}
            >
              {({ text: id, name, drawing }) => (
                <ListBoxItem id={id} textValue={name} aria-label={name} className="icon-choice">
                  {drawing ? <DrawnIcon drawing={drawing} /> : id}
                </ListBoxItem>
              )}
            </ListBox>
          </div>
        </Autocomplete>
      ) : (
        <Loading />
      )}
    </div>
  )
}
