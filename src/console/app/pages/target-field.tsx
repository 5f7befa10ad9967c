/** Where a link of the page tree, or a redirect, leads: a page of the space, or an address. */
import { useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import type { ContentRef } from '../../../core/document/model.ts'
import { t } from '../words.ts'
import { useFoundPages } from './outline.ts'
import { useLinkedPages } from './linked-pages.ts'

/** @param value the target; undefined for none yet */
export function TargetField({
  content,
  value,
  onChange,
  label = t('Leads to'),
}: {
  content: string
  value: ContentRef | undefined
  onChange: (target: ContentRef) => void
  label?: string
}) {
  const named = useLinkedPages(content, value?.kind === 'page' ? [value.page] : [])
  const [written, setWritten] = useState<string>()
  const shown =
    written ??
    (value?.kind === 'url' ? value.url : value?.kind === 'page' ? (named.data?.[0]?.title ?? '') : '')
  const found = useFoundPages(content, shown)
  const pages = (found.data?.items ?? []).filter(({ type }) => type === 'document')
  return (
    <ComboBox
      className="field"
      menuTrigger="input"
      allowsCustomValue
      // A list that is empty when the text changes would stay closed when the pages arrive.
      allowsEmptyCollection={found.isFetching}
      isRequired
      items={pages}
      inputValue={shown}
      onInputChange={(next) => {
        setWritten(next)
        if (isAddress(next)) onChange({ kind: 'url', url: next.trim() })
      }}
      onChange={(key) => {
        const page = pages.find(({ id }) => id === key)
        if (!page) return
        setWritten(page.title)
        onChange({ kind: 'page', page: page.id })
      }}
      defaultFilter={() => true}
    >
      <Label>{label}</Label>
      <Input />
      <Text slot="description" className="hint">
        {t('Type the name of a page, or an address with https://')}
      </Text>
      <Popover className="menu found-pages">
        <ListBox aria-label={t('Pages')} renderEmptyState={() => <p className="hint">{t('Loading…')}</p>}>
          {(page: (typeof pages)[number]) => (
            <ListBoxItem id={page.id} textValue={page.title} className="menu-item">
              {page.title} <small className="page-note">{page.path}</small>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

const isAddress = (text: string) => /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(text.trim())
