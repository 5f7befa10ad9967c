/** The reports of the last imports into spaces and change requests, which the browser keeps. */
import { DialogButton } from '../ui/parts.tsx'
import { store, stored } from '../api/browser-storage.ts'
import { t } from '../words/words.ts'
import { type ImportAnswer, type ImportPlace, ImportReport } from './import-report.tsx'

const STORED = 'import reports'
/** A report can have hundreds of kilobytes, and the storage also holds comments that are not sent. */
const MOST_KEPT = 3

interface Kept {
  name: string
  answer: ImportAnswer
}

const reportStorageKey = ({ spaceId, number }: ImportPlace): string => `${spaceId} ${number ?? ''}`

function keptReports(): Kept[] {
  try {
    return JSON.parse(stored(STORED) ?? '[]') as Kept[]
  } catch {
    return []
  }
}

/** Keeps the report of an import for a later look, with those of the last other imports. */
export function keepReport(place: ImportPlace, answer: ImportAnswer): void {
  const name = reportStorageKey(place)
  const others = keptReports().filter((one) => one.name !== name)
  store(STORED, JSON.stringify([{ name, answer }, ...others].slice(0, MOST_KEPT)))
}

/** A button that shows the report again; nothing if there is none. */
export function ReportButton({ place, kind = 'button' }: { place: ImportPlace; kind?: string }) {
  const answer = keptReports().find(({ name }) => name === reportStorageKey(place))?.answer
  if (!answer) return null
  return (
    <DialogButton label={t('import.report-import')} title={t('import.report-import')} kind={kind}>
      {(close) => <ImportReport answer={answer} place={place} close={close} />}
    </DialogButton>
  )
}
