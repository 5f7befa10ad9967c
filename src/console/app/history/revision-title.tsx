/** The title of a revision, its authors and its time. */
import { By } from '../ui/by.tsx'
import { subjectOf } from '../proposals/change-request.ts'
import type { RevisionEntry } from '../api/review-types.ts'
import { t } from '../words/words.ts'

/** The messages that the server writes, and not a person. */
const OF_SERVER: Record<string, () => string> = {
  'Apply a suggestion': () => t('history.apply-a-suggestion'),
  Duplicate: () => t('common.duplicate'),
  Edit: () => t('common.edit'),
  Import: () => t('common.import'),
  'Reopen a conflict': () => t('history.reopen-a-conflict'),
  'Resolve a conflict': () => t('history.resolve-a-conflict'),
  Sample: () => t('history.sample'),
  'Update from the primary content': () => t('history.updated-space'),
}

/** Returns the title of a revision. @param revisions those that have been read, to name the one that was restored */
export function revisionTitle(
  { type, message, mergedFrom }: RevisionEntry,
  revisions: readonly RevisionEntry[],
): string {
  if (mergedFrom) return subjectOf(mergedFrom)
  const [, id, reason] = /^Restore revision (\w+)(?:: (.+))?$/s.exec(message) ?? []
  if (type === 'rollback' && id !== undefined) {
    const earlier = revisions.find((one) => one.id === id && one.type !== 'rollback')
    const restored = earlier
      ? t('history.restored-title', { title: revisionTitle(earlier, revisions) })
      : t('history.restored-earlier-version')
    return reason === undefined ? restored : `${restored}: ${reason}`
  }
  const source = /^Sync from (.+)$/.exec(message)?.[1]
  if (source !== undefined) return t('history.synced-from-name', { name: source })
  const known = Object.hasOwn(OF_SERVER, message) ? OF_SERVER[message] : undefined
  if (known) return known()
  if (message !== '') return message
  return {
    edits: t('history.edited'),
    merge: t('common.merged'),
    rollback: t('history.restored-earlier-version'),
    update: t('history.updated-space'),
    computed: t('common.computed'),
  }[type]
}

/** The authors of a revision, and its time. */
export function RevisedBy({ revision: { createdBy, coAuthor, createdAt } }: { revision: RevisionEntry }) {
  const did = coAuthor ? { did: t('history.with-name', { name: coAuthor.displayName }) } : {}
  return <By user={createdBy} at={createdAt} {...did} />
}
