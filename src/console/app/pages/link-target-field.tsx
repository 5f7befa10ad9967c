/** Where a link of the page tree, or a redirect, leads: a page of the space, or an address. */
import { useRef, useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import type { ContentRef } from '../../../core/document/model.ts'
import { FieldProblem } from '../ui/forms.tsx'
import { t } from '../words/words.ts'
import { useFoundPages } from '../content/tree/page-tree.ts'
import { useLinkedPages } from '../content/tree/linked-pages.ts'
import type { ContentPath } from '../api/paths.ts'

/** @param value the target; undefined for none yet */
export function LinkTargetField({
  content,
  value,
  onChange,
  label = t('common.leads-to'),
}: {
  content: ContentPath
  value: ContentRef | undefined
  /** Called with nothing while the text is neither a page of the list nor an address. */
  onChange: (target: ContentRef | undefined) => void
  label?: string
}) {
  const named = useLinkedPages(content, value?.kind === 'page' ? [value.page] : [])
  const [written, setWritten] = useState<string>()
  // The page that was chosen: another text than its title is not that page.
  const chosen = useRef<{ id: string; title: string }>(undefined)
  const targetOf = (text: string): ContentRef | undefined => {
    if (text === chosen.current?.title) return { kind: 'page', page: chosen.current.id }
    return isAddress(text) ? { kind: 'url', url: text.trim() } : undefined
  }
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
      validate={() => (value === undefined ? t('page.choose-page-write-address') : null)}
      onInputChange={(next) => {
        if (next === shown) return
        setWritten(next)
        onChange(targetOf(next))
      }}
      onChange={(key) => {
        const page = pages.find(({ id }) => id === key)
        if (!page) return
        chosen.current = page
        setWritten(page.title)
        onChange({ kind: 'page', page: page.id })
      }}
      defaultFilter={() => true}
    >
      <Label>{label}</Label>
      <Input />
      <Text slot="description" className="hint">
        {t('page.type-name-page-address')}
      </Text>
      <FieldProblem />
      <Popover className="menu found-pages">
        <ListBox
          aria-label={t('common.pages')}
          renderEmptyState={() => <p className="hint">{t('common.loading')}</p>}
        >
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
