/** The templates of pages, as people read them. */
import { t } from './words.ts'

/** Returns the titles of the templates of Lectern, and what they are for. */
const builtInNames = (): Record<string, { title: string; description: string }> => ({
  'decision-record': {
    title: t('page-template.decision-record'),
    description: t('page-template.decision-record-about'),
  },
  'how-to': { title: t('page-template.how-to'), description: t('page-template.how-to-about') },
  'meeting-notes': {
    title: t('page-template.meeting-notes'),
    description: t('page-template.meeting-notes-about'),
  },
  reference: { title: t('page-template.reference'), description: t('page-template.reference-about') },
  'release-notes': {
    title: t('page-template.release-notes'),
    description: t('page-template.release-notes-about'),
  },
  runbook: { title: t('page-template.runbook'), description: t('page-template.runbook-about') },
})

/** A template with its names: those of Lectern are in the language of the interface. */
export function namedTemplate<T extends { id: string; builtIn: boolean; title: string; description: string }>(
  one: T,
): T {
  return one.builtIn ? { ...one, ...builtInNames()[one.id] } : one
}
