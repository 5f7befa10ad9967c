import { t } from '../words/words.ts'

/** Grey lines in the place of what is loading. @param lines how many */
export function Skeleton({ lines = 3, kind = 'lines' }: { lines?: number; kind?: 'lines' | 'cards' }) {
  return (
    <div className={`skeleton ${kind}`} role="status">
      <span className="unseen">{t('common.loading')}</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  )
}
