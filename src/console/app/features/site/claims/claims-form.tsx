/** What a site knows about its visitors: a row for each claim, or the JSON schema of all of them. */
import { useState } from 'react'
import { Button, Label, TextArea, TextField } from 'react-aria-components'
import { useChange } from '../../../api/api.ts'
import type { SitePath } from '../../../api/paths.ts'
import { CheckField, ChoiceField, LineField } from '../../../ui/fields.tsx'
import { EditForm, FieldProblem } from '../../../ui/forms.tsx'
import { t } from '../../../words/words.ts'
import { claimFault, type ClaimKind, type ClaimRow, claimRows, claimsSchema } from './claim-rows.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './claims.css'

/** Edits a schema as a form, and as JSON if the user wants to or the form cannot show it. */
export function ClaimsForm({ schema, path }: { schema: object; path: SitePath }) {
  const [draft, setDraft] = useState(schema)
  const [rows, setRows] = useState(() => claimRows(schema))
  const [text, setText] = useState(() => (rows ? undefined : asText(schema)))
  const [wrong, setWrong] = useState<Error | null>(null)
  // Nobody hears of faults in what is not written yet.
  const [isTried, setTried] = useState(false)
  const save = useChange(`PUT ${path}/adaptive-schema`)
  const parsed = () => {
    try {
      setWrong(null)
      return JSON.parse(text ?? '') as Record<string, unknown>
    } catch (error) {
      setWrong(error as Error)
      return undefined
    }
  }
  const submit = () => {
    setTried(true)
    if (text === undefined && rows) {
      if (!rows.some((row) => claimFault(row, rows))) save.mutate({ jsonSchema: claimsSchema(draft, rows) })
      return
    }
    const jsonSchema = parsed()
    if (jsonSchema) save.mutate({ jsonSchema })
  }
  const showText = () => {
    if (rows) setText(asText(claimsSchema(draft, rows)))
  }
  const showRows = () => {
    const written = parsed()
    if (!written) return
    const known = claimRows(written)
    if (!known) return setWrong(new Error(t('site.claims-only-json')))
    setDraft(written)
    setRows(known)
    setText(undefined)
  }
  return (
    <EditForm
      change={{ ...save, error: wrong ?? save.error, isSuccess: save.isSuccess && !wrong }}
      action={t('common.save')}
      onSubmit={submit}
    >
      {text === undefined && rows ? (
        <Claims rows={rows} onChange={setRows} isTried={isTried} onJson={showText} />
      ) : (
        <TextField className="field" value={text ?? ''} onChange={setText} isRequired>
          <Label>{t('site.claims-json-schema')}</Label>
          <TextArea className="source" rows={14} spellCheck="false" aria-describedby="claims-hint" />
          <span id="claims-hint" className="hint">
            {t('site.claim-sign-site-says')}
          </span>
          <FieldProblem />
          <Button className="button quiet small" onPress={showRows}>
            {t('site.claims-as-form')}
          </Button>
        </TextField>
      )}
    </EditForm>
  )
}

const asText = (schema: object) => JSON.stringify(schema, null, 2)

function Claims({
  rows,
  onChange,
  isTried,
  onJson,
}: {
  rows: ClaimRow[]
  onChange: (rows: ClaimRow[]) => void
  /** Whether the user has tried to save. */
  isTried: boolean
  onJson: () => void
}) {
  // The writer goes on in the new row.
  const [added, setAdded] = useState<number>()
  const add = () => {
    const key = 1 + rows.reduce((most, row) => Math.max(most, row.key), -1)
    onChange([...rows, { key, name: '', kind: 'text', values: '', description: '', isUnsigned: false }])
    setAdded(key)
  }
  const set = (changed: ClaimRow) => onChange(rows.map((row) => (row.key === changed.key ? changed : row)))
  return (
    <>
      {rows.length === 0 && <p className="hint">{t('site.claims-none')}</p>}
      {rows.map((row, at) => (
        <ClaimFields
          key={row.key}
          row={row}
          number={at + 1}
          fault={isTried ? claimFault(row, rows) : undefined}
          isNew={row.key === added}
          onChange={set}
          onRemove={() => onChange(rows.filter((other) => other !== row))}
        />
      ))}
      <div className="row-actions">
        <Button className="button small" onPress={add}>
          {t('site.claims-add')}
        </Button>
        <Button className="button quiet small" onPress={onJson}>
          {t('site.claims-as-json')}
        </Button>
      </div>
    </>
  )
}

const kinds = (): [ClaimKind, string][] => [
  ['text', t('site.claim-text')],
  ['choice', t('site.claim-choice')],
  ['boolean', t('site.claim-boolean')],
  ['number', t('site.claim-number')],
  ['texts', t('site.claim-texts')],
]

const FAULTS = {
  'claim-twice': () => t('site.claim-twice'),
  'claim-without-values': () => t('site.claim-without-values'),
  'claim-reserved': () => t('site.claim-reserved'),
}

function ClaimFields({
  row,
  number,
  fault,
  isNew,
  onChange,
  onRemove,
}: {
  row: ClaimRow
  number: number
  fault: keyof typeof FAULTS | undefined
  isNew: boolean
  onChange: (row: ClaimRow) => void
  onRemove: () => void
}) {
  const hasValues = row.kind === 'choice' || row.kind === 'texts'
  return (
    <fieldset className="claim">
      <legend className="unseen">{row.name || t('site.claim-number-of', { number })}</legend>
      <div className="fields-row">
        <LineField
          label={t('common.name')}
          value={row.name}
          onChange={(name) => onChange({ ...row, name })}
          isRequired
          autoFocus={isNew}
        />
        <ChoiceField
          label={t('common.type')}
          value={row.kind}
          onChange={(kind) => onChange({ ...row, kind })}
          options={kinds()}
        />
        <Button
          className="button quiet small"
          aria-label={t('common.remove-name', { name: row.name || String(number) })}
          onPress={onRemove}
        >
          {t('common.remove')}
        </Button>
      </div>
      {hasValues && (
        <TextField className="field" value={row.values} onChange={(values) => onChange({ ...row, values })}>
          <Label>{row.kind === 'choice' ? t('site.claim-values') : t('site.claim-values-optional')}</Label>
          <TextArea rows={Math.min(8, Math.max(2, row.values.split('\n').length))} spellCheck="false" />
        </TextField>
      )}
      <LineField
        label={t('common.description')}
        value={row.description}
        onChange={(description) => onChange({ ...row, description })}
      />
      <CheckField
        label={t('site.claim-unsigned')}
        isChecked={row.isUnsigned}
        onChange={(isUnsigned) => onChange({ ...row, isUnsigned })}
      />
      {fault && (
        <p className="refusal" role="alert">
          {FAULTS[fault]()}
        </p>
      )}
    </fieldset>
  )
}
