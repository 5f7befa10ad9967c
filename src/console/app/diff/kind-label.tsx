import { t } from '../words/words.ts'

/** The kind of change of a block, or of a row or column of a table. */
export type UnitKind = 'inserted' | 'deleted' | 'moved' | 'changed' | 'same'

const SIGNS: Record<UnitKind, string> = { inserted: '+', deleted: '−', moved: '↕', changed: '±', same: '' }

/** A sign for what happened, and the word for it. */
export function KindLabel({ kind }: { kind: UnitKind }) {
  if (kind === 'same') return null
  const words = {
    inserted: t('diff.inserted'),
    deleted: t('diff.deleted'),
    moved: t('diff.moved'),
    changed: t('diff.changed'),
  }[kind]
  return (
    <span className={`sign ${kind}`} title={words}>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span className={kind === 'moved' ? 'moved-word' : 'unseen'}>{words}</span>
    </span>
  )
}
