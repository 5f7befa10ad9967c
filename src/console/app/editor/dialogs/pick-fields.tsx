/** Fields in which one picks something by its name: pages, people, files, specifications. */
import { useContext, useDeferredValue, useState } from 'react'
import {
  Button,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  OverlayTriggerStateContext,
  Popover,
  Text,
} from 'react-aria-components'
import type { ContentRef } from '../../../../core/document/model.ts'
import { useApi, useList } from '../../api/api.ts'
import { useFoundPages } from '../../content/tree/page-tree.ts'
import { Refusal } from '../../ui/parts.tsx'
import type { PageEntry } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { refName } from '../../content/schema/atoms.ts'
import { chooseFiles, storeFiles, type Storage } from '../commands/files.ts'
import { type ContentFile, pageOf } from '../../content/views/page-context.ts'

/** Where the things are that one picks. */
export interface PickContext extends Storage {
  /** The pages that are known already, which are found at once. */
  pages: readonly PageEntry[]
  /** Called with a page that the text refers to. */
  onFound: (page: PageEntry) => void
}

/** Something to pick. */
export interface Choice {
  id: string
  title: string
  detail?: string
}

/** A field in which one picks by typing a part of a name. @param onText if other texts are allowed too */
export function PickField({
  label,
  text,
  choices,
  onPick,
  onText,
  isRequired = false,
  autoFocus = false,
  isSearching = false,
}: {
  label: string
  /** The text of the current choice. */
  text: string
  choices: readonly Choice[]
  onPick: (id: string) => void
  onText?: (text: string) => void
  isRequired?: boolean
  autoFocus?: boolean
  /** Whether more choices may come, for which the list stays open. */
  isSearching?: boolean
}) {
  const [typed, setTyped] = useState<string>()
  const dialog = useContext(OverlayTriggerStateContext)
  const wanted = (typed ?? '').trim().toLowerCase()
  const fits = ({ title, detail = '' }: Choice) => `${title} ${detail}`.toLowerCase().includes(wanted)
  return (
    <ComboBox
      className="field pick"
      inputValue={typed ?? text}
      onInputChange={(value) => {
        setTyped(value)
        onText?.(value)
      }}
      onSelectionChange={(id) => {
        if (id === null) return
        setTyped(choices.find((one) => one.id === id)?.title)
        onPick(String(id))
      }}
      items={choices.filter(fits).slice(0, 50)}
      menuTrigger="focus"
      allowsCustomValue
      // A list that is empty when the text changes would stay closed when the choices arrive.
      allowsEmptyCollection={isSearching}
      isRequired={isRequired}
      autoFocus={autoFocus}
    >
      <Label>{label}</Label>
      <Input
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDownCapture={({ key }) => {
          // The list has opened by itself, so one Escape closes both.
          if (key === 'Escape' && typed === undefined) dialog?.close()
        }}
      />
      <Popover className="pick-list">
        <ListBox<Choice>
          className="menu"
          renderEmptyState={() => <p className="hint">{t('common.loading')}</p>}
        >
          {({ title, detail }) => (
            <ListBoxItem className="menu-item" textValue={title}>
              <Text slot="label">{title || t('common.untitled')}</Text>
              {detail !== undefined && (
                <Text slot="description" className="hint">
                  {detail}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/** The props that every field of a reference needs. */
export interface RefFieldProps {
  label: string
  value: ContentRef | undefined
  onChange: (ref: ContentRef | undefined) => void
  context: PickContext
  isRequired?: boolean
  autoFocus?: boolean
}

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/i

/** The reference that a typed address means. */
function addressRef(text: string): ContentRef | undefined {
  const address = text.trim()
  if (ADDRESS.test(address)) return { kind: 'url', url: address }
  return /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(address)
    ? { kind: 'url', url: `https://${address}` }
    : undefined
}

const pageChoice = ({ id, title, path }: PageEntry): Choice => ({
  id: `page ${id}`,
  title,
  ...(path === undefined ? {} : { detail: path }),
})

/**
 * The members of an organization: some of them, and those whose names have a text.
 * @returns also whether more of the latter may come
 */
export function usePeople(organizationId: string | undefined, text: string) {
  const search = text.trim() === '' ? '' : `&search=${encodeURIComponent(text.trim())}`
  const some = useApi(organizationId && `/orgs/${organizationId}/members?limit=100`)
  const found = useApi(organizationId && `/orgs/${organizationId}/members?limit=100${search}`)
  const all = [some, found].flatMap(({ data }) => data?.items ?? [])
  const people = [...new Map(all.map(({ user }) => [user.id, user])).values()]
  return { people, isFetching: found.isFetching }
}

/** A page or an address. @param withPeople if people can be picked too */
export function TargetField({
  label,
  value,
  onChange,
  context,
  withPeople = true,
  ...more
}: RefFieldProps & { withPeople?: boolean }) {
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  const { people, isFetching } = usePeople(withPeople ? context.organizationId : undefined, wanted)
  const asked = useFoundPages(context.content, wanted)
  const pages = [...context.pages, ...(asked.data?.items ?? [])].filter(({ type }) => type === 'document')
  const choices = [
    ...new Map(pages.map((page) => [page.id, pageChoice(page)])).values(),
    ...people.map(({ id, displayName }) => ({
      id: `user ${id}`,
      title: displayName,
      detail: t('editor.person'),
    })),
  ]
  const now = value?.kind === 'page' ? pageOf(context.pages, value.page)?.title : undefined
  const person = value?.kind === 'user' && people.find(({ id }) => id === value.user)
  return (
    <PickField
      label={label}
      text={now ?? (person ? person.displayName : refName(value))}
      choices={choices}
      onPick={(picked) => {
        const [kind, id = ''] = picked.split(' ')
        const page = kind === 'page' && pageOf(pages, id)
        if (page) context.onFound(page)
        onChange(kind === 'user' ? { kind, user: id } : { kind: 'page', page: id })
      }}
      onText={(text) => {
        setTyped(text)
        onChange(addressRef(text))
      }}
      isSearching={typed !== wanted || asked.isFetching || isFetching}
      {...more}
    />
  )
}

/** A file of the content, an upload, or the address of a file elsewhere. @param accept such as `image/*` */
export function FileField({
  label,
  value,
  onChange,
  context,
  accept,
  ...more
}: RefFieldProps & { accept: string }) {
  const files = useList(`${context.content}/files?limit=1000`)
  const [error, setError] = useState<Error | null>(null)
  const [uploaded, setUploaded] = useState<ContentFile[]>([])
  const all = [...uploaded, ...files.items]
  const isImage = accept === 'image/*'
  const known = value?.kind === 'file' ? all.find(({ id }) => id === value.file) : undefined
  const shown = value?.kind === 'url' ? value.url : known?.downloadURL
  return (
    <div className="file-field">
      <PickField
        key={uploaded.length}
        label={label}
        text={known?.name ?? refName(value)}
        choices={all
          .filter(({ contentType }) => !isImage || contentType.startsWith('image/'))
          .map(({ id, name }) => ({ id, title: name }))}
        onPick={(file) => onChange({ kind: 'file', file })}
        onText={(text) => onChange(addressRef(text))}
        {...more}
      />
      <Button
        className="button"
        onPress={() =>
          chooseFiles(accept, (chosen) => {
            const show = (stored: readonly ContentFile[]) => {
              setUploaded([...stored, ...uploaded])
              for (const { id } of stored) onChange({ kind: 'file', file: id })
            }
            storeFiles(context, chosen.slice(0, 1)).then(show, setError)
          })
        }
      >
        {t('editor.upload')}
      </Button>
      {isImage && shown && /^(?:https?:|\/)/.test(shown) && <img src={shown} alt="" />}
      <Refusal error={error} query={files} />
    </div>
  )
}

/** Reusable content of the space. */
export function ReusableField({ label, value, onChange, context, ...more }: RefFieldProps) {
  const { data } = useApi(`${context.content}?metadata=false`)
  const all = data?.reusableContents ?? []
  const id = value?.kind === 'reusable-content' ? value.reusableContent : undefined
  return (
    <PickField
      label={label}
      text={all.find((one) => one.id === id)?.title ?? id ?? ''}
      choices={all}
      onPick={(reusableContent) => onChange({ kind: 'reusable-content', reusableContent })}
      {...more}
    />
  )
}

const useSpecs = ({ organizationId }: PickContext) => useList(`/orgs/${organizationId}/openapi?limit=1000`)

/** An OpenAPI specification of the organization. */
export function SpecField({ label, value, onChange, context, ...more }: RefFieldProps) {
  const specs = useSpecs(context)
  return (
    <PickField
      label={label}
      text={value?.kind === 'openapi' ? value.spec : ''}
      choices={specs.items.map(({ slug }) => ({ id: slug, title: slug }))}
      onPick={(name) => onChange({ kind: 'openapi', spec: name })}
      onText={(text) => onChange(text.trim() === '' ? undefined : { kind: 'openapi', spec: text.trim() })}
      {...more}
    />
  )
}

/** An expression, such as one of the variables of the space. */
export function ExpressionField({
  label,
  value,
  onChange,
  context,
  ...more
}: Omit<RefFieldProps, 'value' | 'onChange'> & { value: string; onChange: (value: string) => void }) {
  const { data } = useApi(`${context.content}?descendants=false`)
  const choices = Object.entries(data?.variables ?? {}).map(([name, one]) => ({
    id: `space.vars.${name}`,
    title: `space.vars.${name}`,
    detail: String(one),
  }))
  return (
    <>
      <PickField label={label} text={value} choices={choices} onPick={onChange} onText={onChange} {...more} />
      <p className="hint">{t('editor.readers-see-value-such')}</p>
    </>
  )
}

interface Bundled {
  filesystem: { specification: { paths?: Record<string, Record<string, { summary?: string }>> } }[]
}

/** An operation of a specification. */
export function OperationField({
  label,
  spec,
  text,
  onChange,
  context,
}: {
  label: string
  spec: ContentRef | undefined
  text: string
  onChange: (operation: { method: string; path: string }) => void
  context: PickContext
}) {
  const specs = useSpecs(context)
  // While one types a name, there is no specification of its first letters.
  const slug =
    spec?.kind === 'openapi' && specs.items.some((one) => one.slug === spec.spec) ? spec.spec : undefined
  const { data } = useApi(
    slug && `/orgs/${context.organizationId}/openapi/${encodeURIComponent(slug)}/versions/latest/content`,
  )
  // The API does not describe the form of a download.
  const bundled = data as Bundled | undefined
  const paths = bundled?.filesystem[0]?.specification.paths ?? {}
  const choices = Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'].flatMap((method) => {
      const operation = item[method]
      return operation
        ? [
            {
              id: `${method} ${path}`,
              title: `${method.toUpperCase()} ${path}`,
              detail: operation.summary ?? '',
            },
          ]
        : []
    }),
  )
  const take = (typed: string) => {
    const [method = '', path = ''] = typed.trim().split(/\s+/, 2)
    onChange({ method: method.toLowerCase(), path })
  }
  return <PickField label={label} text={text} choices={choices} onPick={take} onText={take} isRequired />
}
