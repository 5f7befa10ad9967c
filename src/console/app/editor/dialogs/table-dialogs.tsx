/** The dialogs about tables: a column, the value of a cell, and how the table is shown. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { CellValue, ColumnDefinition, TableData, TableView } from '../../../../core/document/model.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import type { PlainId } from '../../words/message-ids.ts'
import { arrowTo, t } from '../../words/words.ts'
import { positionOf, replaceAttrs } from '../commands/change-node.ts'
import {
  addColumn,
  changeColumn,
  COLORS,
  columnAt,
  columnOf,
  type ColumnPlace,
  dropColumn,
  moveColumn,
  optionsIn,
} from '../../content/schema/columns.ts'
import { type PickContext } from './pick-fields.tsx'
import { CellField } from './cell-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { Column, HeaderAttrs } from '../../content/schema/schema-table.ts'
import {
  ALIGNMENTS,
  CARD_ROLES,
  CARD_SIZES,
  COLUMN_TYPES,
  nameOfColor,
  VERTICAL_ALIGNMENTS,
  VIEWS,
} from '../../content/schema/table-fields.ts'

/** A list of values with their names in the language of the interface. */
const named = <T extends string>(all: readonly (readonly [value: T, label: PlainId])[]) =>
  all.map(([value, label]) => [value, t(label)] as const)

type ChangeOfColumn = (now: ColumnPlace) => ReturnType<typeof moveColumn>

interface OfNode {
  node: Node
  pos: number
  view: EditorView
  onClose: () => void
}

/** A definition of another type with the same name. */
function typed(id: string, type: ColumnDefinition['type'], place: ColumnPlace): Column {
  if (type === 'text') return { id, type, textAlignment: 'left' }
  if (type === 'users') return { id, type, multiple: true }
  if (type === 'rating') return { id, type, max: 5 }
  if (type === 'select') return { id, type, multiple: false, options: optionsIn(place) }
  return { id, type }
}

/** Asks for the title, the type and the look of a column. */
export function ColumnDialog({ node, pos, view, onClose }: OfNode) {
  const place = columnAt(view.state.doc, positionOf(view.state.doc, pos, node) ?? pos)
  const data = place.table.attrs.data as TableData
  const [column, setColumn] = useState(() => columnOf(place))
  const [title, setTitle] = useState(node.textContent)
  const [header, setHeader] = useState(node.attrs as HeaderAttrs)
  const [shown, setShown] = useState<TableView>(data.view)
  const change = (...makes: ChangeOfColumn[]) => {
    const at = positionOf(view.state.doc, pos, node)
    if (at === undefined) return
    for (const make of makes) {
      const tr = make(columnAt(view.state.doc, at))
      if (tr) view.dispatch(tr)
    }
  }
  const settings = {
    column,
    title: title.trim(),
    isHidden: header.isHidden,
    width: header.width,
    view: shown,
  }
  const save: ChangeOfColumn = (now) => changeColumn(view.state, now, settings)
  return (
    <SettingsForm
      title={t('block.column')}
      onSave={() => change(save)}
      onClose={onClose}
      more={
        <ColumnButtons
          view={view}
          // The changes in the form are kept when a column is moved or another one is added.
          keep={(make) => {
            change(save, make)
            onClose()
          }}
          drop={(make) => {
            change(make)
            onClose()
          }}
        />
      }
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} autoFocus />
      <ChoiceField
        label={t('common.type')}
        value={column.type}
        options={named(COLUMN_TYPES)}
        onChange={(type) =>
          setColumn(type === node.attrs.column?.type ? columnOf(place) : typed(column.id, type, place))
        }
      />
      <TypeFields column={column} onChange={setColumn} />
      {shown.type === 'grid' && <WidthField view={shown} header={header} onChange={setHeader} />}
      <CheckField
        label={t('common.hidden-from-readers')}
        isChecked={header.isHidden}
        onChange={(isHidden) => setHeader({ ...header, isHidden })}
      />
      {shown.type === 'cards' && <CardRoles id={column.id} cards={shown} onChange={setShown} />}
    </SettingsForm>
  )
}

/** The settings that only columns of one type have. */
function TypeFields({ column, onChange }: { column: Column; onChange: (column: Column) => void }) {
  return (
    <>
      {column.type === 'text' && (
        <>
          <ChoiceField
            label={t('common.alignment')}
            value={column.textAlignment}
            options={named(ALIGNMENTS)}
            onChange={(textAlignment) => onChange({ ...column, textAlignment })}
          />
          <ChoiceField
            label={t('common.vertical-alignment')}
            value={column.verticalAlignment ?? 'top'}
            options={named(VERTICAL_ALIGNMENTS)}
            onChange={(to) => {
              const { verticalAlignment: _before, ...rest } = column
              onChange(to === 'top' ? rest : { ...rest, verticalAlignment: to })
            }}
          />
        </>
      )}
      {column.type === 'rating' && (
        <ChoiceField
          label={t('common.best-rating')}
          value={String(column.max)}
          options={['3', '4', '5', '6', '7', '8', '9', '10'].map((one) => [one, one] as const)}
          onChange={(max) => onChange({ ...column, max: Number(max) })}
        />
      )}
      {(column.type === 'users' || column.type === 'select') && (
        <CheckField
          label={t('common.several-values')}
          isChecked={column.multiple}
          onChange={(multiple) => onChange({ ...column, multiple })}
        />
      )}
      {column.type === 'select' && (
        <OptionsField options={column.options} onChange={(options) => onChange({ ...column, options })} />
      )}
    </>
  )
}

/** The width of a column of a grid, in the unit of its table. */
function WidthField({
  view,
  header,
  onChange,
}: {
  view: Extract<TableView, { type: 'grid' }>
  header: HeaderAttrs
  onChange: (header: HeaderAttrs) => void
}) {
  return (
    <LineField
      label={view.useNewSizing ? t('common.width-in-pixels') : t('common.width-in-percent')}
      value={header.width === null ? '' : String(header.width)}
      onChange={(text) =>
        onChange({ ...header, width: /^\d{1,4}$/.test(text) && text !== '0' ? Number(text) : null })
      }
    />
  )
}

type CardsView = Extract<TableView, { type: 'cards' }>

/** What a column is on the cards of its table. @param id that of the column */
function CardRoles({
  id,
  cards,
  onChange,
}: {
  id: string
  cards: CardsView
  onChange: (cards: CardsView) => void
}) {
  const names = ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'] as const
  return names.map((name) => (
    <CheckField
      key={name}
      label={t(CARD_ROLES[name])}
      isChecked={cards[name] === id}
      onChange={(isOn) => onChange({ ...cards, [name]: isOn ? id : undefined })}
    />
  ))
}

/** Moves, adds and deletes columns. */
function ColumnButtons({
  view,
  keep,
  drop,
}: {
  view: EditorView
  keep: (make: ChangeOfColumn) => void
  drop: (make: ChangeOfColumn) => void
}) {
  const button = (label: string, make: ChangeOfColumn, change = keep) => (
    <Button className="small" onPress={() => change(make)}>
      {label}
    </Button>
  )
  return (
    <div className="actions column-actions">
      {button(`${arrowTo('start')} ${t('common.move')}`, (now) => moveColumn(view.state, now, -1))}
      {button(`${t('common.move')} ${arrowTo('end')}`, (now) => moveColumn(view.state, now, 1))}
      {button(t('editor.add-before'), (now) => addColumn(view.state, now, 0))}
      {button(t('editor.add-after'), (now) => addColumn(view.state, now, 1))}
      {button(t('common.delete'), (now) => dropColumn(view.state, now), drop)}
    </div>
  )
}

type Options = { value: string; label: string; color: string }[]

function OptionsField({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const change = (at: number, one: Partial<Options[number]>) =>
    onChange(options.map((option, i) => (i === at ? { ...option, ...one } : option)))
  // The writer goes on in the new option.
  const [added, setAdded] = useState<string>()
  const add = () => {
    const used = new Set(options.map(({ value }) => value))
    let number = options.length + 1
    while (used.has(`o${number}`)) number += 1
    onChange([...options, { value: `o${number}`, label: '', color: COLORS[options.length % COLORS.length]! }])
    setAdded(`o${number}`)
  }
  return (
    <fieldset className="option-fields">
      <legend>{t('common.options')}</legend>
      {options.map(({ value, label, color }, i) => (
        <div key={value} className="option-field">
          <input
            aria-label={t('editor.option-number', { number: i + 1 })}
            value={label}
            autoFocus={value === added}
            onChange={({ target }) => change(i, { label: target.value })}
          />
          <ChoiceField
            label={t('common.color')}
            isBare
            value={color}
            options={[...new Set([color, ...COLORS])].map((one) => [one, t(nameOfColor(one))] as const)}
            onChange={(to) => change(i, { color: to })}
          />
          <Button
            className="small quiet"
            aria-label={t('common.delete')}
            onPress={() => onChange(options.toSpliced(i, 1))}
          >
            ×
          </Button>
        </div>
      ))}
      <Button className="small" onPress={add}>
        {t('editor.add-an-option')}
      </Button>
    </fieldset>
  )
}

/** Asks for a value. */
export function CellDialog({ node, pos, view, context, onClose }: OfNode & { context: PickContext }) {
  const place = columnAt(view.state.doc, positionOf(view.state.doc, pos, node) ?? pos)
  const [value, setValue] = useState(node.attrs.value as CellValue)
  const title = place.table.firstChild!.child(place.index).textContent
  return (
    <SettingsForm
      title={title || t('common.value')}
      onSave={() => replaceAttrs(view, pos, node, { value })}
      onClose={onClose}
    >
      <CellField column={columnOf(place)} value={value} onChange={setValue} context={context} />
    </SettingsForm>
  )
}

/** Asks how a table is shown. */
export function TableDialog({ node, pos, view, onClose }: OfNode) {
  const [data, setData] = useState(node.attrs.data as TableData)
  const { view: shown } = data
  const setView = (to: TableView) => setData({ ...data, view: to })
  const flag = (name: 'fullWidth' | 'search', label: PlainId) => (
    <CheckField
      label={t(label)}
      isChecked={data[name] === true}
      onChange={(isOn) => {
        const { [name]: _before, ...rest } = data
        setData(isOn ? { ...rest, [name]: true } : rest)
      }}
    />
  )
  return (
    <SettingsForm
      title={t('block.table')}
      onSave={() => replaceAttrs(view, pos, node, { data })}
      onClose={onClose}
    >
      <ChoiceField
        label={t('common.shown-as')}
        value={shown.type}
        options={named(VIEWS)}
        onChange={(type) =>
          setView(
            type === 'grid'
              ? { type, columns: shown.columns, hideHeader: false }
              : { type, columns: shown.columns, cardSize: 'medium' },
          )
        }
      />
      {shown.type === 'grid' ? (
        <CheckField
          label={t('common.hide-titles-columns')}
          isChecked={shown.hideHeader}
          onChange={(hideHeader) => setView({ ...shown, hideHeader })}
        />
      ) : (
        <>
          <ChoiceField
            label={t('common.size-of-cards')}
            value={shown.cardSize}
            options={named(CARD_SIZES)}
            onChange={(cardSize) => setView({ ...shown, cardSize })}
          />
          <CheckField
            label={t('common.hide-titles-columns')}
            isChecked={shown.hideColumnTitle === true}
            onChange={(isOn) => {
              const { hideColumnTitle: _before, ...rest } = shown
              setView(isOn ? { ...rest, hideColumnTitle: true } : rest)
            }}
          />
        </>
      )}
      {flag('fullWidth', 'common.full-width')}
      {flag('search', 'common.readers-can-search')}
    </SettingsForm>
  )
}
